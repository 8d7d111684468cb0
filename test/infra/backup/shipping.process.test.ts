/** A service that ships its log beside copies, whose machine burns. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CreateBucketCommand, CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import test from 'ava'
import { manifestName } from '../../../infra/backup/manifest.ts'
import { sortNames } from '../../../infra/backup/names.ts'
import { createS3Place } from '../../../infra/backup/s3-place.ts'
import { createS3Client } from '../../../infra/buckets/s3/client.ts'
import { ensureVersitygw } from '../../../scripts/parts/versitygw.js'
import { killServices, spawnService } from '../../support/process.ts'
import { programOf } from '../../support/program.ts'
import { createClient } from '../../support/requests/client.ts'
import { allRows } from '../../support/requests/pages.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { s3Keys, startS3Server } from '../buckets/s3-server.ts'

const run = promisify(execFile)
test.after.always(killServices)

const schema = {
  schema: 'load',
  streams: [
    {
      name: 'st',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'id', type: 'LONG', stat: 'RSTAT' },
        { name: 'who', type: 'STRING', stat: 'UCOUNT' },
        { name: 'group', type: 'LONG' },
        { name: 'even', type: 'BOOL', stat: 'COUNT', gran: 10 },
      ],
      gpby: [{ gpat: ['group'], iatr: 'id', stat: 'RSTAT', gran: 60 }],
    },
  ],
}
const later = {
  schema: 'later',
  streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'id', type: 'LONG', stat: 'RSTAT' }] }],
}

type Settings = Readonly<Record<string, string>>
const restoreWith = (settings: Settings, from: string, to: string, ...more: readonly string[]) =>
  run(process.execPath, [...programOf('commands/restore.ts'), '--from', from, ...more], {
    env: { PATH: process.env.PATH, DATA_DIR: to, ...settings },
  })
const restore = (from: string, to: string, ...more: readonly string[]) => restoreWith({}, from, to, ...more)

type Client = ReturnType<typeof createClient>

const shippedOf = async (client: Client) => (await client.get('/backup')).body.shipped
/** Until all that was acknowledged before is where it is shipped. */
const shipped = async (client: Client): Promise<void> => {
  const now = Date.now() * 1000
  await until('the log to be shipped', async () => (await shippedOf(client)).shipped_until > now, 60_000)
}
const copied = async (client: Client): Promise<void> => {
  const now = Date.now() * 1000
  await until('a copy', async () => (await shippedOf(client)).last_copy > now, 120_000)
}

const idsIn = async (client: Client, stream: string): Promise<number[]> =>
  (await allRows(client, `select * from ${stream}`)).map(({ v }): number => JSON.parse(String(v)).id)
const sumOf = (ids: readonly number[]): number => ids.reduce((all, id) => all + id, 0)

async function statisticsOf(client: Client, stream: string): Promise<readonly [count: number, sum: number]> {
  const [all] = await client.rows(`select aggr(id) from ${stream} rollup 1`)
  const { aggr_val } = JSON.parse(String(all?.v))
  return [aggr_val.cnt, aggr_val.sum]
}

/** A few events a second, some in batches: so many that a restore has something to do, and no more. */
function startEvents(client: Client) {
  const acknowledged: number[] = []
  let [last, isGoing] = [0, true]
  const clients = Array.from({ length: 3 }, async (_, number) => {
    while (isGoing) {
      const ids = Array.from({ length: number === 0 ? 5 : 1 }, () => ++last)
      const lines = ids.map((id) =>
        JSON.stringify({ id, who: `w${id % 50}`, group: id % 7, even: id % 2 === 0, _id: `k${id}` }),
      )
      const sent = await client
        .post('/stream/load/st', lines.join('\n'), { 'content-type': 'application/x-ndjson' })
        .catch(() => undefined)
      if (sent?.status === 200) acknowledged.push(...ids)
      await sleep(15)
    }
  })
  return {
    acknowledged,
    async stop(): Promise<void> {
      isGoing = false
      await Promise.all(clients)
    },
  }
}

const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

/** The parts of the log that go on from the newest copy, in their order: a restore needs each. */
function behindCopy(place: string): string[] {
  const { copies, segments } = sortNames(namesIn(place), manifestName, Date.now() * 1000)
  const { line = '', position = Number.POSITIVE_INFINITY } = copies.at(-1) ?? {}
  const behind = segments.filter((each) => each.line === line && each.behind >= position)
  return behind.map(({ name }) => name).sort()
}

async function served(folder: string, settings: Settings = {}) {
  const service = await spawnService({ DATA_DIR: folder, ...settings })
  return { client: createClient(service.url), close: () => service.end('SIGKILL') }
}

