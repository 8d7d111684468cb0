import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const attr = [
  { name: 'n', type: 9 },
  { name: 'joined', type: 5 },
  { name: 'member', type: 5 },
  {
    name: 'o',
    type: 3,
    fields: [
      { name: 'p', type: 9 },
      { name: 'deep', type: 3, fields: [{ name: 't', type: 5 }] },
    ],
  },
]
const fqry = { name: JSON.stringify({ query: [{ key: 'n', cmp_op: 'GTE', val: 0 }] }), type: 1 }
const event = { n: 1, joined: 'J', member: 'M', o: { p: 5, deep: { t: 'x', y: 1 }, more: 2 }, rest: 3 }

const copies: readonly (readonly [fatr: readonly string[], copied: object])[] = [
  [['n', 'joined', 'member', 'o'], { n: 1, joined: 'J', member: 'M', o: event.o }],
  [['o.p'], { o: { p: 5 } }],
  [['o.deep'], { o: { deep: { t: 'x', y: 1 } } }],
  [['o.deep.t', 'o.p', 'n'], { n: 1, o: { p: 5, deep: { t: 'x' } } }],
  [['o.p', 'o'], { o: event.o }],
]

test('a filter copies what fatr names of an event: attributes, OBJECTs, and single members of OBJECTs', async (t) => {
  const fltr = copies.map(([fatr], i) => ({ name: `f${i}`, fqry, fatr, ostm: `t${i}` }))
  const targets = copies.map((_, i) => ({ name: `t${i}`, type: 2, inpt: ['s'], attr: [] }))
  await client.register({ schema: 'copy', streams: [{ name: 's', type: 1, attr, fltr }, ...targets] })
  await client.lines('copy.s', [event, { n: 2, o: { deep: [] } }, { n: 3 }])
  for (const [i, [fatr, copied]] of copies.entries()) {
    const [, , first] = await client.documents(`select * from copy.t${i}`)
    const { _pk, _v, ...members } = first
    t.deepEqual(members, copied, fatr.join())
  }
  t.is(await client.count('select count(*) from copy.t1 where o.p = 5'), 1)
  t.is(await client.count('select count(*) from copy.t3 where o.deep.t = "x"'), 1)
  const [third, second] = await client.documents('select * from copy.t2')
  t.false('o' in third)
  t.deepEqual(second.o, { deep: [] })
})
