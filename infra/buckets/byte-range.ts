import { fault } from '../../base/faults.ts'
import type { ByteRange } from './store.ts'

/** Fault `invalid` where no object has such a range. */
export function checkRange({ offset, length }: ByteRange): void {
  const isWhole = Number.isSafeInteger(length) || length === Infinity
  if (Number.isSafeInteger(offset) && offset >= 0 && isWhole && length > 0) return
  throw fault('invalid', `${length} bytes from byte ${offset} are no range`)
}

/** The range's last byte in an object of `size` bytes; fault `invalid` where it has none. */
export function lastByte({ offset, length }: ByteRange, size: number): number {
  checkRange({ offset, length })
  if (offset >= size) throw fault('invalid', `the object has ${size} bytes: none from byte ${offset} on`)
  return Math.min(offset + length, size) - 1
}
