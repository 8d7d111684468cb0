/** Confluent's wire format: a zero byte and the number of the schema in four before the message. */
import { Refusal } from '../../../base/refusal.ts'
import type { ByteCursor } from './byte-cursor.ts'

const head_bytes = 5

/** A message of this format; undefined for another one. No text of JSON begins with a zero byte. */
export function framed(bytes: Buffer): { readonly id: number; readonly message: Buffer } | undefined {
  if (bytes[0] !== 0 || bytes.length < head_bytes) return undefined
  return { id: bytes.readUInt32BE(1), message: bytes.subarray(head_bytes) }
}

/** No message nests deeper. */
const maxPlaces = 100

/** The places of a Protobuf message's type: its number among the types of the file, then of that type. */
export function messagePath(cursor: ByteCursor): readonly number[] {
  const count = Number(cursor.zigzag())
  if (count < 0 || count > maxPlaces) throw new Refusal(`the message names its type by ${count} places`)
  return count === 0 ? [0] : Array.from({ length: count }, () => Number(cursor.zigzag()))
}
