/**
 * S3 allows `a-z 0-9 -` in a bucket's name, so after the prefix `_` is written `--`, `-` is written `-0` and `A` is
 * written `-a`: with the prefix `weir-`, `ml_bucket_info` is `weir-ml--bucket--info`.
 */
export const s3BucketName = (prefix: string, bucket: string): string =>
  prefix + bucket.replace(/[A-Z_-]/g, (letter) => `-${signs[letter] ?? letter.toLowerCase()}`)

/** The bucket that has this name in S3; undefined where none of ours has. */
export function bucketOfS3(prefix: string, name: string): string | undefined {
  if (!name.startsWith(prefix)) return undefined
  const bucket = name.slice(prefix.length).replace(/-(.)/g, (_, sign: string) => letters[sign] ?? sign.toUpperCase())
  return s3BucketName(prefix, bucket) === name ? bucket : undefined
}

/** The bucket of `Store.records`: as one of ours its name would begin with "-", which none does. */
export const s3RecordsName = (prefix: string): string => `${prefix}-0records`

const signs: Readonly<Record<string, string>> = { _: '-', '-': '0' }
const letters: Readonly<Record<string, string>> = { '-': '_', '0': '-' }
