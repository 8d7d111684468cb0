/** Two processes: one merges a node again and again, the other brings events and triples about it. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const spawn = (name: string) => spawnService({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })
const [a, b] = await Promise.all([spawn('a'), spawn('b')])

test.after.always(async () => {
  killServices()
  await server.kill()
})

const rels = [{ sub: 'who', sub_label: 'P', rel: 'SAW', obj: 'what', obj_label: 'W', rel_props: ['id'] }]
const attr = ['who', 'what'].map((name) => ({ name, type: 'STRING' })).concat([{ name: 'id', type: 'LONG' }])
type Edge = { readonly id: number; readonly s: string }

const query = (client: typeof a.client, text: string) => client.ok(client.send('POST', '/graph/m_graph/query', text))
const edges = async (client: typeof a.client): Promise<readonly Edge[]> =>
  (await query(client, 's=>(@s P:*)-[@r SAW]->(W:*); RETURN r.id AS id, s.name AS s')).rows
const names = async (client: typeof a.client): Promise<readonly string[]> =>
  (await query(client, 's=>(@s P:*); RETURN s.name')).rows.map(({ name }: { readonly name: string }) => name)

test('relations that another process brings amid merges are all there, once, and with their node', async (t) => {
  t.timeout(600_000)
  await a.client.register({ schema: 'm', streams: [{ name: 'st', type: 1, swsz: 0, attr, rels }] })
  const send = (id: number) =>
    id % 3 === 0
      ? b.client.post('/graph/m_graph/triple', {
          sub: { label: 'P', name: 's' },
          pred: { rel: 'SAW', prop: { id } },
          obj: { label: 'W', name: 'w' },
        })
      : b.client.post('/stream/m/st', { who: 's', what: `w${id % 5}`, id })
  await a.client.ok(a.client.post('/stream/m/st', { who: 'p', what: 'w', id: 0 }))
  let [sent, isOver] = [0, false]
  const acknowledged = new Set([0])
  const senders = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const id = ++sent
      if ((await send(id)).status === 200) acknowledged.add(id)
    }
  })
  for (let changes = 0; changes < 12; changes++) await query(a.client, 'MERGE (P:p)<-[*]-(P:s)')
  isOver = true
  await Promise.all(senders)

  await until('all is fed', async () => (await edges(b.client)).length >= acknowledged.size, 30_000)
  for (const { client } of [a, b]) {
    const ids = (await edges(client)).map(({ id }) => id)
    t.is(new Set(ids).size, ids.length, 'none is doubled')
    t.deepEqual(
      [...acknowledged].filter((id) => !ids.includes(id)),
      [],
      'none is lost',
    )
  }
  // Amid a change a node may be without its row for as long as inserts are under way.
  await until(
    'each relation has its node',
    async () => {
      const there = new Set(await names(a.client))
      return (await edges(a.client)).every(({ s }) => there.has(s))
    },
    15_000,
  )
  await query(b.client, 'MERGE (P:p)<-[*]-(P:s)')
  t.deepEqual([...new Set((await edges(a.client)).map(({ s }) => s))], ['p'])
})
