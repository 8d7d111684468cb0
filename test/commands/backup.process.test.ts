/** A real service that is copied while clients post to it, killed and restored. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { killServices, spawnService } from '../support/process.ts'
import { programOf } from '../support/program.ts'
import { createClient } from '../support/requests/client.ts'
import { createIds, startLoad } from '../support/requests/load.ts'
import { allRows } from '../support/requests/pages.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
const admin = 'the-key-of-the-one-who-may-do-all'

const schema = {
  schema: 'load',
  streams: [
    {
      name: 'st',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'id', type: 'LONG', stat: ['RSTAT', 'QUANTILES', 'LAST', 'FIRST'], q: [0.5] },
        { name: 'who', type: 'STRING', stat: 'UCOUNT' },
        { name: 'group', type: 'LONG', stat: 'TOPK', k: 100 },
        { name: 'even', type: 'BOOL', stat: 'COUNT', gran: 10 },
      ],
      gpby: [{ gpat: ['group'], iatr: 'id', stat: 'RSTAT', gran: 60 }],
      rels: [{ sub: 'who', rel: 'IS_IN', obj: 'group' }],
    },
  ],
}

test.after.always(killServices)

const backUp = (folder: string, url: string) =>
  run(process.execPath, [...programOf('commands/backup.ts'), folder], {
    env: { PATH: process.env.PATH, WEIR_URL: url, ADMIN_KEY: admin },
  })

const restore = (folder: string, to: string) =>
  run(process.execPath, [...programOf('commands/restore.ts'), folder], {
    env: { PATH: process.env.PATH, DATA_DIR: to },
  })

const key = { 'x-api-key': admin }

/** Nothing is left of a copy that was taken, or given up. */
const isClean = (folder: string): boolean =>
  !existsSync(join(folder, '.backup')) && !existsSync(join(folder, 'clickhouse', 'shadow'))

