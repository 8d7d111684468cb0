import test from 'ava'
import fc from 'fast-check'
import { keyOf, piecesOf } from '../../../infra/buckets/folder/file-names.ts'
import { isBucketName, problemOfKey } from '../../../infra/buckets/names.ts'
import { bucketOfS3, keyOfS3, s3BucketName, s3Key, s3RecordsName } from '../../../infra/buckets/s3/names.ts'
import '../../support/random/seed.ts'

const keys = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }),
    fc.string({ unit: fc.constantFrom('a', 'A', '.', '/', '%', '+', 'é'), minLength: 1, maxLength: 500 }),
  )
  .filter((key) => problemOfKey(key) === undefined)
const bucketNames = fc
  .string({ unit: fc.constantFrom('a', 'Z', 'x', 'u', '0', '_', '-'), maxLength: 20 })
  .filter(isBucketName)

test('a key is read back from its file name, whatever it is', (t) => {
  fc.assert(fc.property(keys, (key) => keyOf(piecesOf(key)) === key))
  t.pass()
})

test('a file name is one on every file system: short, no dot at the start, of small letters, digits and signs', (t) => {
  const isSafe = (piece: string) => /^[a-z0-9_%-][a-z0-9._%-]{0,201}\+?$/.test(piece)
  fc.assert(fc.property(keys, (key) => piecesOf(key).every(isSafe)))
  t.pass()
})

test('a file of one key is never a folder on the way to another', (t) => {
  const isFile = (piece: string, i: number, all: readonly string[]) => piece.endsWith('+') === i < all.length - 1
  fc.assert(fc.property(keys, (key) => piecesOf(key).every(isFile)))
  t.pass()
})

for (const [key, path] of [
  ['m__s__flights.csv', 'm__s__flights.csv'],
  ['Ab/c.csv', '%41b%2fc.csv'],
  ['.hidden', '%2ehidden'],
  ['é', '%c3%a9'],
  ['x'.repeat(200), 'x'.repeat(200)],
  [`${'x'.repeat(200)}.y`, `${'x'.repeat(200)}+/%2ey`],
] as const) {
  test(`the file of ${key.slice(0, 20)} (${key.length}) is ${path.slice(0, 20)} (${path.length})`, (t) => {
    t.is(piecesOf(key).join('/'), path)
  })
}

test('a bucket is read back from its name in S3, and every name is one that S3 takes', (t) => {
  fc.assert(
    fc.property(bucketNames, (bucket) => {
      const name = s3BucketName('weir-', bucket)
      return bucketOfS3('weir-', name) === bucket && /^[a-z0-9][a-z0-9-]*[a-z0-9]$/.test(name)
    }),
  )
  t.is(s3BucketName('weir-', 'ml_bucket_info'), 'weir-ml--bucket--info')
  t.is(s3BucketName('weir-', 'My-Data'), 'weir--my-0-data')
})

test('buckets of others in S3 are not ours', (t) => {
  for (const name of ['other-a', 'weir', 'weir-a-', 'weir-a.b', 'weir-a-1', 'weir-A']) {
    const bucket = bucketOfS3('weir-', name)
    t.false(bucket !== undefined && isBucketName(bucket), name)
  }
  t.false(isBucketName(bucketOfS3('weir-', s3RecordsName('weir-')) ?? ''))
})

test('a key is read back from what S3 keeps it under, which has no segment that a server of paths would drop', (t) => {
  const segment = fc.oneof(fc.constantFrom('', '.', '%-', '.%-', '%-%-'), fc.string())
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
      const key = segments.join('/')
      const kept = s3Key(key)
      return keyOfS3(kept) === key && kept.split('/').every((each) => each !== '' && each !== '.')
    }),
  )
  t.is(s3Key('a//b/./c'), 'a/%-/b/.%-/c')
})
