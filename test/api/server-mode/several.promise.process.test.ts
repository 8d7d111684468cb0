/** Several processes of the service on one ClickHouse server. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, NotStarted, spawnService } from '../../support/process.ts'
import { rounds } from '../../support/random/seed.ts'
import { allRows } from '../../support/requests/pages.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
const server = await startTestClickHouse({ folder: join(folder, 'server') })
const settings = (name: string) => ({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })
const [a, b] = await Promise.all([spawnService(settings('a')), spawnService(settings('b'))])

test.after.always(async () => {
  killServices()
  await server.kill()
})

/** Between two events of one client: a batch of one event costs the server as much as one of a thousand. */
const pause_ms = 50
/** Between two looks at a rebuild, each of which asks the server five times. */
const look_ms = 250

const streamOf = (name: string, ...more: object[]) => ({
  ...{ name, type: 1, swsz: 0 },
  attr: [{ name: 'n', type: 'LONG', stat: 'RSTAT' }, ...more],
})
const schemaOf = (schema: string, ...more: object[]) => ({ schema, streams: [streamOf('st', ...more)] })

// A change of the catalogue waits for the one before, of whatever process, and is refused after half a minute: on a slow machine
// the changes of all tests at once take longer. So tests that make some come one after the other, and share a schema where they can;
// one test makes six changes at once.
test.before(() =>
  a.client.register({ schema: 'shared', streams: ['busy', 'switch', 'again'].map((name) => streamOf(name)) }),
)

test.serial(
  'what one process registers, the other takes events for at once, and both count in one aggregate',
  async (t) => {
    await a.client.register(schemaOf('two'))
    for (let n = 1; n <= 20; n++) await (n % 2 === 0 ? a : b).client.event('two.st', { n })
    for (const { client } of [a, b]) {
      const aggregate = async () => {
        const [row] = await client.rows('select aggr(n) from two.st rollup 1')
        const { cnt, sum } = JSON.parse(String(row?.v)).aggr_val
        return [cnt, sum]
      }
      await until('both processes have fed', async () => (await aggregate())[0] >= 20)
      t.deepEqual(await aggregate(), [20, 210])
      t.is(await client.count('select count(*) from two.st'), 20)
    }
  },
)

test.serial(
  'events that two processes take in the same moment have keys of their own, and no page loses or repeats one',
  async (t) => {
    const post = ({ client }: typeof a, first: number) =>
      Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          client.lines(
            'shared.busy',
            Array.from({ length: 50 }, (_, j) => ({ n: first + 50 * i + j })),
          ),
        ),
      )
    await Promise.all([post(a, 0), post(b, 1000)])
    await until('all events are there', async () => (await b.client.count('select count(*) from shared.busy')) === 2000)
    const rows = await allRows(a.client, 'select * from shared.busy limit 170')
    const there = rows.map(({ v }): number => JSON.parse(String(v)).n).sort((x, y) => x - y)
    t.deepEqual(
      there,
      Array.from({ length: 2000 }, (_, n) => n),
    )
    t.is(new Set(rows.map(({ k }) => String(k))).size, 2000)
  },
)

test.serial(
  'a stream that one process turns OFF is refused by the other once the call is answered, and ON again',
  async (t) => {
    t.is((await a.client.ok(a.client.send('PUT', '/stream/shared/switch/state', { state: 0 }))).errcode, 0)
    const refused = await b.client.post('/stream/shared/switch', { n: 1 })
    t.is(refused.status, 409)
    t.is((await b.client.ok(b.client.get('/stream/shared/switch/state'))).state, 0)
    await b.client.ok(b.client.send('PUT', '/stream/shared/switch/state', { state: 1 }))
    await a.client.event('shared.switch', { n: 2 })
    t.is(await a.client.count('select count(*) from shared.switch'), 1)
  },
)

