/** Put and get of one large object, each beside its floor: the same bytes written to a file and synced, or read from it. */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openFolderStore } from '../../infra/buckets/folder/store.ts'
import { openS3Store } from '../../infra/buckets/s3/store.ts'
import type { Store } from '../../infra/buckets/store.ts'
import { ensureVersitygw } from '../../scripts/parts/versitygw.js'
import { s3Keys, startS3Server } from '../../test/infra/buckets/s3-server.ts'
import type { Loader } from '../load/load.ts'
import type { Figure } from '../report.ts'
import type { Size } from '../size.ts'
import { timed } from '../timed.ts'
import { getInSlices, putInSlices } from './slices.ts'

const chunk = Buffer.alloc(64 * 1024, 'some bytes, as they come from a socket: ')
const wanted = { rate: 200, memory: 100 }

function* chunks(bytes: number): Generator<Buffer> {
  for (let sent = 0; sent < bytes; sent += chunk.length) yield Buffer.from(chunk)
}
const content = (bytes: number) => Readable.from(chunks(bytes), { objectMode: false })

async function drain(bytes: number, stream: Readable | undefined): Promise<void> {
  let read = 0
  for await (const { length } of stream ?? []) read += length
  if (read !== bytes) throw new Error(`${read} bytes came back, not ${bytes}`)
}

/** Megabytes a second, and by how many resident memory rose above what it was before. */
type Transfer = { readonly rate: number; readonly memory: number }

async function measure(bytes: number, work: () => Promise<unknown>): Promise<Transfer> {
  const before = process.memoryUsage.rss()
  let peak = before
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 10)
  const took_ms = await timed(work)
  clearInterval(sampler)
  return { rate: bytes / 1e3 / took_ms, memory: (peak - before) / 1e6 }
}

const shown = ({ rate, memory }: Transfer): string => `${rate.toFixed(0)} MB/s, +${memory.toFixed(0)} MB`

async function measureStore(name: string, store: Store, bytes: number, folder: string, floors: Floors) {
  const figures: Figure[] = []
  const add = async (what: string, floor: Transfer, hasTarget: boolean, work: () => Promise<unknown>) => {
    const transfer = await measure(bytes, work)
    const isMet = transfer.rate > wanted.rate && transfer.memory < wanted.memory
    const row = { part: 'objects', what: `${name}: ${what}`, weir: shown(transfer), beside: `a file: ${shown(floor)}` }
    figures.push(hasTarget ? { ...row, target: '200 MB/s, +100 MB', isMet } : { ...row, target: '' })
  }
  await store.buckets.create('b')
  await add('put', floors.put, true, () => store.objects.put('b', 'big', content(bytes)))
  await add('get', floors.get, true, async () => drain(bytes, (await store.objects.get('b', 'big'))?.stream))
  await add('put in slices of 1 MiB', floors.put, false, () => putInSlices(store.objects, bytes, chunk, folder))
  await add('get in slices of 1 MiB', floors.get, false, () => getInSlices(store.objects))
  await store.close()
  return figures
}

type Floors = { readonly put: Transfer; readonly get: Transfer }

async function measureFile(path: string, bytes: number): Promise<Floors> {
  const put = await measure(bytes, () => pipeline(content(bytes), createWriteStream(path, { flush: true })))
  const get = await measure(bytes, () => drain(bytes, createReadStream(path, { highWaterMark: 1024 * 1024 })))
  return { put, get }
}

export async function objects(folder: string, _: Loader, { objectMegabytes }: Size): Promise<Figure[]> {
  const bytes = objectMegabytes * 1024 * 1024
  console.error(`objects of ${objectMegabytes} MB ...`)
  await mkdir(folder, { recursive: true })
  const floors = await measureFile(join(folder, 'file'), bytes)
  const inFolder = await openFolderStore(join(folder, 'buckets'))
  const figures = await measureStore('folder', inFolder, bytes, folder, floors)
  const binary = await ensureVersitygw()
  if (binary === undefined) return figures
  const server = await startS3Server(binary)
  try {
    const inS3 = await openS3Store({ endpoint: server.endpoint, prefix: 'weir-', ...s3Keys })
    return [...figures, ...(await measureStore('S3 (versitygw)', inS3, bytes, folder, floors))]
  } finally {
    await server.stop()
  }
}
