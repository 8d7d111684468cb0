import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import test from 'ava'
import { chunksOf, contentOf } from '../../infra/buckets/crash-content.ts'
import { type ServiceProcess, spawnService } from '../../support/process.ts'
import { plainRequest } from '../../support/requests/plain-request.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { keysIn } from './bucket-cases.ts'

const megabyte = 1_000_000
const bucket = 'ml_bucket_info'
const pathOf = (key: string) => `/brs/${bucket}/object/${key}`
const streamOf = (key: string, length: number) => Readable.from(chunksOf(key, length), { objectMode: false })
const filesOf = (folder: string) => ['buckets/.scratch', 'uploads'].flatMap((name) => readdirSync(join(folder, name)))

/** Puts object after object until the service is gone; every one that is acknowledged, with its size, goes to `acknowledged`. */
async function write({ url }: ServiceProcess, name: string, length: number, acknowledged: Map<string, number>) {
  for (let i = 0; ; i++) {
    const key = `${name}-${i % 8}`
    const put = await plainRequest(url, pathOf(key), { method: 'PUT', body: streamOf(key, length + i) }).catch(() => {})
    if (put?.status !== 200) return
    acknowledged.set(key, length + i)
  }
}

/** Begins to put an object of 50 MB, and sends half of it. */
async function putHalf({ url }: ServiceProcess, key: string, folder: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const headers = { 'content-length': String(50 * megabyte) }
  const sent = request({ hostname, port, method: 'PUT', path: pathOf(key), headers, agent: false })
  sent.on('error', () => {})
  sent.write(Buffer.alloc(25 * megabyte))
  await until('it is under way', () => filesOf(folder).length > 0)
}

test('kill -9 amid puts leaves every acknowledged object whole, and no half one', async (t) => {
  const folder = temporaryFolder()
  const acknowledged = new Map<string, number>()
  for (const pause_ms of [300, 700]) {
    const service = await spawnService({ DATA_DIR: folder })
    t.deepEqual(filesOf(folder), [], 'what was under way is cleared away')
    await putHalf(service, 'half', folder)
    const { client } = service
    const { next_key } = await client.ok(client.post(`/brs/${bucket}/putfile`, { key: 'sliced', fsize: 2 ** 21 }))
    const slice = Buffer.alloc(2 ** 20).toString('base64')
    await client.ok(client.post(`/brs/${bucket}/putfile?key=${next_key}&nslice=0`, slice))
    const writing = [
      write(service, 'short', 1_000, acknowledged),
      write(service, 'medium', 2 * megabyte, acknowledged),
      write(service, 'long', 20 * megabyte, acknowledged),
    ]
    await new Promise((resolve) => setTimeout(resolve, pause_ms))
    await until('an object is acknowledged', () => acknowledged.size > 0, 60_000)
    await service.end('SIGKILL')
    await Promise.all(writing)
  }
  const service = await spawnService({ DATA_DIR: folder })
  t.teardown(() => service.end('SIGKILL'))
  const keys = await keysIn(service.client, bucket)
  t.true(acknowledged.size > 0)
  for (const [key, size] of acknowledged) {
    const { bytes } = await plainRequest(service.url, pathOf(key))
    // A put after the last acknowledged one may have come through, and then stands in its place.
    t.true(bytes.length >= size && bytes.equals(contentOf(key, bytes.length)), `${key}: ${size}, ${bytes.length}`)
  }
  for (const key of keys) t.regex(key, /^(short|medium|long)-\d$/)
  t.deepEqual(filesOf(folder), [])
})

test('SIGTERM amid a put ends in time, and nothing of it is there afterwards', async (t) => {
  const folder = temporaryFolder()
  const first = await spawnService({ DATA_DIR: folder })
  await putHalf(first, 'half', folder)
  const { code, took_ms } = await first.end('SIGTERM')
  t.is(code, 0)
  t.true(took_ms < 9_000)
  t.notRegex(first.errors(), /"level":[56]0/)
  const second = await spawnService({ DATA_DIR: folder })
  t.teardown(() => second.end('SIGKILL'))
  t.deepEqual(await keysIn(second.client, bucket), [])
  t.deepEqual(filesOf(folder), [])
})

const isLinux = existsSync('/proc/self/clear_refs')
const onLinux = isLinux ? test : test.skip

onLinux('an object of 200 MB goes in and out in memory that stays flat', async (t) => {
  const service = await spawnService({ DATA_DIR: temporaryFolder() })
  t.teardown(() => service.end('SIGKILL'))
  const statusOf = (member: string) => {
    const text = readFileSync(`/proc/${service.child.pid}/status`, 'utf8')
    return Number(new RegExp(`^${member}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024
  }
  const roundTrip = async (length: number) => {
    const put = await plainRequest(service.url, pathOf('k'), { method: 'PUT', body: streamOf('k', length) })
    t.is(put.status, 200)
    const hash = createHash('sha256')
    const got = await fetch(new URL(pathOf('k'), service.url))
    await pipeline(got.body ?? [], async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) hash.update(chunk)
    })
    const expected = createHash('sha256')
    for (const chunk of chunksOf('k', length)) expected.update(chunk)
    t.is(hash.digest('hex'), expected.digest('hex'))
  }
  await roundTrip(16 * megabyte)
  const before = statusOf('VmRSS')
  writeFileSync(`/proc/${service.child.pid}/clear_refs`, '5') // The peak counts from here.
  await roundTrip(200 * megabyte)
  const more_mb = Math.round((statusOf('VmHWM') - before) / megabyte)
  t.log(`${more_mb} MB more at the peak`)
  t.true(more_mb < 100, `${more_mb} MB more`)
})

test('a client who breaks off is nothing to be alarmed at', async (t) => {
  const folder = temporaryFolder()
  const service = await spawnService({ DATA_DIR: folder, LOG_LEVEL: 'info', CLICKHOUSE_HTTP_PORT: '0' })
  t.teardown(() => service.end('SIGKILL'))
  const body = Readable.from(
    (async function* () {
      yield Buffer.alloc(3 * megabyte)
      await until('it is under way', () => filesOf(folder).length > 0)
      throw new Error('the client goes away')
    })(),
    { objectMode: false },
  )
  await t.throwsAsync(plainRequest(service.url, pathOf('k'), { method: 'PUT', body }))
  await until('nothing is left', () => filesOf(folder).length === 0)
  t.deepEqual(await keysIn(service.client, bucket), [])
  t.notRegex(service.errors(), /"level":[456]0/)
})
