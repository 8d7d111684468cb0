import { fault } from '../../base/faults.ts'

/** `<key of the transfer>:<number of the slice>:<how many there are>`; the transfer's own key holds no colon. */
export const sliceKey = (transfer: string, index: number, slices: number): string => `${transfer}:${index}:${slices}`

export type Slice = { readonly transfer: string; readonly index: number; readonly slices: number }

/**
 * The slice that a request is about. `nslice` is its number; or, as older clients write it, how many slices there are,
 * and then the number is the one in the key.
 */
export function readSlice(key: string, nslice: string | undefined): Slice {
  const [, transfer = key, index = '0', slices = '0'] = /^(.*):(\d{1,10}):(\d{1,10})$/s.exec(key) ?? []
  if (nslice !== undefined && !/^\d{1,10}$/.test(nslice)) {
    throw fault('invalid', 'nslice: must be the number of a slice, or how many there are')
  }
  const given = nslice === undefined || Number(nslice) === Number(slices) ? index : nslice
  return { transfer, index: Number(given), slices: Number(slices) }
}

export type CountedSlice = { readonly key: string; readonly index: number }

/** `<object key>:<number of the slice>`. */
export function countedSlice(text: string): CountedSlice | undefined {
  const [, key, index] = /^(.+):(\d{1,10})$/s.exec(text) ?? []
  return key === undefined ? undefined : { key, index: Number(index) }
}
