import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fault } from '../../base/faults.ts'
import type { DiskReserve } from '../../infra/buckets/disk-reserve.ts'
import { onDisk } from '../../infra/buckets/folder/faults.ts'
import type { Scratch } from '../../infra/buckets/scratch.ts'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import { createSessions } from './sessions.ts'
import {
  bytesOfSlice,
  checkIndex,
  decodeSlice,
  type Handshake,
  handshake,
  type Progress,
  sliceBytes,
  slicesIn,
} from './slices.ts'

export type PutSlicesDeps = {
  readonly objects: ObjectStore
  readonly scratch: Scratch
  /** Room that uploads leave on the disk of `scratch`. */
  readonly reserve?: DiskReserve
  readonly max?: number
  readonly idle_ms?: number
}

/**
 * Uploads in slices, in order. They are collected in a file of this process and put as one object with the last of
 * them, so nothing half-written is ever seen; a slice that is refused changes nothing, and the right one may follow.
 */
export function createPutSlices({ objects, scratch, reserve, max = 256, idle_ms = 600_000 }: PutSlicesDeps) {
  const sessions = createSessions<Upload>({ max, idle_ms, end: discard })

  async function begin({ bucket, key, size }: Target): Promise<Upload> {
    await reserve?.need(size)
    const path = scratch.path()
    return { bucket, key, size, path, file: await onDisk(() => open(path, 'wx')), next: 0, busy: false }
  }

  async function take(upload: Upload, index: number, base64: string): Promise<boolean> {
    checkOrder(upload, index)
    const bytes = decodeSlice(base64, index, bytesOfSlice(upload.size, index))
    upload.busy = true
    try {
      await reserve?.need(bytes.length)
      await onDisk(() => writeSlice(upload, index, bytes))
      const isLast = index + 1 === slicesIn(upload.size)
      if (isLast) await commit(upload)
      upload.next++
      return isLast
    } finally {
      upload.busy = false
    }
  }

  async function commit({ bucket, key, path }: Upload): Promise<void> {
    await objects.put(bucket, key, createReadStream(path, { highWaterMark: sliceBytes }))
  }

  return {
    /** `owner`: a key or an address, which has a share of the uploads that may be open. */
    async begin(target: Target, owner = ''): Promise<Handshake> {
      const { bucket, key, size } = target
      if (!Number.isSafeInteger(size) || size < 0)
        throw fault('invalid', `fsize must be a number of bytes, not ${size}`)
      await objects.stat(bucket, key) // A bad name or an absent bucket shows now, not after the last slice.
      if (size > 0) return handshake(size, await sessions.open(owner, () => begin(target)))
      await objects.put(bucket, key, Readable.from([]))
      return handshake(0, undefined)
    },
    /** The object is there when the answer has no key. */
    async slice(bucket: string, key: string, index: number, base64: string): Promise<Progress> {
      const isDone = await sessions.use(key, async (upload) => {
        if (upload.bucket !== bucket) throw fault('missing', `this upload does not go to bucket ${bucket}`)
        return take(upload, index, base64)
      })
      if (!isDone) return { key, next: index + 1 }
      await sessions.close(key)
      return { next: index + 1 }
    },
    /** Ends the uploads into a bucket that is gone: one of its name is another. */
    gone: (bucket: string): Promise<void> => sessions.closeWhere((upload) => upload.bucket === bucket),
    close: () => sessions.closeAll(),
  }
}

export type PutSlices = ReturnType<typeof createPutSlices>

export type Target = { readonly bucket: string; readonly key: string; readonly size: number }

/** An object that comes in slices: `file` holds those before slice `next`. */
export type Upload = Target & { readonly path: string; readonly file: FileHandle; next: number; busy: boolean }

/** Fault unless slice `index` is the one that is due. */
function checkOrder({ next, busy, size }: Upload, index: number): void {
  checkIndex(size, index)
  if (busy) throw fault('conflict', `slice ${next} is on its way: wait for its answer`)
  if (index < next) throw fault('conflict', `slice ${index} is there already: slice ${next} is due`)
  if (index > next) throw fault('conflict', `slice ${next} is due, before slice ${index}`)
}

async function writeSlice({ file }: Upload, index: number, bytes: Buffer): Promise<void> {
  const position = index * sliceBytes
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten
  }
}

async function discard({ file, path }: Upload): Promise<void> {
  await file.close()
  await rm(path, { force: true })
}
