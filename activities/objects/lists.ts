import { Fault } from '../../base/faults.ts'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import { systemBuckets } from './buckets.ts'

const chunkLength = 64 * 1024

/** The keys that start with `prefix` as the JSON text of `POST /brs/object/list`, a chunk at a time. */
export async function* keyListText(objects: ObjectStore, bucket: string, prefix: string): AsyncGenerator<string> {
  let total = 0
  let text = '{"key_list":['
  for await (const { key } of objects.list(bucket, prefix)) {
    text += `${total++ === 0 ? '' : ','}{"key":${JSON.stringify(key)}}`
    if (text.length < chunkLength) continue
    yield text
    text = ''
  }
  yield `${text}],"total_keys":${total}}`
}

export type ObjectPage = {
  readonly key_list: readonly { readonly key: string; readonly size: number }[]
  readonly total_keys: number
  readonly more_data_to_come: 0 | 1
}

/** Up to `limit` objects with their bytes, by key, behind the key `after`. */
export async function objectPage(
  objects: Pick<ObjectStore, 'list'>,
  bucket: string,
  { prefix, after, limit }: { readonly prefix: string; readonly after: string | undefined; readonly limit: number },
): Promise<ObjectPage> {
  const found = []
  const behind = after === undefined ? undefined : Buffer.from(after)
  for await (const { key, size } of objects.list(bucket, prefix)) {
    if (behind !== undefined && Buffer.compare(Buffer.from(key), behind) <= 0) continue
    if (found.length === limit) return { key_list: found, total_keys: limit, more_data_to_come: 1 }
    found.push({ key, size })
  }
  return { key_list: found, total_keys: found.length, more_data_to_come: 0 }
}

/** Buckets with the number and the bytes of their objects. */
export async function describeBuckets({ objects }: { objects: ObjectStore }, buckets: readonly string[]) {
  const described = []
  for (const bucket of buckets) {
    const sums = await sumsOf(objects, bucket)
    if (sums) described.push({ bucket_name: bucket, issys: systemBuckets.includes(bucket) ? 1 : 0, ...sums })
  }
  return described
}

/** Undefined where the bucket was removed meanwhile. */
async function sumsOf(objects: ObjectStore, bucket: string) {
  let [keys, bytes] = [0, 0]
  try {
    for await (const { size } of objects.list(bucket)) {
      keys++
      bytes += size
    }
  } catch (error) {
    if (error instanceof Fault && error.kind === 'missing') return undefined
    throw error
  }
  return { num_keys: keys, total_size: bytes }
}
