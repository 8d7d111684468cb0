import test from 'ava'
import { decodeSchema } from '../../../sql/schema/decode.ts'

const schemaOf = (iatr: unknown) => ({
  schema: 's',
  streams: [
    {
      name: 'st',
      type: 1,
      attr: [{ name: 'n', type: 'LONG' }],
      catr: [{ name: 'c', type: 'LONG', opnm: 'ADD', iatr }],
    },
  ],
})

test('inputs of a computed attribute are a list, and a literal without one is refused with its place', (t) => {
  t.notThrows(() => decodeSchema(schemaOf(['n', 5])))
  for (const iatr of [5, 5n, true, {}]) {
    t.throws(() => decodeSchema(schemaOf(iatr)), {
      message: /^streams\[0\]\.catr\[0\]\.iatr: .*an array of attribute names or literals/,
    })
  }
})