test.serial('what was shipped before a machine burnt is all there after a restore, each event once', async (t) => {
  t.timeout(600_000)
  const [folder, place, restored] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const service = await spawnService({ DATA_DIR: folder, BACKUP_TO: place, BACKUP_EVERY_S: '1' })
  const client = createClient(service.url)
  t.is((await client.post('/stream', schema)).status, 200)
  await copied(client)
  const load = startEvents(client)
  await until('events under load', () => load.acknowledged.length > 300, 120_000)
  const before = [...load.acknowledged]
  const cut = Date.now() * 1000
  // A copy of all that is not events follows by itself.
  t.is((await client.post('/stream', later)).status, 200)
  t.is((await client.post('/brs/bucket', { bucket_name: 'kept' })).status, 200)
  t.is((await client.send('PUT', '/brs/kept/object/one', Buffer.from('content'))).status, 200)
  await copied(client)
  t.is((await client.post('/stream/later/st', { id: 7, _id: 'seven' })).status, 200)
  const upTo = load.acknowledged.length
  await until('events behind the copy', () => load.acknowledged.length > upTo + 200, 120_000)
  const acknowledged = [...load.acknowledged]
  await shipped(client)
  await until('two parts of the log behind the copy', () => behindCopy(place).length >= 2, 120_000)
  await service.end('SIGKILL')
  await load.stop()
  rmSync(folder, { recursive: true })

  const { stdout } = await restore(place, join(restored, 'all'))
  t.log(stdout)
  const again = await served(join(restored, 'all'))
  const ids = await idsIn(again.client, 'load.st')
  const distinct = new Set(ids)
  t.is(ids.length, distinct.size, 'events that are there twice')
  t.deepEqual(
    acknowledged.filter((id) => !distinct.has(id)),
    [],
  )
  t.deepEqual(await statisticsOf(again.client, 'load.st'), [ids.length, sumOf(ids)])
  t.deepEqual(await idsIn(again.client, 'later.st'), [7])
  t.is((await again.client.get('/brs/kept/object/one')).text, 'content')
  // The event's key is remembered.
  t.is((await again.client.post('/stream/later/st', { id: 7, _id: 'seven' })).status, 200)
  t.deepEqual(await idsIn(again.client, 'later.st'), [7])
  await again.close()

  await restore(place, join(restored, 'cut'), '--to', String(cut))
  const earlier = await served(join(restored, 'cut'))
  const those = new Set(await idsIn(earlier.client, 'load.st'))
  t.deepEqual(
    before.filter((id) => !those.has(id)),
    [],
  )
  t.true(those.size < acknowledged.length)
  t.is((await earlier.client.get('/stream/later/st/state')).status, 404)
  await earlier.close()

  // A part of the log that is damaged or missing is named, and so is a time until which a restore goes.
  const [segment = '', second = ''] = behindCopy(place).slice(-2)
  const bytes = readFileSync(join(place, segment))
  writeFileSync(join(place, segment), bytes.subarray(0, bytes.length - 9))
  const damaged = await t.throwsAsync(restore(place, join(restored, 'damaged')))
  t.like(damaged, { code: 3 })
  t.true(
    String(damaged?.message).includes(`${segment} is damaged`) && /--to \S+Z restores/.test(String(damaged?.message)),
  )
  rmSync(join(place, segment))
  const missing = await t.throwsAsync(restore(place, join(restored, 'missing')))
  t.like(missing, { code: 3 })
  t.regex(String(missing?.message), new RegExp(`${second.split('/').at(-1)} does not go on from there`))
  t.false(existsSync(join(restored, 'missing')))
  const early = await t.throwsAsync(restore(place, join(restored, 'early'), '--to', '2001-01-01'))
  t.regex(String(early?.message), /no copy of before 2001/)
})

test.serial(
  'where the place is away, events are taken all the same, and a new copy begins once it is back',
  async (t) => {
    t.timeout(300_000)
    const [folder, place] = [temporaryFolder(), join(temporaryFolder(), 'place')]
    // A file in the place of the folder: nothing can be written there.
    writeFileSync(place, '')
    const settings = { DATA_DIR: folder, BACKUP_TO: place, BACKUP_EVERY_S: '1', MAX_BACKUP_MB: '1' }
    const service = await spawnService(settings)
    const client = createClient(service.url)
    t.is((await client.post('/stream', later)).status, 200)
    t.is((await client.post('/stream/later/st', { id: 1 })).status, 200)
    await until('the place to be told', async () => (await shippedOf(client)).status === 'failing', 60_000)
    const ready = (await client.get('/health/ready')).body
    t.is(ready.parts.backup.status, 'failing')
    t.regex(ready.parts.backup.reason, /\S/)
    rmSync(place)
    mkdirSync(place)
    await copied(client)
    // It goes away for longer than what may wait.
    renameSync(place, `${place}-away`)
    writeFileSync(place, '')
    const many = Array.from({ length: 20_000 }, (_, id) => JSON.stringify({ id, pad: 'x'.repeat(60) })).join('\n')
    const ndjson = { 'content-type': 'application/x-ndjson' }
    t.is((await client.post('/stream/later/st', many, ndjson)).body.accepted, 20_000)
    t.true((await shippedOf(client)).waiting_bytes < 1024 * 1024)
    rmSync(place)
    renameSync(`${place}-away`, place)
    await copied(client)
    t.is((await client.post('/stream/later/st', { id: 2 })).status, 200)
    await shipped(client)
    await service.end('SIGKILL')
    const to = join(temporaryFolder(), 'data')
    await restore(place, to)
    const again = await served(to)
    t.is((await idsIn(again.client, 'later.st')).length, 20_002)
    await again.close()
  },
)

