/** Keys of buckets that have some: typed by the reader, and forgotten with the page. */
import { signal } from '@preact/signals'

export type BucketKeys = { readonly accessKey: string; readonly secretKey: string }

const known = signal<ReadonlyMap<string, BucketKeys>>(new Map())

export function rememberKeys(bucket: string, keys: BucketKeys): void {
  known.value = new Map([...known.value, [bucket, keys]])
}

/** As headers, which every call on buckets takes. */
export function keyHeaders(bucket: string): Readonly<Record<string, string>> {
  const keys = known.value.get(bucket)
  return keys ? { 'x-access-key': keys.accessKey, 'x-secret-key': keys.secretKey } : {}
}

export const hasKeys = (bucket: string): boolean => known.value.has(bucket)
