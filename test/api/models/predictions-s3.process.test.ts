import test from 'ava'
import { ensureVersitygw } from '../../../scripts/parts/versitygw.js'
import { s3Keys, startS3Server } from '../../infra/buckets/s3-server.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { pointsCsv } from './data.ts'
import { createTrainer } from './trainer.ts'

const binary = await ensureVersitygw()
const title = 'a file in an S3 store is predicted, part after part, and nothing of the parts stays'

if (binary === undefined) test.skip(`${title} (no versitygw here: see above)`, () => {})
else
  test(title, async (t) => {
    const server = await startS3Server(binary)
    t.teardown(server.stop)
    const service = await startService({
      S3_ENDPOINT: server.endpoint,
      S3_BUCKET_PREFIX: 'pred-',
      S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    })
    t.teardown(() => service.close())
    const { client } = service
    const trainer = createTrainer(client)
    await trainer.upload('m', pointsCsv(200))
    t.is(await trainer.train('m', { algo_type: 'LIN' }), 25)
    const text = pointsCsv(150_000, 2)
    await trainer.upload('m', text, 'new.csv')
    const asked = { 'schema-name': 'shop', model_name: 'm', data: 'new.csv', consider_target: 1 }
    await client.ok(client.post('/ml/pred/1', asked))
    const status = await until(
      'the end',
      async () => {
        const now = await client.ok(client.get('/ml/shop/m/new.csv/status'))
        return now.pred_req_state < 20 || now.pred_req_state === 25 ? now : undefined
      },
      60_000,
    )
    t.like(status, { pred_req_state: 25, num_rows: 150_000, num_failed: 0 })
    const lines = (await client.get('/brs/ml_bucket_info/object/m__shop__new.csv.predict')).text.split('\n')
    const truth = text.split('\n').map((line) => line.split(',')[3] ?? '')
    t.is(lines.length, truth.length)
    const same = lines.filter((line, i) => line === truth[i]).length
    t.true(Math.abs(status.user_pred_accuracy - (100 * (same - 1)) / 150_000) < 1e-9)
  })
