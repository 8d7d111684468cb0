import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ExecutionContext } from 'ava'
import { Fault, type FaultKind } from '../../../base/faults.ts'
import { openFolderStore } from '../../../infra/buckets/folder/store.ts'
import type { S3Settings } from '../../../infra/buckets/s3/client.ts'
import { openS3Store } from '../../../infra/buckets/s3/store.ts'
import type { ObjectStore, Store } from '../../../infra/buckets/store.ts'

/** Where a store is, as plain data, so that another process can open it. */
export type Place = { readonly folder: string } | { readonly s3: S3Settings }

export const openStore = (place: Place): Promise<Store> =>
  'folder' in place ? openFolderStore(place.folder) : openS3Store(place.s3)

export type Harness = {
  /** An empty place that no other test uses. */
  readonly newPlace: () => Place
  /** The server keeps a key as a path: a key is in the way of keys below it, and no segment has over 255 bytes. */
  readonly keysArePaths: boolean
}

/** One case, for every kind of store. */
export type Case = { readonly title: string; run(t: ExecutionContext, harness: Harness): Promise<void> }

export function temporaryFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-buckets-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A store in a place of its own, with bucket `b`. */
export async function storeWithBucket(t: ExecutionContext, harness: Harness): Promise<Store> {
  const store = await openStore(harness.newPlace())
  t.teardown(() => store.close())
  await store.buckets.create('b')
  return store
}

export const streamOf = (content: string | Buffer): Readable => Readable.from([Buffer.from(content)])

export async function bytesOf(objects: ObjectStore, bucket: string, key: string): Promise<Buffer | undefined> {
  const object = await objects.get(bucket, key)
  return object && (await buffer(object.stream))
}

export async function textOf(objects: ObjectStore, bucket: string, key: string): Promise<string | undefined> {
  return (await bytesOf(objects, bucket, key))?.toString()
}

export async function keysIn(objects: ObjectStore, bucket: string, prefix?: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of objects.list(bucket, prefix)) keys.push(key)
  return keys
}

export async function throwsFault(
  t: ExecutionContext,
  kind: FaultKind,
  work: () => Promise<unknown>,
  message?: RegExp,
) {
  const error = await t.throwsAsync(work, { instanceOf: Fault, ...(message ? { message } : {}) })
  t.is(error?.kind, kind, error?.message)
}

export const randomContent = (bytes: number): Buffer => randomBytes(bytes)