/** The files of columns, in all parts. */
const partsOf = (folder: string): string[] =>
  readdirSync(join(folder, 'clickhouse', 'store'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('data.bin'))
    .map((name) => join(folder, 'clickhouse', 'store', name))

test.serial(
  'a backup under load has every event acknowledged before it, each once, in all that is derived of them',
  async (t) => {
    const [folder, copies, restored] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
    const settings = { API_KEYS: 'require', ADMIN_KEY: admin }
    const service = await spawnService({ ...settings, DATA_DIR: folder })
    const open = createClient(service.url)
    const as = (client: typeof open): typeof open => ({
      ...client,
      post: (path, body, headers) => client.post(path, body, { ...headers, ...key }),
    })
    t.is((await open.post('/stream', schema, key)).status, 200)
    t.is((await open.post('/brs/bucket', { bucket_name: 'kept' }, key)).status, 200)
    const object = Buffer.alloc(32 * 1024 * 1024, 'object')
    t.is((await open.send('PUT', '/brs/kept/object/one', object, key)).status, 200)
    t.is((await open.post('/db/mydb/table', { table_name: 'records', table_type: 1, key_type: 1 }, key)).status, 200)
    t.is((await open.post('/db/mydb/records/doc', { _pk: 'a', doc: { n: 1 } }, key)).status, 200)
    const made = await open.post('/keys', { name: 'reader', scopes: ['read', 'write'] }, key)
    const reader = { 'x-api-key': String(made.body.key) }
    t.is((await open.post('/backup', undefined, reader)).status, 403)

    const load = startLoad(as(open), 'load.st', createIds())
    await until('events under load', () => load.acknowledged.length > 2_000, 60_000)

    // One whose client reads no further holds the place of another, until it goes.
    const leaving = new AbortController()
    const first = await fetch(new URL('/backup', service.url), { method: 'POST', headers: key, signal: leaving.signal })
    t.is(first.status, 200)
    const second = await open.post('/backup', undefined, key)
    t.is(second.status, 409)
    t.regex(second.text, /under way/)
    const progress = async () => (await open.send('GET', '/backup', undefined, key)).body
    const sending = await progress()
    t.is(sending.state, 'sending')
    t.true(sending.sent_bytes < sending.total_bytes && sending.total_bytes > object.length)
    leaving.abort()
    await until('the copy to be gone', () => isClean(folder), 60_000)
    t.is((await progress()).state, 'failed')

    const before = [...load.acknowledged]
    await backUp(join(copies, 'one'), service.url)
    await until('the copy to be gone', () => isClean(folder), 60_000)
    const done = await progress()
    t.is(done.state, 'done')
    t.true(done.sent_bytes > done.total_bytes && done.ended >= done.started)
    const during = load.acknowledged.length
    await until('events after the backup', () => load.acknowledged.length > during + 200, 60_000)
    await load.stop()
    t.deepEqual(load.refused, [])

    // One that is killed amid a backup: its client has none, and the next start is clean.
    const cut = await fetch(new URL('/backup', service.url), { method: 'POST', headers: key })
    await service.end('SIGKILL')
    await t.throwsAsync(cut.arrayBuffer())
    t.true(existsSync(join(folder, '.backup')))

    await restore(join(copies, 'one'), join(restored, 'data'))
    const again = await startService({ DATA_DIR: join(restored, 'data') })
    const { client } = again
    const events = (await allRows(client, 'select * from load.st')).map(({ v }) => JSON.parse(String(v)))
    const ids = events.map(({ id }): number => id)
    const distinct = new Set(ids)
    t.is(ids.length, distinct.size, 'events that are there twice')
    t.deepEqual(
      before.filter((id) => !distinct.has(id)),
      [],
      'acknowledged events that are not there',
    )
    t.true(ids.length < load.acknowledged.length)
    const sum = ids.reduce((all, id) => all + id, 0)
    const [all] = await client.rows('select aggr(id) from load.st rollup 1')
    const { aggr_val: whole } = JSON.parse(String(all?.v))
    t.deepEqual([whole.cnt, whole.sum], [ids.length, sum], 'statistics')
    // Events come newest first, and those of clients at once may have one time.
    const endsOf = (pk: number) => events.filter(({ _pk }) => _pk === pk).map(({ id }) => id)
    t.true(endsOf(events[0]?._pk).includes(whole.last), 'the last value')
    t.true(endsOf(events.at(-1)?._pk).includes(whole.first), 'the first value')
    const middle = ids.toSorted((a, b) => a - b)[Math.ceil(ids.length / 2) - 1] ?? 0
    t.true(Math.abs(whole.p50 - middle) <= 0.01 * middle, `the median ${whole.p50} of ${middle}`)
    const [ofGroups] = await client.rows('select aggr(group) from load.st rollup 1')
    const { top, top_error } = JSON.parse(String(ofGroups?.v)).aggr_val
    const numbers = new Map<number, number>()
    for (const { group } of events) numbers.set(group, (numbers.get(group) ?? 0) + 1)
    const inOrder = [...numbers].toSorted(([a, n], [b, m]) => m - n || a - b)
    t.deepEqual(
      { top, top_error },
      { top: inOrder.slice(0, 100).map(([value, cnt]) => ({ value, cnt })), top_error: 0 },
      'the most frequent values',
    )
    const groups = (await allRows(client, 'select aggr(id) from load.st groupby group')).map(({ v }) =>
      JSON.parse(String(v)),
    )
    t.is(
      groups.reduce((total, { cnt }) => total + cnt, 0),
      ids.length,
      'groups',
    )
    const triples = await client.graph('load.st', 's=>(@w who:*)-[IS_IN]->(group:*); RETURN COUNT(*) AS n')
    t.is(triples.body.rows[0].n, ids.length, 'triples')
    const got = await fetch(new URL('/brs/kept/object/one', again.url))
    t.true(Buffer.from(await got.arrayBuffer()).equals(object))
    t.is((await client.get('/db/mydb/records?key=a')).body.n, 1)
    t.is((await client.get('/keys')).body.keys[0].name, 'reader')
    await client.event('load.st', { id: 1_000_000, who: 'new', group: 1, even: true })
    t.is(await client.count('select count(*) from load.st'), ids.length + 1)
    await again.close()

    const survivor = await spawnService({ DATA_DIR: folder })
    t.true(isClean(folder))
    t.is(await survivor.client.count('select count(*) from load.st'), load.acknowledged.length)
    await survivor.end('SIGTERM')
  },
)

for (const { about, isInserted } of [
  { about: 'in the tables and still in the log', isInserted: true },
  { about: 'in the log alone', isInserted: false },
]) {
  test.serial(`a batch that is ${about} when a backup is taken counts once after a restore`, async (t) => {
    const [copies, restored] = [temporaryFolder(), join(temporaryFolder(), 'data')]
    let isTried = false
    const unsure = (part: ClickHouse): ClickHouse => ({
      ...part,
      async insert(insertion) {
        const isOfLoad = insertion.table.includes('load')
        if (isInserted || !isOfLoad) await part.insert(insertion)
        if (!isOfLoad) return
        isTried = true
        throw new Error('the answer is lost')
      },
    })
    const service = await startService({}, undefined, { clickhouse: unsure })
    t.teardown(service.close)
    await service.client.register(schema)
    const events = Array.from({ length: 50 }, (_, id) => ({ id, who: `who ${id}`, group: id % 7, even: id % 2 === 0 }))
    await service.client.lines('load.st', events)
    await until('the batch at the tables', () => isTried, 60_000)
    await backUp(join(copies, 'one'), service.url)
    await restore(join(copies, 'one'), restored)

    const again = await spawnService({ DATA_DIR: restored })
    t.is(await again.client.count('select count(*) from load.st'), 50)
    const [all] = await again.client.rows('select aggr(id) from load.st rollup 1')
    t.is(JSON.parse(String(all?.v)).aggr_val.sum, (49 * 50) / 2)
    await again.end('SIGTERM')
  })
}

test.serial('a client of a backup that goes away, at whatever moment, leaves the service as it was', async (t) => {
  const folder = temporaryFolder()
  const service = await spawnService({ DATA_DIR: folder })
  const client = createClient(service.url)
  t.is((await client.post('/stream', schema)).status, 200)
  t.is((await client.post('/stream/load/st', { id: 1, who: 'a', group: 1, even: true })).status, 200)
  const take = async (signal: AbortSignal): Promise<number> => {
    const answer = await fetch(new URL('/backup', service.url), { method: 'POST', signal })
    return (await answer.arrayBuffer()).byteLength
  }
  const began = performance.now()
  const whole = await take(AbortSignal.timeout(60_000))
  const took_ms = performance.now() - began
  const moments = 20
  for (let moment = 0; moment < moments; moment++) {
    await take(AbortSignal.timeout(Math.round((took_ms * moment) / moments))).catch(() => {})
    await until('the copy to be gone', () => isClean(folder), 60_000)
    t.is((await fetch(new URL('/health/live', service.url))).status, 200, `after moment ${moment}`)
  }
  t.true((await take(AbortSignal.timeout(60_000))) >= whole / 2)
})

test.serial('a backup of a damaged part fails, by the name of the part, and leaves no backup', async (t) => {
  const [folder, copies] = [temporaryFolder(), temporaryFolder()]
  const service = await spawnService({ DATA_DIR: folder })
  const client = createClient(service.url)
  t.is((await client.post('/stream', schema)).status, 200)
  const events = Array.from({ length: 20_000 }, (_, id) =>
    JSON.stringify({ id, who: `w${id * 7919}`, group: id, even: true }),
  )
  const sent = await client.post('/stream/load/st', events.join('\n'), { 'content-type': 'application/x-ndjson' })
  t.is(sent.status, 200, sent.text)
  await client.rows('select count(*) from load.st')
  await backUp(join(copies, 'good'), service.url)
  const [part] = partsOf(folder).sort((one, other) => statSync(other).size - statSync(one).size)
  const bytes = readFileSync(String(part))
  bytes.fill(7, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 64)
  // In place: the file keeps its names.
  writeFileSync(String(part), bytes, { flag: 'r+' })
  const error = await t.throwsAsync(backUp(join(copies, 'bad'), service.url))
  t.regex(String(error?.message), /part \S+ of \S+\.\S+ is damaged/)
  t.false(existsSync(join(copies, 'bad', 'manifest.json')))
  t.is((await client.get('/backup')).body.state, 'failed')
})
