/**
 * S3 allows `a-z 0-9 -` in a bucket's name, so after the prefix `_` is written `--`, `-` is written `-0` and `A` is
 * written `-a`: with the prefix `weir-`, `ml_bucket_info` is `weir-ml--bucket--info`.
 */
export const s3BucketName = (prefix: string, bucket: string): string =>
  prefix + bucket.replace(/[A-Z_-]/g, (letter) => `-${signs[letter] ?? letter.toLowerCase()}`)

/** The bucket that has this name in S3; undefined where no bucket of Weir has it. */
export function bucketOfS3(prefix: string, name: string): string | undefined {
  if (!name.startsWith(prefix)) return undefined
  const bucket = name.slice(prefix.length).replace(/-(.)/g, (_, sign: string) => letters[sign] ?? sign.toUpperCase())
  return s3BucketName(prefix, bucket) === name ? bucket : undefined
}

/**
 * Keys are their own in S3, but for segments that a server which keeps paths would drop: an empty one is written `%-`, `.` is
 * written `.%-`, and one that looks like these gets one `%-` more.
 */
export const s3Key = (key: string): string => key.split('/').map(s3Segment).join('/')

/** The last segment of a prefix may go on. */
export const s3Prefix = (prefix: string): string => {
  const segments = prefix.split('/')
  return [...segments.slice(0, -1).map(s3Segment), segments.at(-1)].join('/')
}

/** Weir's key for a key of S3; undefined where there is none, as for another tool's `folder/`. */
export function keyOfS3(kept: string): string | undefined {
  const key = kept
    .split('/')
    .map((segment) => (marked.test(segment) ? segment.slice(0, -mark.length) : segment))
    .join('/')
  return s3Key(key) === kept ? key : undefined
}

const mark = '%-'
const marked = /^\.?(%-)+$/
const s3Segment = (segment: string): string =>
  segment === '' || segment === '.' || marked.test(segment) ? segment + mark : segment

/**
 * The bucket of `Store.records`. A client's bucket of this name in S3 would have a name that begins with "-", and none
 * may.
 */
export const s3RecordsName = (prefix: string): string => `${prefix}-0records`

/** The bucket of a bucket that is set aside, which no client's can be either. */
export const s3AsideName = (prefix: string, id: string): string => `${prefix}-0kept-${id}`

const signs: Readonly<Record<string, string>> = { _: '-', '-': '0' }
const letters: Readonly<Record<string, string>> = { '-': '_', '0': '-' }
