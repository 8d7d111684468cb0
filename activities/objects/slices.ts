import { fault } from '../../base/faults.ts'

/** The size of a slice, in bytes; only the last one of a transfer may be shorter. */
export const sliceBytes = 1024 * 1024

/** How a transfer begins. Slices are numbered from 0, each asked for by `key`; without a key there is none to come. */
export type Handshake = {
  readonly key?: string
  readonly slices: number
  readonly sliceBytes: number
  readonly size: number
  readonly next: number
}

/** Where a transfer stands after a slice: done when `key` is absent. */
export type Progress = { readonly key?: string; readonly next: number }

export const slicesIn = (size: number): number => Math.ceil(size / sliceBytes)

export const handshake = (size: number, key: string | undefined): Handshake => ({
  ...(key === undefined ? {} : { key }),
  slices: slicesIn(size),
  sliceBytes,
  size,
  next: 0,
})

/** Bytes of slice `index` of a file of `size` bytes. */
export const bytesOfSlice = (size: number, index: number): number => Math.min(sliceBytes, size - index * sliceBytes)

/** Fault `invalid` unless a file of `size` bytes has a slice `index`. */
export function checkIndex(size: number, index: number): void {
  const count = slicesIn(size)
  if (Number.isSafeInteger(index) && index >= 0 && index < count) return
  throw fault('invalid', `there is no slice ${index}: they are numbered 0 to ${count - 1}`)
}

/** The bytes of slice `index`: base64, line breaks allowed, exactly as many as are due; or a fault. */
export function decodeSlice(base64: string, index: number, due: number): Buffer {
  const text = base64.includes('\n') ? base64.replace(/\r?\n/g, '') : base64
  const bytes = Buffer.from(text, 'base64')
  // Buffer.from passes over characters that are no base64, so they are missing in the length.
  if (text.length !== Math.ceil(bytes.length / 3) * 4) throw fault('invalid', `slice ${index} is not base64`)
  if (bytes.length === due) return bytes
  throw fault('invalid', `slice ${index} must hold ${due} bytes and holds ${bytes.length}`)
}
