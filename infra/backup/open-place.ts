import type { BackupPlace, S3Access } from './place.ts'

type S3Config = Readonly<
  Partial<Record<'S3_ENDPOINT' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY', string | undefined>>
>

export function s3AccessOf({ S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: S3Config): S3Access | undefined {
  if (S3_ENDPOINT === undefined || S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined)
    return undefined
  return { endpoint: S3_ENDPOINT, accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
}

const s3Form = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/

/** The bucket and the prefix of `s3://bucket/prefix`; undefined where the text names a folder. */
export function s3PlaceOf(text: string): { readonly bucket: string; readonly prefix: string } | undefined {
  const [, bucket, prefix = ''] = s3Form.exec(text) ?? []
  return bucket === undefined ? undefined : { bucket, prefix: prefix.split('/').filter(Boolean).join('/') }
}

/** The place that a text names: a folder, or `s3://bucket/prefix`. */
export async function openBackupPlace(text: string, s3: S3Access | undefined): Promise<BackupPlace> {
  const inS3 = s3PlaceOf(text)
  if (!inS3) {
    const { createFolderPlace } = await import('./folder-place.ts')
    return createFolderPlace(text)
  }
  if (!s3)
    throw new Error(`${text} is in S3: S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY say how to reach it`)
  // The SDK takes 0.2 s to load.
  const { createS3Place } = await import('./s3-place.ts')
  return createS3Place({ ...inS3, ...s3 })
}