test.serial(
  'a client that takes a backup for a while delays a copy, which is no failure and follows at once',
  async (t) => {
    t.timeout(300_000)
    const [folder, place] = [temporaryFolder(), temporaryFolder()]
    const service = await spawnService({ DATA_DIR: folder, BACKUP_TO: place, BACKUP_EVERY_S: '1' })
    const client = createClient(service.url)
    t.is((await client.post('/stream', later)).status, 200)
    t.is((await client.post('/brs/bucket', { bucket_name: 'kept' })).status, 200)
    // More than sockets hold of an answer that is not read.
    t.is((await client.send('PUT', '/brs/kept/object/one', Buffer.alloc(24_000_000))).status, 200)
    await copied(client)
    let backup: Response | undefined
    await until('a backup begins, behind the copy that is under way', async () => {
      backup = await fetch(new URL('/backup', service.url), { method: 'POST' })
      return backup.status === 200
    })
    t.is((await client.post('/brs/bucket', { bucket_name: 'more' })).status, 200)
    await until('the first commits are shipped', async () => (await shippedOf(client)).shipped_until > 0)
    const before = await shippedOf(client)
    const statuses = new Set<string>()
    await until(
      'six intervals',
      async () => {
        const now = await shippedOf(client)
        statuses.add(now.status)
        return now.shipped_until > before.shipped_until + 6_000_000
      },
      60_000,
    )
    t.deepEqual([...statuses], ['up'])
    t.is((await shippedOf(client)).last_copy, before.last_copy)
    await backup?.body?.cancel()
    await copied(client)
    t.is((await shippedOf(client)).status, 'up')
    await service.end('SIGKILL')
  },
)

const binary = await ensureVersitygw()
const inS3 = binary === undefined ? test.skip : test.serial

inS3(
  'a bucket of an S3 server takes the log and the copies, stands still for a while, and gives them back',
  async (t) => {
    t.timeout(300_000)
    const server = await startS3Server(binary ?? '')
    t.teardown(server.stop)
    const settings = {
      S3_ENDPOINT: server.endpoint,
      S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    }
    const client3 = createS3Client({ endpoint: server.endpoint, prefix: '', ...s3Keys })
    await client3.send(new CreateBucketCommand({ Bucket: 'backups' }))
    const [folder, to, place] = [temporaryFolder(), join(temporaryFolder(), 'data'), 's3://backups/of/weir']
    const service = await spawnService({ ...settings, DATA_DIR: folder, BACKUP_TO: place, BACKUP_EVERY_S: '1' })
    const client = createClient(service.url)
    t.is((await client.post('/stream', later)).status, 200)
    await copied(client)
    t.is((await client.post('/stream/later/st', { id: 1 })).status, 200)
    await shipped(client)
    await server.pause()
    t.is((await client.post('/stream/later/st', { id: 2 })).status, 200)
    server.resume()
    await shipped(client)
    await service.end('SIGKILL')
    rmSync(folder, { recursive: true })
    await restoreWith(settings, place, to)
    const again = await served(to, settings)
    t.deepEqual((await idsIn(again.client, 'later.st')).sort(), [1, 2])
    await again.close()
    // Uploads that a kill cut off, of this service and of another one.
    const Bucket = 'backups'
    for (const Key of ['of/weir/one/copies/cut', 'of/weir/other/cut', 'one/cut'])
      await client3.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    const swept = createS3Place({ bucket: Bucket, prefix: 'of/weir', endpoint: server.endpoint, ...s3Keys })
    await swept.sweep('one/', (Date.now() - 3_600_000) * 1000)
    const left = async () => (await client3.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []
    t.is((await left()).length, 3)
    await swept.sweep('one/', (Date.now() + 3_600_000) * 1000)
    t.deepEqual((await left()).map(({ Key }) => Key).sort(), ['of/weir/other/cut', 'one/cut'])
    await swept.close()
    client3.destroy()
  },
)
