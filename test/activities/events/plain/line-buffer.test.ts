import test from 'ava'
import { LineBuffer } from '../../../../activities/events/plain/line-buffer.ts'

test('whole numbers are written as JavaScript prints them', (t) => {
  const numbers = [0, 7, 10, 99, 100, 12_345_678, 99_999_999, 100_000_000, 100_000_001, 1_700_000_000_000_000]
  for (const number of [...numbers, 9_007_199_254_740_991]) {
    const lines = new LineBuffer(1)
    lines.reserve(16)
    lines.digits(number)
    t.is(lines.taken().toString(), String(number))
  }
})

test('it grows, and keeps what it holds', (t) => {
  const lines = new LineBuffer(1)
  const texts = Array.from({ length: 200 }, (_, i) => `${i} ü 🎈 ${'x'.repeat(i)}`)
  for (const text of texts) {
    lines.text(text)
    lines.reserve(text.length * 4)
    lines.put(Buffer.from(text))
  }
  t.is(lines.taken().toString(), texts.map((text) => text + text).join(''))
})
