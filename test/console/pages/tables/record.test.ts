import test from 'ava'
import { cellText, columnsOf, readWritten, recordOf } from '../../../../console/pages/tables/record.ts'

test('a document has members without its key and version; a plain value stays as it is', (t) => {
  const wide = recordOf({ k: 'a', v: '{"_pk":"a","_v":1,"name":"x","n":{"m":[1]}}' })
  t.deepEqual(wide.members, { name: 'x', n: { m: [1] } })
  t.is(wide.text, '{\n  "name": "x",\n  "n": {\n    "m": [\n      1\n    ]\n  }\n}')
  t.like(recordOf({ k: 7, v: 12 }), { key: '7', members: undefined, text: '12' })
  t.like(recordOf({ k: 'b', v: 'plain' }), { members: undefined, text: 'plain' })
})

test('the columns are the members that most records have, in their order', (t) => {
  const records = ['{"a":1,"b":2}', '{"b":2,"c":3}', '{"c":3}'].map((v, k) => recordOf({ k, v }))
  t.deepEqual(columnsOf(records, 8), ['a', 'b', 'c'])
  t.deepEqual(columnsOf(records, 2), ['b', 'c'])
})

test('a cell is short, and says nothing of a member that is not there', (t) => {
  t.is(cellText(undefined), '')
  t.is(cellText({ a: 1 }), '{"a":1}')
  t.is(cellText('x'.repeat(200)).length, 80)
})

test('what is typed as a document has to be an object; as a value it may be any text', (t) => {
  t.deepEqual(readWritten('{"a":1}', true), { value: { a: 1 } })
  t.true('fault' in readWritten('[1]', true))
  t.true('fault' in readWritten('{"a":', true))
  t.deepEqual(readWritten('a text', false), { value: 'a text' })
  t.deepEqual(readWritten('12', false), { value: 12 })
})
