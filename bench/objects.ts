/**
 * Put and get of one large object, each beside its floor: the same bytes written to a file and synced, or read from it.
 * Wanted: over 200 MB/s, with under 100 MB more memory. `node --import=tsx bench/objects.ts [MB]`
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openFolderStore } from '../infra/buckets/folder-store.ts'
import { createGetSlices } from '../infra/buckets/get-slices.ts'
import { createPutSlices } from '../infra/buckets/put-slices.ts'
import { openS3Store } from '../infra/buckets/s3-store.ts'
import { openScratch } from '../infra/buckets/scratch.ts'
import type { Store } from '../infra/buckets/store.ts'
import { ensureVersitygw } from '../scripts/versitygw.js'
import { s3Keys, startS3Server } from '../test/infra/buckets/s3-server.ts'

const size = Number(process.argv[2] ?? 1024) * 1024 * 1024
const chunk = Buffer.alloc(64 * 1024, 'some bytes, as they come from a socket: ')
const target = { bucket: 'b', key: 'big' }

function* chunks(): Generator<Buffer> {
  for (let sent = 0; sent < size; sent += chunk.length) yield Buffer.from(chunk)
}
const content = () => Readable.from(chunks(), { objectMode: false })

async function drain(stream: Readable | undefined): Promise<void> {
  let read = 0
  for await (const { length } of stream ?? []) read += length
  if (read !== size) throw new Error(`${read} bytes came back, not ${size}`)
}

/** Prints the rate, and how far resident memory rose above what it was before. */
async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  global.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 10)
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  clearInterval(sampler)
  const rate = `${(size / 1e6 / seconds).toFixed(0)} MB/s`.padStart(10)
  console.log(`${name.padEnd(34)}${rate}${`+${((peak - before) / 1e6).toFixed(0)} MB`.padStart(10)}`)
}

async function putInSlices(store: Store, folder: string): Promise<void> {
  const put = createPutSlices({ objects: store.objects, scratch: await openScratch(join(folder, 'slices')) })
  const { key = '', slices, sliceBytes } = await put.begin({ ...target, size })
  const slice = Buffer.alloc(sliceBytes, chunk).toString('base64')
  for (let i = 0; i < slices; i++) await put.slice('b', key, i, slice)
  await put.close()
}

async function getInSlices(store: Store): Promise<void> {
  const get = createGetSlices({ objects: store.objects })
  const { key = '', slices = 0 } = (await get.begin('b', 'big')) ?? {}
  for (let i = 0; i < slices; i++) await get.slice('b', key, i)
}

async function measureStore(name: string, store: Store, folder: string): Promise<void> {
  await store.buckets.create('b')
  await measure(`${name}: put`, () => store.objects.put('b', 'big', content()))
  await measure(`${name}: get`, async () => drain((await store.objects.get('b', 'big'))?.stream))
  await measure(`${name}: put in slices of 1 MiB`, () => putInSlices(store, folder))
  await measure(`${name}: get in slices of 1 MiB`, () => getInSlices(store))
  await store.close()
}

const folder = await mkdtemp(join(tmpdir(), 'weir-bench-'))
try {
  const file = join(folder, 'file')
  await measure('floor: write a file and sync it', () => pipeline(content(), createWriteStream(file, { flush: true })))
  await measure('floor: read a file', () => drain(createReadStream(file, { highWaterMark: 1024 * 1024 })))
  await measureStore('folder', await openFolderStore(join(folder, 'buckets')), folder)
  const binary = await ensureVersitygw()
  if (binary !== undefined) {
    const server = await startS3Server(binary)
    const settings = { endpoint: server.endpoint, prefix: 'weir-', ...s3Keys }
    await measureStore('S3 (versitygw)', await openS3Store(settings), folder)
    await server.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
