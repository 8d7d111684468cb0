/** Put and get of one large object, each in turn with its floor: the same bytes written to a file and synced, or read from it. */
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
import { median } from '../quantile.ts'
import { type Figure, megabytes, spread, whole } from '../report.ts'
import type { Size } from '../size.ts'
import { timed } from '../timed.ts'
import { inTurnAtOnce } from '../turns.ts'
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

/** Megabytes a second, and the rise of resident memory, in megabytes. */
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

const rounds = 3

/** A way of putting and getting the same bytes. */
type Way = { readonly put: () => Promise<unknown>; readonly get: () => Promise<unknown> }

async function openWay(store: Store, bytes: number): Promise<Way> {
  await store.buckets.create('b')
  return {
    put: () => store.objects.put('b', 'big', content(bytes)),
    get: async () => drain(bytes, (await store.objects.get('b', 'big'))?.stream),
  }
}

/** The same object of a store that is open. */
const inSlices = ({ objects }: Store, bytes: number, folder: string): Way => ({
  put: () => putInSlices(objects, bytes, chunk, folder),
  get: () => getInSlices(objects),
})

const file = (path: string, bytes: number): Way => ({
  put: () => pipeline(content(bytes), createWriteStream(path, { flush: true })),
  get: () => drain(bytes, createReadStream(path, { highWaterMark: 1024 * 1024 })),
})

/** The time that each way took to put and to get, in rounds in turn with a plain file. */
async function inRounds(bytes: number, ways: Readonly<Record<string, Way>>) {
  const transfer =
    ({ put, get }: Way) =>
    async () => ({ put: await measure(bytes, put), get: await measure(bytes, get) })
  return inTurnAtOnce(rounds, Object.fromEntries(Object.entries(ways).map(([name, way]) => [name, transfer(way)])))
}

const shown = (transfers: readonly Transfer[]): string => {
  const rates = transfers.map(({ rate }) => rate)
  return `${spread(rates, whole)} MB/s, +${megabytes(Math.max(...transfers.map(({ memory }) => memory)))}`
}

export async function objects(folder: string, _: Loader, { objectMegabytes }: Size): Promise<Figure[]> {
  const bytes = objectMegabytes * 1024 * 1024
  console.error(`objects of ${objectMegabytes} MB, in turn with a plain file ...`)
  await mkdir(folder, { recursive: true })
  const inFolder = await openFolderStore(join(folder, 'buckets'))
  const binary = await ensureVersitygw()
  const server = binary === undefined ? undefined : await startS3Server(binary)
  const inS3 = server && (await openS3Store({ endpoint: server.endpoint, prefix: 'weir-', ...s3Keys }))
  try {
    const found = await inRounds(bytes, {
      file: file(join(folder, 'file'), bytes),
      folder: await openWay(inFolder, bytes),
      'folder, in slices of 1 MiB': inSlices(inFolder, bytes, join(folder, 'scratch')),
      ...(inS3 && { 'S3 (versitygw)': await openWay(inS3, bytes) }),
    })
    const { file: floor = [], ...stores } = found
    return Object.entries(stores).flatMap(([name, transfers]) =>
      (['put', 'get'] as const).map((what) => {
        const [own, bare] = [transfers.map((each) => each[what]), floor.map((each) => each[what])]
        const isMet =
          median(own.map(({ rate }) => rate)) > wanted.rate &&
          Math.max(...own.map(({ memory }) => memory)) < wanted.memory
        const row = { part: 'objects', what: `${name}: ${what}`, weir: shown(own), beside: `a file: ${shown(bare)}` }
        return name.includes('slices') ? { ...row, target: '' } : { ...row, target: '200 MB/s, +100 MB', isMet }
      }),
    )
  } finally {
    await inFolder.close()
    await inS3?.close()
    await server?.stop()
  }
}
