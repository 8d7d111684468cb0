import { fault } from '../faults.ts'
import type { ByteRange } from './store.ts'

/** The last byte of the range in an object of `size` bytes; a fault `invalid` where the range has none of its bytes. */
export function lastByte({ offset, length }: ByteRange, size: number): number {
  if (Number.isSafeInteger(offset) && offset >= 0 && offset < size && length > 0)
    return Math.min(offset + length, size) - 1
  throw fault('invalid', `the object has ${size} bytes: there are no ${length} bytes from byte ${offset}`)
}
