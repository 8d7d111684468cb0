import { CreateMultipartUploadCommand, ListObjectsV2Command, S3Client, UploadPartCommand } from '@aws-sdk/client-s3'
import test from 'ava'
import { endAbandonedUploads } from '../../../infra/buckets/s3/left-overs.ts'
import { openS3Store } from '../../../infra/buckets/s3/store.ts'
import { ensureVersitygw } from '../../../scripts/parts/versitygw.js'
import { type Harness, keysIn, openStore, streamOf, throwsFault } from './harness.ts'
import { s3Keys, startS3Server } from './s3-server.ts'
import { storeCases } from './store-cases.ts'

const binary = await ensureVersitygw()
const server = binary === undefined ? undefined : await startS3Server(binary)
test.after.always(() => server?.stop())

const withServer = server ? test : test.skip
const why = server ? '' : ' (no versitygw here: see above)'
const endpoint = server?.endpoint ?? ''
let places = 0
const newPlace = () => ({ s3: { endpoint, prefix: `weir${places++}-`, ...s3Keys } })
const harness: Harness = { newPlace, keysArePaths: true }
const rawClient = () => {
  const { accessKeyId, secretAccessKey } = s3Keys
  return new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  })
}

for (const { title, run } of storeCases) {
  withServer(`S3: ${title}${why}`, (t) => run(t, harness))
}

withServer(`other S3 tools find a bucket under its prefix, and an object under its own key${why}`, async (t) => {
  const store = await openS3Store({ endpoint, prefix: 'tools-', ...s3Keys })
  await store.buckets.create('ml_bucket_info')
  await store.objects.put('ml_bucket_info', 'm__s__flights 1.csv', streamOf('v'))
  const { Contents } = await rawClient().send(new ListObjectsV2Command({ Bucket: 'tools-ml--bucket--info' }))
  t.deepEqual(
    Contents?.map(({ Key }) => Key),
    ['m__s__flights 1.csv'],
  )
})

withServer(`an upload that a crash left unfinished is ended once it is old, and never listed${why}`, async (t) => {
  const place = { endpoint, prefix: 'crash-', ...s3Keys }
  const { buckets, objects } = await openS3Store(place)
  await buckets.create('b')
  const client = rawClient()
  for (const Key of ['k', 'l']) {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: 'crash-b', Key }))
    await client.send(new UploadPartCommand({ Bucket: 'crash-b', Key, UploadId, PartNumber: 1, Body: 'half' }))
  }
  t.deepEqual(await keysIn(objects, 'b'), [])
  await openS3Store(place)
  t.is(await endAbandonedUploads(client, 'crash-b'), 0)
  t.is(await endAbandonedUploads(client, 'crash-b', 0), 2)
  t.is(await endAbandonedUploads(client, 'crash-b', 0), 0)
})

withServer(`an upload that ended since it was listed is passed over${why}`, async (t) => {
  const { buckets } = await openS3Store({ endpoint, prefix: 'ended-', ...s3Keys })
  await buckets.create('b')
  const [client, other] = [rawClient(), rawClient()]
  for (const Key of ['k', 'l']) await client.send(new CreateMultipartUploadCommand({ Bucket: 'ended-b', Key }))
  let endedByOther = 0
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'AbortMultipartUploadCommand' && endedByOther === 0)
          endedByOther = await endAbandonedUploads(other, 'ended-b', 0, 'k')
        return next(args)
      },
    { step: 'initialize' },
  )
  t.is(await endAbandonedUploads(client, 'ended-b', 0), 1)
  t.is(endedByOther, 1)
})

withServer(`keys that the S3 server does not know are the store's fault, not the caller's${why}`, async (t) => {
  const wrong = { endpoint, prefix: 'w-', ...s3Keys, secretAccessKey: 'wrong' }
  await throwsFault(t, 'unavailable', () => openStore({ s3: wrong }), /the S3 server cannot be used/)
})

test('a server that is not there is a fault of its own', async (t) => {
  const nowhere = { endpoint: 'http://127.0.0.1:9', prefix: 'w-', ...s3Keys }
  await throwsFault(t, 'unavailable', () => openS3Store(nowhere), /ECONNREFUSED/)
})
