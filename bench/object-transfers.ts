import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
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
import type { Loader } from './load.ts'
import type { Figure } from './report.ts'
import type { Size } from './size.ts'

const chunk = Buffer.alloc(64 * 1024, 'some bytes, as they come from a socket: ')
const target = { bucket: 'b', key: 'big' }

function* chunks(size: number): Generator<Buffer> {
  for (let sent = 0; sent < size; sent += chunk.length) yield Buffer.from(chunk)
}
const content = (size: number) => Readable.from(chunks(size), { objectMode: false })

async function drain(size: number, stream: Readable | undefined): Promise<void> {
  let read = 0
  for await (const { length } of stream ?? []) read += length
  if (read !== size) throw new Error(`${read} bytes came back, not ${size}`)
}
