import { fault } from '../../base/faults.ts'

const maxKeyBytes = 1024

/** A bucket's name, or a fault. It begins and ends as an S3 name must (`s3-names.ts` writes the rest in S3's letters). */
export function bucketName(name: string): string {
  if (isBucketName(name)) return name
  throw fault(
    'invalid',
    `${quoted(name)} cannot name a bucket: 1 to 63 ASCII letters, digits, "_" and "-", a letter or digit at both ends`,
  )
}

export const isBucketName = (name: string): boolean => /^[A-Za-z0-9]([A-Za-z0-9_-]{0,61}[A-Za-z0-9])?$/.test(name)

/** An object's key, or a fault. */
export function objectKey(key: string): string {
  const problem = problemOfKey(key)
  if (problem === undefined) return key
  throw fault('invalid', `${quoted(key)} cannot be an object's key: ${problem}`)
}

export function problemOfKey(key: string): string | undefined {
  if (key === '') return 'it is empty'
  if (!key.isWellFormed()) return 'it is not Unicode text'
  if (Buffer.byteLength(key) > maxKeyBytes) return `it is longer than ${maxKeyBytes} bytes`
  if (key.includes('\0')) return 'it holds a NUL'
  if (key.split('/').includes('..')) return 'it has a segment ".."'
  return undefined
}

/** A name or a key for messages, cut to 80 characters. */
export const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text)
