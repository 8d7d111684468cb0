import test from 'ava'
import { writeJson } from '../../base/json.ts'

test('an integer beyond 64 bits is found wherever it stands, and digits in texts and fractions change nothing', (t) => {
  for (let before = 0; before < 40; before++) {
    const lead = 'x'.repeat(before)
    const digits = '9'.repeat(18 + (before % 3))
    t.is(writeJson([lead, 1e20, 5]), `["${lead}",100000000000000000000.0,5]`)
    t.is(writeJson([lead, -1e19]), `["${lead}",-10000000000000000000.0]`)
    t.is(writeJson({ [lead]: 999_999_999_999_999, a: 0.1234567890123456 }), `{"${lead}":999999999999999,"a":0.1234567890123456}`) // biome-ignore format: a line
    t.is(writeJson([lead, digits, 7]), `["${lead}","${digits}",7]`)
    t.is(writeJson([lead, 2n ** 63n - 1n]), `["${lead}",9223372036854775807]`)
  }
  t.is(writeJson('1'.repeat(1_000_000)), `"${'1'.repeat(1_000_000)}"`)
})
