import type { Readable } from 'node:stream'

/**
 * Where backups are shipped to: files under names with "/", each there as a whole or not at all. A name is written once.
 */
export type BackupPlace = {
  /** Makes a folder that is not there; a bucket has to be. */
  make(): Promise<void>
  put(name: string, content: Readable): Promise<{ readonly size: number }>
  /** Undefined where there is none of that name. */
  get(name: string): Promise<Readable | undefined>
  /** The names that begin so, in their order. */
  list(prefix: string): Promise<string[]>
  remove(name: string): Promise<void>
  /** Whether something is there below a folder; of a place that cannot be empty for want of a mounted disk it is true. */
  has(folder: string): Promise<boolean>
  /** Removes parts below a prefix of what a kill left half put, before a time in microseconds since 1970. */
  sweep(prefix: string, before_us: number): Promise<void>
  close(): Promise<void>
}

export type S3Access = { readonly endpoint: string; readonly accessKeyId: string; readonly secretAccessKey: string }
