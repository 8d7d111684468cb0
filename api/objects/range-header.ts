import { fault } from '../../base/faults.ts'
import type { ByteRange } from '../../infra/buckets/store.ts'

/**
 * The part that a Range header asks for of an object of `size` bytes (RFC 9110, 14.1.2). Undefined where all of it is
 * due: without a header, and where it names another unit, several parts, or none that makes sense. Fault `out of range`
 * where the object has no byte of it.
 */
export function readRange(header: string, size: number): ByteRange | undefined {
  const [, from, to] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const offset = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size : Math.min(Number(to) + 1, size)
  if (offset < end) return { offset, length: end - offset }
  throw fault('out of range', `the object has ${size} bytes: none of them is in ${header.slice(0, 60)}`, {
    headers: { 'Content-Range': `bytes */${size}` },
  })
}

export const contentRange = ({ offset, length }: ByteRange, size: number): string =>
  `bytes ${offset}-${offset + length - 1}/${size}`
