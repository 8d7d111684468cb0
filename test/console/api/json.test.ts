import test from 'ava'
import { parseJson, printJson } from '../../../console/api/json.ts'

test('a number is read and printed with all its digits where the engine tells its text', (t) => {
  const text = '{"a":9007199254740993,"b":-9223372036854775808,"c":1.5,"d":"9007199254740993","e":1795692246123456}'
  const hasSource =
    JSON.stringify(JSON.parse('1', (_, __, context?: { readonly source?: string }) => context?.source)) === '"1"'
  if (hasSource) t.is(printJson(parseJson(text)), text)
  t.is(printJson({ a: 9007199254740993n, b: [-5n, '5'] }), '{"a":9007199254740993,"b":[-5,"5"]}')
})
