import { createHash } from 'node:crypto'
import { type Finding, lost } from '../ledger.ts'
import { createCells } from './cells.ts'
import type { Load, LoadDeps } from './load.ts'

const keys = Array.from({ length: 10 }, (_, i) => `folder/o${i}`)

/** Bytes that tell which write they are of, from the first to the last. */
const bytesOf = (n: number, size: number): Buffer => Buffer.alloc(size, `object ${n};`)
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Objects of a bucket, replaced and deleted. A bucket in a folder belongs to one process. */
export function createObjects({ asker, generation }: LoadDeps): Load {
  const bucket = `bucket${generation}`
  const { cells, onFree } = createCells<string>(keys)
  let made = 0
  const pathOf = (key: string): string => `/brs/${bucket}/object/${key}`
  return {
    async open() {
      const body = { bucket_name: bucket }
      await asker.surely(0, { what: 'buckets', method: 'POST', path: '/brs/bucket', body, refusals: [409] })
    },
    act: (random) =>
      onFree(random, async (key, cell) => {
        if (random.chance(0.1)) {
          const body = bytesOf(++made, random.whole(1, 400_000))
          const headers = { 'content-length': `${body.length + random.whole(1, 1000)}` }
          const what = 'objects broken off'
          const patience_ms = random.whole(0, 500)
          return asker.broken(0, { what, method: 'PUT', path: pathOf(key), headers, body, patience_ms })
        }
        const isDeleted = random.chance(0.2)
        const body = bytesOf(++made, random.pick([1, random.whole(10, 5000), random.whole(5000, 400_000)]))
        const request = isDeleted ? { method: 'DELETE', refusals: [404] } : { method: 'PUT', body }
        const { isAnswered } = await asker.once(0, { what: 'objects', path: pathOf(key), ...request })
        const written = isDeleted ? undefined : digest(body)
        cell.possible = isAnswered ? [written] : [...cell.possible, written]
      }),
    async check() {
      const findings: Finding[] = []
      for (const [key, cell] of cells) {
        const response = await fetch(new URL(pathOf(key), asker.reader.url))
        const bytes = new Uint8Array(await response.arrayBuffer())
        const found =
          response.status === 404 ? undefined : response.status === 200 ? digest(bytes) : `${response.status}`
        if (cell.possible.includes(found)) cell.possible = [found]
        else
          findings.push(
            lost(`object ${key} of ${bucket}: ${response.status}, ${bytes.length} bytes of no write that may be there`),
          )
      }
      return findings
    },
  }
}
