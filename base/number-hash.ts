import { createHash } from 'node:crypto'

/** A whole number below 2^53, the same for a text in all of time: the first bits of its SHA-256. */
export const numberHash = (text: string): number =>
  Number(createHash('sha256').update(text).digest().readBigUInt64BE() >> 11n)