test.serial('an edit by one process while the other takes events loses and doubles none of them', async (t) => {
  t.timeout(300_000)
  await a.client.register(schemaOf('edited', { name: 'g', type: 'STRING' }))
  let posted = 0
  let isOver = false
  const posting = (async () => {
    while (!isOver) {
      const answer = await b.client.post('/stream/edited/st', { n: 1, g: 'x' })
      if (answer.status === 200) posted++
      else t.is(answer.status, 503, answer.text)
      await sleep(pause_ms)
    }
  })()
  const edited = schemaOf('edited', { name: 'g', type: 'STRING', stat: 'COUNT' }, { name: 'later', type: 'LONG' })
  await a.client.ok(a.client.send('PUT', '/stream', edited))
  const before = posted
  await until('events come in after the edit', () => posted > before + 5)
  isOver = true
  await posting
  await b.client.event('edited.st', { n: 1, g: 'y', later: 7 })
  t.is(await b.client.count('select count(*) from edited.st where later = 7'), 1)
  for (const attribute of ['n', 'g']) {
    const [row] = await b.client.rows(`select aggr(${attribute}) from edited.st rollup 1`)
    t.is(JSON.parse(String(row?.v)).aggr_val.cnt, posted + 1, attribute)
  }
})

test.serial('a rebuild by one process while the other takes events counts each once', async (t) => {
  t.timeout(300_000)
  await b.client.lines(
    'shared.again',
    Array.from({ length: 50 }, () => ({ n: 1 })),
  )
  let posted = 50
  let isOver = false
  const posting = (async () => {
    while (!isOver) {
      if ((await b.client.post('/stream/shared/again', { n: 1 })).status === 200) posted++
      await sleep(pause_ms)
    }
  })()
  await until('events come in before the rebuild', () => posted > 55)
  await a.client.ok(a.client.post('/stream/shared/again/rebuild', ''))
  const before = posted
  let amid = 0
  const rebuild = await until(
    'the rebuild',
    async () => {
      await sleep(look_ms)
      const so_far = posted - before
      const { streams } = await a.client.ok(a.client.get('/stream/shared/info'))
      const { rebuild: found } = streams.find(({ name }: { name: string }) => name === 'again')
      if (found?.state !== 'running') return found
      amid = so_far
      return undefined
    },
    90_000,
  )
  isOver = true
  await posting
  t.is(rebuild.state, 'done')
  t.true(amid >= 3, `${amid} events came in amid the rebuild`)
  const [row] = await b.client.rows('select aggr(n) from shared.again rollup 1')
  t.is(JSON.parse(String(row?.v)).aggr_val.cnt, posted)
})

test.serial('tables of one process are those of the other: records, indexes, and their end', async (t) => {
  await a.client.ok(a.client.post('/db/d/table', { table_name: 'wide', table_type: 1, key_type: 1 }))
  await b.client.ok(b.client.post('/db/d/wide/doc', { _pk: 'k', doc: { town: 'Bern' } }))
  t.is((await a.client.ok(a.client.get('/db/d/wide?key=k'))).town, 'Bern')
  await b.client.ok(b.client.post('/db/d/wide/index', { index_name: 'town', key_type: 1 }))
  await a.client.ok(a.client.post('/db/d/wide/doc', { _pk: 'k', doc: { town: 'Basel' } }))
  const found = await b.client.ok(b.client.post('/db/d/query', { sql: "select * from wide where town = 'Basel'" }))
  t.is(found.num_items, 1)
  const past = await b.client.ok(b.client.post('/db/d/query', { sql: "select * from wide where town = 'Bern'" }))
  t.is(past.num_items, 0)
  await a.client.ok(a.client.send('DELETE', '/db/d/wide'))
  t.is((await b.client.get('/db/d/wide?key=k')).status, 404)
})

test.serial('a schema that one process deletes is gone in the other, and its name is free', async (t) => {
  await a.client.register(schemaOf('gone'))
  await b.client.event('gone.st', { n: 1 })
  await b.client.ok(b.client.send('DELETE', '/stream/gone'))
  t.is((await a.client.post('/stream/gone/st', { n: 1 })).status, 404)
  await b.client.register(schemaOf('gone'))
  t.is(await a.client.count('select count(*) from gone.st'), 0)
})

