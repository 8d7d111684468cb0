/** A process is killed amid a batch that is in ClickHouse already; another edits the schema before it is back. */
import { join } from 'node:path'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const start = (name: string) => spawnService({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })

test.after.always(async () => {
  killServices()
  await server.kill()
})

const who = { name: 'who', type: 'STRING' }
const place = { name: 'place', type: 'STRING' }
const before = {
  schema: 'cut',
  streams: [{ name: 'st', type: 1, swsz: 0, attr: [who, place, { name: 'n', type: 'LONG' }] }],
}
const filter = {
  name: 'large',
  fqry: { name: JSON.stringify({ query: [{ key: 'n', cmp_op: 1, val: 9 }] }), type: 1 },
  fatr: ['who', 'n'],
  ostm: 'large',
}
const edited = {
  schema: 'cut',
  streams: [
    {
      ...before.streams[0],
      attr: [who, place, { name: 'n', type: 'LONG', stat: 'RSTAT' }],
      rels: [{ sub: 'who', obj: 'place', rel: 'AT' }],
      fltr: [filter],
    },
    { name: 'large', type: 2, inpt: ['st'], swsz: 0, attr: [{ name: 'n', type: 'LONG', stat: 'RSTAT' }] },
  ],
}

test('each event of it is once in all that the edit has built from the events, as in what was there before', async (t) => {
  t.timeout(450_000)
  const a = await start('a')
  const b = await start('b')
  const { client } = a
  await client.register(before)
  const events = (first: number) =>
    Array.from({ length: 20 }, (_, n) => ({ who: `w${first + n}`, place: `p${n % 3}`, n: first + n }))
  await client.lines('cut.st', events(0))
  await until('what one process took', async () => (await client.count('select count(*) from cut.st')) === 20)

  // Done each time, and never answered: until it is killed the process does not know.
  await server.fault({ does: 'lose', matching: 'st__in', times: 1_000 })
  await b.client.lines('cut.st', events(20))
  await until('the batch is in ClickHouse', async () => (await client.count('select count(*) from cut.st')) === 40)
  await b.end('SIGKILL')
  await server.clearFaults()
  await client.ok(client.send('PUT', '/stream', edited))

  const again = await start('b')
  await again.client.lines('cut.st', events(40))
  const sum = (sql: string) => async () => JSON.parse(String((await client.rows(sql))[0]?.v)).aggr_val.cnt
  const facts = {
    events: () => client.count('select count(*) from cut.st'),
    statistic: sum('select aggr(n) from cut.st rollup 1'),
    filtered: () => client.count('select count(*) from cut.large'),
    'statistic of those': sum('select aggr(n) from cut.large rollup 1'),
    relations: async () =>
      (await client.graph('cut.st', 's=>(@a who:*)-[AT]->(@b place:*); RETURN COUNT(*) AS n')).body.rows[0].n,
  }
  const wanted = { events: 60, statistic: 60, filtered: 51, 'statistic of those': 51, relations: 60 }
  const told = async (): Promise<object> =>
    Object.fromEntries(await Promise.all(Object.entries(facts).map(async ([name, ask]) => [name, await ask()])))
  const seen: object[] = []
  await until(
    'all is once',
    async () => {
      seen.splice(0, seen.length, await told())
      return JSON.stringify(seen[0]) === JSON.stringify(wanted)
    },
    40_000,
  ).catch(() => {})
  t.deepEqual(seen[0], wanted)
  t.is((await client.get('/health/ready')).body.parts.clickhouse.rejected_events, 0)
})
