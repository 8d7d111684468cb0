import type { Readable } from 'node:stream'

/**
 * Where training files and models live: buckets, and in each one flat set of keys. A key may look like a path and is
 * none: `a` and `a/b` are two objects. Names and keys are checked (`names.ts`); a bad one is a fault `invalid`, a bucket
 * that is not there `missing`, a store that cannot be reached or written `unavailable`.
 */
export type Store = {
  readonly buckets: BucketStore
  readonly objects: ObjectStore
  readonly records: BucketRecords
  close(): Promise<void>
}

export type BucketStore = {
  /** Fault `conflict` where it exists. */
  create(bucket: string): Promise<void>
  has(bucket: string): Promise<boolean>
  list(): Promise<string[]>
  /** Fault `conflict` while it holds objects. */
  remove(bucket: string): Promise<void>
  /** Keeps a bucket with its objects under an id, where no call reaches it. This and the next two are safe to repeat. */
  setAside(bucket: string, id: string): Promise<void>
  bringBack(id: string, bucket: string): Promise<void>
  removeAside(id: string): Promise<void>
}

/** `get` brings all of an object as it was at that moment, whatever is put or removed meanwhile. */
export type ObjectStore = {
  /**
   * Reads `content` to its end. The object appears, or takes the place of the one before, as a whole and durably before
   * the answer; where `content` or the store fails, nothing changes.
   */
  put(bucket: string, key: string, content: Readable): Promise<{ size: number }>
  /** The caller must read or destroy the stream. A range that begins at the end or past it is a fault `invalid`. */
  get(bucket: string, key: string, range?: ByteRange): Promise<StoredObject | undefined>
  stat(bucket: string, key: string): Promise<ObjectInfo | undefined>
  /** By key, in the order of their UTF-8 bytes. */
  list(bucket: string, prefix?: string): AsyncIterable<ObjectEntry>
  /** False where there was none. */
  remove(bucket: string, key: string): Promise<boolean>
}

/** Weir's notes about buckets, of ones that do not exist too. No bucket's name leads to their place. */
export type BucketRecords = {
  read(bucket: string): Promise<string | undefined>
  write(bucket: string, record: string): Promise<void>
  remove(bucket: string): Promise<void>
}

/** In bytes; `length` is cut at the object's end, and may be Infinity. */
export type ByteRange = { readonly offset: number; readonly length: number }

/** `size` is in bytes, of the whole object; `version` is another one after each put that changed it. */
export type ObjectInfo = { readonly size: number; readonly version: string }
export type StoredObject = ObjectInfo & { readonly stream: Readable }
export type ObjectEntry = { readonly key: string; readonly size: number }