test.serial('two processes that register one name at once end with one schema', async (t) => {
  const answers = await Promise.all(
    [a, b].map(({ client }, i) => client.post('/stream', schemaOf('race', { name: `only${i}`, type: 'LONG' }))),
  )
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const [first, second] = await Promise.all([a, b].map(({ client }) => client.get('/stream/race/schema')))
  t.is(first?.text, second?.text)
})

test.serial(
  'six changes of the catalogue that two processes make at once are all made, and both know of each',
  async (t) => {
    for (const name of ['edits', 'ends']) await a.client.register(schemaOf(name))
    const answers = await Promise.all([
      a.client.post('/stream', schemaOf('begins')),
      b.client.send('PUT', '/stream', schemaOf('edits', { name: 'later', type: 'LONG' })),
      a.client.send('DELETE', '/stream/ends'),
      b.client.send('PUT', '/stream/shared/switch/state', { state: 0 }),
      a.client.post('/db/once/table', { table_name: 'kept', table_type: 1, key_type: 1 }),
      b.client.post('/graph/once/node', { label: 'P', name: 'x', prop: {} }),
    ])
    for (const { status, text } of answers) t.is(status, 200, text)
    for (const { client } of [a, b]) {
      await client.event('begins.st', { n: 1 })
      await client.event('edits.st', { n: 1, later: 7 })
      t.is((await client.post('/stream/ends/st', { n: 1 })).status, 404)
      t.is((await client.post('/stream/shared/switch', { n: 3 })).status, 409)
      await client.ok(client.post('/db/once/kept/doc', { _pk: 'k', doc: {} }))
      t.true((await client.ok(client.get('/graph/list'))).graphs.includes('once'))
    }
    t.is(await a.client.count('select count(*) from begins.st'), 2)
    t.is(await b.client.count('select count(*) from edits.st where later = 7'), 2)
  },
)

test('a worker answers probes and takes no events', async (t) => {
  const worker = await spawnService({ ...settings('worker'), ROLE: 'worker' })
  t.is((await worker.client.get('/health/ready')).status, 200)
  t.is((await worker.client.get('/metrics')).status, 200)
  t.is((await worker.client.post('/stream', schemaOf('no'))).status, 404)
  t.is((await worker.end('SIGTERM')).code, 0)
})

test('a second process on the folder of the first is refused, and tells why', async (t) => {
  const fault = await t.throwsAsync(spawnService(settings('a')), { instanceOf: NotStarted })
  t.regex(fault?.said ?? '', /weir cannot start: another process \(\d+\) uses the data folder .*DATA_DIR/)
})

test.serial(
  'a graph and a schema that would share its name, each made by a process at once: one schema, or a graph that stays',
  async (t) => {
    for (let round = 0; round < rounds(4, 1); round++) {
      const name = `clash${round}`
      const node = { label: 'P', name: 'x', prop: {} }
      const [registered, written] = await Promise.all([
        a.client.post('/stream', schemaOf(name)),
        b.client.post(`/graph/${name}_graph/node`, node),
      ])
      t.is(written.status, 200)
      t.true([200, 409].includes(registered.status))
      const dropped = await a.client.send('DELETE', `/graph/${name}_graph`)
      t.is(
        dropped.status,
        registered.status === 200 ? 409 : 200,
        'it belongs to the schema that is there, or to nobody',
      )
    }
  },
)

// Behind the others: until a dead process is known to be dead, changes of the catalogue wait for it.
test('once a process has died the others register schemas and take events', async (t) => {
  t.timeout(300_000)
  const third = await spawnService(settings('third'))
  await third.end('SIGKILL')
  await a.client.register(schemaOf('after'))
  t.is((await b.client.post('/stream/after/st', { n: 1 })).status, 200)
})
