import { access } from 'node:fs/promises'
import { fault } from '../../../base/faults.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left',
  EDQUOT: 'the quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EIO: 'the disk fails',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => code === error.code)

export const missingBucket = (bucket: string) => fault('missing', `there is no bucket ${bucket}`)

export async function mustHaveFolder(folder: string, bucket: string): Promise<void> {
  try {
    await access(folder)
  } catch (error) {
    throw hasCode(error, 'ENOENT') ? missingBucket(bucket) : error
  }
}

/** Returns the result of `work`; a fault of the disk becomes a fault `unavailable`. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? reasons[String(error.code)] : undefined
    throw reason === undefined
      ? error
      : fault('unavailable', `the object store cannot be used: ${reason}`, { cause: error })
  }
}
