import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const schema = 'made'

test('an event of which rules would make more than 10,000 rows is refused, and leaves nothing behind', async (t) => {
  const times = 10
  const level = (n: number) => ({
    fltr: Array.from({ length: times }, (_, i) => ({
      name: `f${i}`,
      fqry: { name: { query: [{ key: 'n', cmp_op: 'GTE', val: n < 4 ? 1 : 2 }], qtype: 1 }, type: 1 },
      fatr: ['n'],
      catr: [{ name: 'i', type: 9, opnm: 'MATH_EXP', iatr: [`${i} + 0 * $n`] }],
      ostm: `s${n}`,
    })),
  })
  const copies = (n: number, more: object) => ({
    name: `s${n}`,
    type: 2,
    swsz: 0,
    inpt: [`s${n - 1}`],
    attr: [],
    ...more,
  })
  await client.register({
    schema,
    streams: [
      { name: 's0', type: 1, swsz: 0, attr: [{ name: 'n', type: 9 }], ...level(1) },
      ...[1, 2, 3].map((n) => copies(n, level(n + 1))),
      copies(4, {}),
    ],
  })
  const counts = async () => {
    const all = [0, 1, 2, 3, 4].map((n) => client.count(`select count(*) from ${schema}.s${n}`))
    return Promise.all(all)
  }
  await client.event(`${schema}.s0`, { n: 1 })
  t.deepEqual(await counts(), [1, 10, 100, 1000, 0])
  const refused = await client.send('POST', `/stream/${schema}/s0`, { n: 2 })
  t.is(refused.status, 400, refused.text)
  t.regex(refused.text, /is refused: the rules would make more than 10,000 rows and matches of it/)
  const answer = await client.send('POST', `/stream/${schema}/s0`, '{"n":1}\n{"n":2}\n{"n":0}\n{"n":2}\n', {
    'Content-Type': 'application/x-ndjson',
  })
  const { accepted, rejected, errors } = JSON.parse(answer.text)
  t.deepEqual([accepted, rejected, errors.map(({ line }: { line: number }) => line)], [2, 2, [2, 4]])
  t.deepEqual(await counts(), [3, 20, 200, 2000, 0])
  t.deepEqual(await client.documents(`select * from ${schema}.s0 where n = 2`), [])
})
