import test from 'ava'
import { parseExactJson, writeExactJson } from '../../base/exact-json.ts'

test('integers beyond 2^53 are written and read as they are, beside all that JSON has', (t) => {
  const plain = { text: 'of 12345678901234567, "quoted"', half: '\ud83d', list: [1, 0.1, -1e300, null, true], none: {} }
  const values = [plain, { ...plain, seed: 9007199254740993n, nested: [{ least: -9223372036854775808n }] }]
  for (const value of values) {
    for (const space of [0, 2]) t.deepEqual(parseExactJson(writeExactJson(value, space)), value)
  }
  t.is(writeExactJson({ seed: 9007199254740993n, left: undefined }), '{"seed":9007199254740993}')
})
