import { type FileHandle, rm } from 'node:fs/promises'
import { fault } from '../../base/faults.ts'
import { checkIndex, sliceBytes } from './slices.ts'

export type Target = { readonly bucket: string; readonly key: string; readonly size: number }

/** An object that comes in slices: what is there of it is in `file`, up to slice `next`. */
export type Upload = Target & { readonly path: string; readonly file: FileHandle; next: number; busy: boolean }

/** Fault unless slice `index` is the one that is due. */
export function checkOrder({ next, busy, size }: Upload, index: number): void {
  checkIndex(size, index)
  if (busy) throw fault('conflict', `slice ${next} is on its way: wait for its answer`)
  if (index < next) throw fault('conflict', `slice ${index} is there already: slice ${next} is due`)
  if (index > next) throw fault('conflict', `slice ${next} is due, before slice ${index}`)
}

export async function writeSlice({ file }: Upload, index: number, bytes: Buffer): Promise<void> {
  const position = index * sliceBytes
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten
  }
}

export async function discard({ file, path }: Upload): Promise<void> {
  await file.close()
  await rm(path, { force: true })
}
