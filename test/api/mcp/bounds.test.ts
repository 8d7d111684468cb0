import test from 'ava'
import { bound, maxBytes, maxRows } from '../../../api/mcp/bounds.ts'
import { staysQuick } from '../../support/stays-quick.ts'

const listsOf = (count: number, length: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, Array(length).fill(1)])))

test('an answer of many lists is cut in time', (t) => {
  staysQuick(t, 'columns', (count) => bound(listsOf(count, 200)), 16 * 1024)
  staysQuick(t, 'lists of one', (count) => bound(listsOf(count, 1)), 128 * 1024)
})

test('many lists share the room evenly, and the answer names some of those that were cut', (t) => {
  const { text, left, kept } = bound(listsOf(1_000, 1_000))
  const told: Readonly<Record<string, readonly number[]>> = JSON.parse(text)
  const lengths = Object.values(told).map(({ length }) => length)
  t.is(lengths.length, 1_000)
  t.true(Math.max(...lengths) - Math.min(...lengths) <= 1)
  t.true(text.length <= maxBytes && text.length > maxBytes * 0.9)
  t.is(kept, told.a0?.length)
  t.regex(left ?? '', /^a0 was cut after the first \d+, .*, 990 other lists were cut$/)
})

test('a short list stays whole beside a long one', (t) => {
  const rows = Array.from({ length: 900 }, (_, i) => ({ i, text: 'x'.repeat(1_000) }))
  const { text, left } = bound(JSON.stringify({ meta: [1, 2, 3], data: rows, rows: 900 }))
  const told = JSON.parse(text)
  t.is(told.meta.length, 3)
  t.is(told.rows, told.data.length)
  t.true(told.data.length > 240 && told.data.length < 260)
  t.is(left, `data was cut after the first ${told.data.length}`)
})

test('a list has as many elements as the bound says, and a text as many bytes', (t) => {
  t.like(JSON.parse(bound(JSON.stringify({ rows: Array(2_000).fill(0), num_items: 2_000 })).text), {
    num_items: maxRows,
  })
  t.is(bound('x'.repeat(300), { rows: 1, bytes: 100 }).text.length, 100)
  t.is(bound(JSON.stringify({ text: 'x'.repeat(300) }), { rows: 1, bytes: 100 }).text.length, 100)
  const short = JSON.stringify({ list: [1, 2, 3] })
  t.deepEqual(bound(short), { text: short })
})
