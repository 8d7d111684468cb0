import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { ensureVersitygw } from '../../../scripts/parts/versitygw.js'
import { s3Keys, startS3Server } from '../../infra/buckets/s3-server.ts'
import { startService } from '../../support/service.ts'
import { bucketCases } from './bucket-cases.ts'
import { objectCases } from './object-cases.ts'
import { sliceCases } from './slice-cases.ts'

const binary = await ensureVersitygw()
const server = binary === undefined ? undefined : await startS3Server(binary)
const service =
  server &&
  (await startService({
    S3_ENDPOINT: server.endpoint,
    S3_BUCKET_PREFIX: 'http-',
    S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
  }))
test.after.always(async () => {
  await service?.close()
  await server?.stop()
})

for (const [i, { title, run }] of [...bucketCases, ...objectCases, ...sliceCases].entries()) {
  if (!service) test.skip(`S3: ${title} (no versitygw here: see above)`, () => {})
  else {
    test(`S3: ${title}`, async (t) => {
      const { client, folder } = service
      await client.ok(client.post('/brs/bucket', { bucket_name: `b${i}` }))
      await run(t, client, `b${i}`)
      t.false(readdirSync(folder).includes('buckets'), `${join(folder, 'buckets')} is not for this service`)
    })
  }
}
