import { Fault, type FaultKind, fault } from '../../../base/faults.ts'

/**
 * The kinds of S3's refusals that concern the caller, by S3's error code. The last two codes come from servers that
 * keep keys as paths.
 */
const kinds: Readonly<Record<string, FaultKind>> = {
  NoSuchBucket: 'missing',
  BucketAlreadyExists: 'conflict',
  BucketAlreadyOwnedByYou: 'conflict',
  BucketNotEmpty: 'conflict',
  InvalidBucketName: 'invalid',
  KeyTooLongError: 'invalid',
  InvalidRange: 'invalid',
  EntityTooLarge: 'too large',
  ExistingObjectIsDirectory: 'conflict',
  ObjectParentIsFile: 'conflict',
}

export const isS3Error = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name)

/**
 * Returns the result of `work`; a refusal by S3 becomes a fault about `what`, any other failure a fault `unavailable`.
 */
export async function onS3<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault) throw error
    const name = error instanceof Error ? error.name : ''
    const reason = error instanceof Error ? error.message : String(error)
    const kind = kinds[name]
    if (kind === undefined) {
      throw fault('unavailable', `the S3 server cannot be used for ${what}: ${name}: ${reason}`, { cause: error })
    }
    throw fault(kind, `${what}: ${reason}`, { cause: error })
  }
}
