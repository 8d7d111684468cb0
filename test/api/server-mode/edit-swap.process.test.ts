/** Processes that are killed while the tables of an edit take their places: the next one brings each back, by its comment. */
import { join } from 'node:path'
import test from 'ava'
import { createServerClickHouse } from '../../../infra/clickhouse/server/client.ts'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const clickhouse = createServerClickHouse({ url: server.url })
const start = (name: string) => spawnService({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })

test.after.always(async () => {
  killServices()
  await clickhouse.close()
  await server.kill()
})

const groups = ['page', 'who']
/** The schema; by `more` three tables gain measures. */
const schemaOf = (more: boolean) => {
  const inputs = ['n', ...(more ? ['x'] : [])]
  const attr = (name: string) => ({ name, type: 'LONG', ...(inputs.includes(name) && { stat: 'COUNT' }) })
  return {
    schema: 'swapped',
    streams: [
      {
        ...{ name: 'st', type: 1, swsz: 0 },
        attr: [...groups.map((name) => ({ name, type: 'STRING' })), attr('n'), attr('x')],
        gpby: inputs.flatMap((iatr) => groups.map((name) => ({ gpat: [name], iatr, stat: 'COUNT' }))),
      },
    ],
  }
}
const exchangeOf = (prefix: string) => `EXCHANGE TABLES \`swapped\`.\`${prefix}`
const held = async (table: string, time_ms: number) => {
  const met = await server.faultsMet()
  await server.fault({ does: 'hold', matching: exchangeOf(table), time_ms })
  return () => until(`the exchange of ${table} is asked for`, async () => (await server.faultsMet()) > met, 60_000)
}
const rows = async (text: string) =>
  (await clickhouse.rows<{ name: string }>({ text, params: {} })).map(({ name }) => name)
const changed = () =>
  rows(
    "SELECT table AS name FROM system.columns AS c WHERE database = 'swapped' AND c.name = '_cnt_x' AND NOT match(table, '___next$|__from__') ORDER BY table",
  )

const posted = 300
type Process = Awaited<ReturnType<typeof start>>

async function countIn({ client }: Process, attribute: string): Promise<number> {
  const [row] = await client.rows(`select aggr(${attribute}) from swapped.st rollup 1`)
  return JSON.parse(String(row?.v)).aggr_val.cnt
}

test('tables that killed processes have exchanged, there and back, are those of before with the next one', async (t) => {
  t.timeout(600_000)
  const [a, b] = await Promise.all([start('a'), start('b')])
  await a.client.register(schemaOf(false))
  await a.client.lines(
    'swapped.st',
    Array.from({ length: posted }, (_, i) => ({ who: `w${i % 7}`, page: `p${i % 5}`, n: i, x: i })),
  )
  t.is(await countIn(a, 'n'), posted)
  await until('b has followed', async () => (await countIn(b, 'n')) === posted)

  const tables = ['st__60', 'st__60__page', 'st__60__who']
  const asksSecond = await held('st__60__page', 600_000)
  const edit = a.client.send('PUT', '/stream', schemaOf(true)).catch(() => undefined)
  await asksSecond()
  await a.end('SIGKILL')
  await edit
  t.deepEqual(await changed(), tables.slice(0, 1))

  // The next process is killed before its first exchange back is done, and that one never is.
  const asksBack = await held('st__', 600_000)
  let failures = 0
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const answer = await b.client.query('select aggr(n) from swapped.st groupby who').catch(() => undefined)
      if (answer !== undefined && answer.status !== 200) failures++
    }
  })()
  await asksBack()
  isOver = true
  await asking
  t.is(failures, 0, 'queries meanwhile')
  await b.end('SIGKILL')
  t.deepEqual(await changed(), tables.slice(0, 1))

  const c = await start('c')
  await until(
    'the edit is undone',
    async () =>
      (await c.client.get('/health/ready')).body.parts.schemas.status === 'up' && (await changed()).length === 0,
    90_000,
  )
  t.deepEqual(await rows("SELECT name FROM system.tables WHERE database = 'swapped' AND position(name, '___') > 0"), [])
  t.is(await countIn(c, 'n'), posted)
  await c.client.ok(c.client.send('PUT', '/stream', schemaOf(true)))
  t.deepEqual(await changed(), tables)
  for (const attribute of ['n', 'x']) t.is(await countIn(c, attribute), posted)
  const grouped = await c.client.rows('select aggr(x) from swapped.st groupby who')
  t.is(grouped.length, 7)
  t.is((await c.end('SIGTERM')).code, 0)
})
