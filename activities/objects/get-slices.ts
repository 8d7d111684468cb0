import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { Fault, fault } from '../../base/faults.ts'
import { createSeal } from '../../base/sealed-texts.ts'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import { bytesOfSlice, checkIndex, type Handshake, handshake, type Progress, sliceBytes, slicesIn } from './slices.ts'

const lifetime_ms = 24 * 3600 * 1000
const downloads = z.object({
  bucket: z.string(),
  key: z.string(),
  size: z.number(),
  version: z.string(),
  until_ms: z.number(),
})
type Download = z.infer<typeof downloads>
type Slice = { readonly isLast: boolean; readonly base64: string }

export type GetSlicesDeps = {
  readonly objects: ObjectStore
  /** The same in every process of the service. */
  readonly secret: string
  readonly now_ms?: () => number
}

/** Downloads in slices. All that there is to know of one is in its sealed key: any process goes on with it. */
export function createGetSlices({ objects, secret, now_ms = Date.now }: GetSlicesDeps) {
  const { seal, open } = createSeal(secret, 'base64url')

  function downloadOf(bucket: string, transferKey: string): Download {
    const text = open(transferKey)
    const download = text === undefined ? undefined : downloads.parse(JSON.parse(text))
    if (download?.bucket === bucket && download.until_ms > now_ms()) return download
    throw fault('missing', `there is no such download from bucket ${bucket}: it never began, or too long ago`)
  }

  async function read({ bucket, key, size, version }: Omit<Download, 'until_ms'>, index: number): Promise<Buffer> {
    const range = { offset: index * sliceBytes, length: bytesOfSlice(size, index) }
    // Where the object is shorter by now, its bytes are not there: `invalid` from the store.
    const object = await objects.get(bucket, key, range).catch((error: unknown) => {
      if (!(error instanceof Fault) || error.kind !== 'invalid') throw error
    })
    if (object?.version === version) return buffer(object.stream)
    object?.stream.destroy()
    throw fault('conflict', `object ${key} was replaced or removed meanwhile: begin again`)
  }

  return {
    /** Undefined where there is no such object. */
    async begin(bucket: string, key: string): Promise<Handshake | undefined> {
      const info = await objects.stat(bucket, key)
      if (!info) return undefined
      const download = { bucket, key, ...info, until_ms: now_ms() + lifetime_ms }
      return handshake(info.size, info.size === 0 ? undefined : seal(JSON.stringify(download)))
    },
    isTransfer: (transferKey: string): boolean => open(transferKey) !== undefined,
    /** Slice `index` of an object as it is now, in base64; undefined where there is no such object. */
    async sliceOf(bucket: string, key: string, index: number): Promise<Slice | undefined> {
      const info = await objects.stat(bucket, key)
      if (!info) return undefined
      checkIndex(info.size, index)
      const bytes = await read({ bucket, key, ...info }, index)
      return { isLast: index + 1 === slicesIn(info.size), base64: bytes.toString('base64') }
    },
    /** The slice in base64; all of them are of the object as it was when the download began. */
    async slice(bucket: string, transferKey: string, index: number): Promise<Progress & { base64: string }> {
      const download = downloadOf(bucket, transferKey)
      checkIndex(download.size, index)
      const bytes = await read(download, index)
      const isLast = index + 1 === slicesIn(download.size)
      return { ...(isLast ? {} : { key: transferKey }), next: index + 1, base64: bytes.toString('base64') }
    },
  }
}

export type GetSlices = ReturnType<typeof createGetSlices>
