import { createHash } from 'node:crypto'
import type { Database, RootDatabase } from 'lmdb'
import { type Codec, createEncode } from './encode.ts'

/**
 * How the state of rules lies in LMDB: trees of bytes.
 *
 * Records: space, key, and `seq` where the record is an item of a list -> time, value. A value that stands alone has two
 * ages before its time: by the first it lies in the other tree, the second is the true one. So a value that changes
 * often is moved there once it is the oldest, not with each change.
 * Ages: `seq`, kind, space, key -> nothing.
 * Journal: ordinal -> changes that are not in the records yet.
 */
const maxKeyBytes = 128
/** As many UTF-16 units are never more bytes than that. */
const surelyShort = 42

/**
 * The stored form of a key. A long key, or one that is not valid UTF-8, is stored as its SHA-512 with a mark, which is longer
 * than any key that is stored as it is: the two never collide.
 */
export function storedKey(key: string): string {
  const isShort = key.length <= surelyShort || Buffer.byteLength(key) <= maxKeyBytes
  return isShort && key.isWellFormed() ? key : `#${createHash('sha512').update(key, 'utf16le').digest('hex')}`
}

const spaceBytes = 4
const seqBytes = 8
/** The space, and the length of the key. */
const headBytes = spaceBytes + 1
const ageHeadBytes = seqBytes + 1

/** The place of a record. Values that stand alone have no `seq`. */
export type Place = { readonly space: number; readonly key: string; readonly seq: number | undefined }

export function recordKey({ space, key, seq }: Place): Buffer {
  const length = Buffer.byteLength(key)
  const bytes = Buffer.allocUnsafe(headBytes + length + (seq === undefined ? 0 : seqBytes))
  bytes.writeUInt32BE(space, 0)
  bytes[spaceBytes] = length
  bytes.write(key, headBytes)
  if (seq !== undefined) bytes.writeDoubleBE(seq, headBytes + length)
  return bytes
}

export function placeOf(record: Buffer): Place {
  const end = headBytes + (record[spaceBytes] ?? 0)
  return { space: record.readUInt32BE(0), key: record.toString('utf8', headBytes, end), seq: seqOf(record) }
}

/** `seq` of the record of an item. */
export function seqOf(record: Buffer): number | undefined {
  const end = headBytes + (record[spaceBytes] ?? 0)
  return record.length > end ? record.readDoubleBE(end) : undefined
}

/** `age` is that by which the record lies in the tree of ages. */
export function ageKey(record: Buffer, age: number): Buffer {
  const length = headBytes + (record[spaceBytes] ?? 0)
  const bytes = Buffer.allocUnsafe(ageHeadBytes + length)
  bytes.writeDoubleBE(age, 0)
  bytes[seqBytes] = record.length > length ? 1 : 0
  record.copy(bytes, ageHeadBytes, 0, length)
  return bytes
}

/** The record of an entry of the tree of ages. */
export function aged(entry: Buffer): Buffer {
  const head = entry.subarray(ageHeadBytes)
  return entry[seqBytes] === 1 ? Buffer.concat([head, entry.subarray(0, seqBytes)]) : head
}

const itemHeadBytes = 8
const valueHeadBytes = 24

/** `aged`: the age by which a value lies in the tree of ages; `age`: its own. Without a time `pk` is NaN. */
export type RecordHead = { readonly aged: number; readonly age: number; readonly pk: number }

export function encodeRecord(isItem: boolean, { aged, age, pk }: RecordHead, value: Buffer): Buffer {
  const head = isItem ? itemHeadBytes : valueHeadBytes
  const bytes = Buffer.allocUnsafe(head + value.length)
  if (!isItem) {
    bytes.writeDoubleBE(aged, 0)
    bytes.writeDoubleBE(age, 8)
  }
  bytes.writeDoubleBE(pk, head - 8)
  value.copy(bytes, head)
  return bytes
}

export function recordHead(seq: number | undefined, bytes: Buffer): RecordHead {
  return seq === undefined
    ? { aged: bytes.readDoubleBE(0), age: bytes.readDoubleBE(8), pk: bytes.readDoubleBE(16) }
    : { aged: seq, age: seq, pk: bytes.readDoubleBE(0) }
}

export const recordValue = (isItem: boolean, bytes: Buffer): Buffer =>
  bytes.subarray(isItem ? itemHeadBytes : valueHeadBytes)

/** Bytes that a record takes in both trees. */
export const sizeOf = (record: Buffer, isItem: boolean, value: { readonly length: number }): number =>
  2 * record.length + ageHeadBytes - (isItem ? seqBytes : 0) + value.length

type Range = { readonly start: Buffer; readonly end: Buffer }
const past = (start: Buffer): Range => ({ start, end: Buffer.concat([start, Buffer.alloc(seqBytes, 0xff)]) })

/** The items of a list, by `seq`. */
export function itemsOf(space: number, key: string): Range {
  const { start, end } = past(recordKey({ space, key, seq: undefined }))
  // The value that stands alone under the key is no item.
  return { start: Buffer.concat([start, Buffer.alloc(1)]), end }
}

export function recordsOf(space: number): Range {
  const start = Buffer.allocUnsafe(spaceBytes)
  start.writeUInt32BE(space, 0)
  const end = Buffer.allocUnsafe(spaceBytes)
  end.writeUInt32BE(space + 1, 0)
  return { start, end }
}

/** A space: its bytes on the disk, and how many events of it went past a bound. One that `isGone` is emptied in steps. */
export type KeptSpace = {
  readonly name: string
  readonly bytes: number
  readonly dropped: number
  readonly isGone?: true
}

export function openRuleTrees(root: RootDatabase) {
  const bytes = { encoding: 'binary', keyEncoding: 'binary' } as const
  // Lmdb's types leave `encoder` out, which its manual names.
  const packed = { name: 'rule spaces', encoder: { useRecords: false, useBigIntExtension: true } }
  const spaces: Database<KeptSpace, number> & { readonly encoder?: Codec } = root.openDB(packed)
  const { encoder: codec } = spaces
  if (!codec) throw new Error('lmdb has no MessagePack of its own any more')
  return {
    records: root.openDB<Buffer, Buffer>({ name: 'rules', ...bytes }),
    ages: root.openDB<Buffer, Buffer>({ name: 'rule ages', ...bytes }),
    journal: root.openDB<Buffer, Buffer>({ name: 'rule journal', ...bytes }),
    spaces,
    codec: { encode: createEncode(codec), decode: (bytes: Buffer): unknown => codec.decode(bytes) },
  }
}

export type RuleTrees = ReturnType<typeof openRuleTrees>
