/** How a transfer in slices stands, as its answers tell it. */
import type { Handshake, Progress } from '../../activities/objects/slices.ts'
import { type Slice, sliceKey } from './slice-keys.ts'

export const handshake = ({ key, slices, sliceBytes, size, next }: Handshake) => ({
  ...(key !== undefined && { next_key: sliceKey(key, next, slices) }),
  nslice: slices,
  chunk_size: sliceBytes,
  file_size: size,
  next_id: next,
})

export type NextSlice = { readonly next_key?: string; readonly next_id: number }

export const progress = ({ slices }: Slice, { key, next }: Progress): NextSlice => ({
  ...(key !== undefined && { next_key: sliceKey(key, next, slices) }),
  next_id: next,
})
