import { fault } from '../../base/faults.ts'
import type { ByteRange, ObjectInfo, ObjectStore, StoredObject } from '../../infra/buckets/store.ts'

const attempts = 5

export type ObjectRange = StoredObject & { readonly range?: ByteRange }

/** The part of an object that `choose` chooses by its description, both of one version; undefined without an object. */
export async function getRange(
  objects: Pick<ObjectStore, 'stat' | 'get'>,
  bucket: string,
  key: string,
  choose: (info: ObjectInfo) => ByteRange | undefined,
): Promise<ObjectRange | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const info = await objects.stat(bucket, key)
    if (!info) return undefined
    const range = choose(info)
    const object = await objects.get(bucket, key, range)
    if (object?.version === info.version) return { ...object, ...(range && { range }) }
    object?.stream.destroy()
  }
  throw fault('conflict', `object ${key} is replaced again and again: ask for all of it, or later`)
}
