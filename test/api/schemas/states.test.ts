import test from 'ava'
import { silentLogger } from '../../../infra/logger.ts'
import { breakableClickHouse } from '../../support/clickhouse/breakable-clickhouse.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const faults = breakableClickHouse()
const folder = temporaryFolder()
let service = await startService({ DATA_DIR: folder }, silentLogger(), { clickhouse: faults.wrap })
test.after.always(() => service.close())
const restart = async () => {
  await service.close()
  service = await startService({ DATA_DIR: folder }, silentLogger(), { clickhouse: faults.wrap })
}

const who = { name: 'who', type: 5 }
const n = { name: 'n', type: 9 }
const above = (name: string, bound: number, ostm: string) => ({
  name,
  fqry: { name: JSON.stringify({ query: [{ key: 'n', cmp_op: 1, val: bound }] }), type: 1 },
  fatr: ['who', 'n'],
  ostm,
})
const counted = (iatr: string) => [
  { name: 'e', opid: 1, ratr: ['c'], iatr: [iatr], pkatr: [{ name: 'who', type: 5, iatr: ['who'] }], rstm: 'people' },
]
const schema = (name: string) => ({
  schema: name,
  streams: [
    {
      name: 's',
      type: 1,
      swsz: 0,
      attr: [who, { ...n, stat: 'COUNT' }],
      enty: counted('n'),
      fltr: [above('f', 0, 'a')],
    },
    { name: 'a', type: 2, inpt: ['s'], swsz: 0, attr: [who, { ...n, stat: 'COUNT' }], fltr: [above('g', 5, 'b')] },
    { name: 'b', type: 2, inpt: ['a'], swsz: 0, attr: [who, n], rels: [{ sub: 'who', obj: 'n', rel: 'HAS' }] },
    { name: 'people', type: 4, inpt: ['s'], attr: [] },
  ],
})

const set = (name: string, stream: string, state: number) =>
  service.client.send('PUT', `/stream/${name}/${stream}/state`, { state })
const post = (name: string, from: number, count: number) =>
  service.client.lines(
    `${name}.s`,
    Array.from({ length: count }, (_, i) => ({ who: 'w', n: from + i })),
  )

/** Events of s, a and b, the aggregate of a, triples of b, and what the entity counted. */
async function counts(name: string) {
  const { client } = service
  const [events, a, b] = [
    await client.count(`select count(*) from ${name}.s`),
    await client.count(`select count(*) from ${name}.a`),
    await client.count(`select count(*) from ${name}.b`),
  ]
  const [row] = await client.rows(`select aggr(n) from ${name}.a rollup 1`)
  const { triple } = await client.ok(client.post(`/stream/${name}/b/graph/query`, 's=>(who:*)-[HAS]->(n:*)'))
  const [person] = await client.documents(`select * from ${name}.people`)
  return [events, a, b, JSON.parse(String(row?.v)).aggr_val.cnt, triple?.length ?? 0, person?.c.cnt ?? 0]
}

test.serial(
  'a filter stream that is OFF takes nothing, nor what hangs off it, and ON goes on with later events',
  async (t) => {
    await service.client.register(schema('off'))
    await post('off', 0, 10)
    t.deepEqual((await set('off', 'a', 0)).body, { errcode: 0 })
    t.deepEqual(await counts('off'), [10, 10, 5, 10, 5, 10], 'what was acknowledged before is processed')
    await post('off', 0, 10)
    t.deepEqual(await counts('off'), [20, 10, 5, 10, 5, 20])
    await restart()
    t.deepEqual((await service.client.get('/stream/off/a/state')).body, { state: 0 })
    await post('off', 0, 10)
    t.deepEqual(await counts('off'), [30, 10, 5, 10, 5, 30])
    t.deepEqual((await set('off', 'a', 1)).body, { errcode: 0 })
    await post('off', 0, 10)
    t.deepEqual(await counts('off'), [40, 20, 10, 20, 10, 40])
    t.deepEqual((await set('off', 'a', 1)).body, {
      errcode: 0,
      msg: 'stream off.a is already enabled',
      error: ['stream off.a is already enabled'],
    })
  },
)

test.serial('an entity stream that is OFF counts nothing, and ON goes on with later events', async (t) => {
  await service.client.register(schema('entity'))
  await post('entity', 0, 4)
  await set('entity', 'people', 0)
  await post('entity', 0, 4)
  t.deepEqual(await counts('entity'), [8, 8, 0, 8, 0, 4])
  await set('entity', 'people', 1)
  await post('entity', 0, 4)
  t.deepEqual(await counts('entity'), [12, 12, 0, 12, 0, 8])
})

test.serial('a stream stays OFF through an edit', async (t) => {
  await service.client.register(schema('edited'))
  await set('edited', 'a', 0)
  await set('edited', 'people', 0)
  await post('edited', 0, 10)
  const { streams } = schema('edited')
  const [s, ...others] = streams
  const gpby = [{ gpat: ['who'], iatr: 'n', stat: 'COUNT' }]
  await service.client.ok(
    service.client.send('PUT', '/stream', { schema: 'edited', streams: [{ ...s, gpby }, ...others] }),
  )
  await post('edited', 0, 10)
  t.deepEqual(await counts('edited'), [20, 0, 0, 0, 0, 0])
  t.is((await service.client.rows('select aggr(n) from edited.s groupby who'))[0]?.v, 20)
})

test.serial('a change of state that fails at any statement leaves the stream as its state says', async (t) => {
  await service.client.register(schema('failing'))
  let off = 0
  let total = 0
  for (let at = 0; at < 12; at++) {
    for (const state of [0, 1]) {
      const { state: before } = (await service.client.get('/stream/failing/a/state')).body
      faults.failAt(at)
      const { status } = await set('failing', 'a', state)
      faults.heal()
      t.true([200, 503].includes(status), String(status))
      const taken = await until('events are taken', async () => {
        const answer = await service.client.post('/stream/failing/s', { who: 'w', n: 0 })
        return answer.status === 200 ? answer : undefined
      })
      t.is(taken.status, 200)
      total++
      const { state: after } = (await service.client.get('/stream/failing/a/state')).body
      if (after === 0) off++
      t.true(status === 503 || after === state)
      t.true([before, state].includes(after))
      t.deepEqual((await counts('failing')).slice(0, 2), [total, total - off], `statement ${at}, state ${state}`)
    }
  }
})
