/** Trainings and predictions of files whose process stops, or is killed, while another one is on the same ClickHouse and S3. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { ensureVersitygw } from '../../../scripts/parts/versitygw.js'
import { s3Keys, startS3Server } from '../../infra/buckets/s3-server.ts'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, type ServiceProcess, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { pointsCsv } from '../models/data.ts'
import { createTrainer, requestOf, slow } from '../models/trainer.ts'

const binary = await ensureVersitygw()
const twice = binary === undefined ? test.skip : test.serial

async function startTwo(t: ExecutionContext): Promise<readonly [ServiceProcess, ServiceProcess]> {
  const folder = temporaryFolder()
  const [server, s3] = await Promise.all([
    startTestClickHouse({ folder: join(folder, 'server') }),
    startS3Server(binary ?? ''),
  ])
  t.teardown(async () => {
    killServices()
    await s3.stop()
    await server.kill()
  })
  const spawn = (name: string) =>
    spawnService({
      DATA_DIR: join(folder, name),
      CLICKHOUSE_URL: server.url,
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET_PREFIX: 'two-',
      S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    })
  return [await spawn('a'), await spawn('b')]
}

async function beginFit({ client }: ServiceProcess, model: string): Promise<void> {
  await client.ok(client.post('/ml/train', requestOf(model, slow)))
  const { recordOf } = createTrainer(client)
  await until(
    'the fit',
    async () => (await recordOf(model)).train_log.log.some((line: string) => line.startsWith('starting training')),
    90_000,
  )
}

twice('a training is stopped by either process, and taken over where its process stops or is killed', async (t) => {
  t.timeout(750_000)
  const [a, b] = await startTwo(t)
  const trainer = createTrainer(b.client)
  await trainer.upload('m', pointsCsv(5_000))
  await trainer.upload('long', pointsCsv(5_000))
  await beginFit(a, 'm')
  await b.client.ok(b.client.send('DELETE', '/ml/shop/m/request'))
  t.is((await trainer.statusOf('m')).train_req_state, 19)
  // The place of its run is free again within seconds.
  await until(
    'another training of the model',
    async () => (await b.client.post('/ml/train', requestOf('m', { algo_type: 'LIN' }))).status === 200,
    20_000,
  )
  t.is(await trainer.ended('m'), 25)

  await beginFit(a, 'long')
  t.log(await a.end('SIGTERM'))
  t.is(await trainer.ended('long'), 25)
  const { log } = (await trainer.recordOf('long')).train_log
  t.log(log)
  t.is(log.filter((line: string) => line.startsWith('retrieved')).length, 1, 'what was done is not done again')
  t.is((await b.client.ok(b.client.get('/ml/shop/long/versions'))).num_versions, 1)
})

twice(
  'a process that stood still amid a training, which another one completed meanwhile, leaves the model as it is',
  async (t) => {
    t.timeout(750_000)
    const [a, b] = await startTwo(t)
    const trainer = createTrainer(b.client)
    await trainer.upload('long', pointsCsv(5_000))
    await beginFit(a, 'long')
    a.child.kill('SIGSTOP')
    t.is(await trainer.ended('long'), 25)
    a.child.kill('SIGCONT')
    await until('the process to notice', () => /taken over by another|failed for good/.test(a.errors()))
    await sleep(3_000)
    const line = { 'schema-name': 'shop', model_name: 'long', data_type: 2, input_format: 'CSV', data: '0.9,0.9,a' }
    for (const { client } of [a, b]) {
      const { status, body } = await client.post('/ml/pred/2', line)
      t.is(status, 200, JSON.stringify(body))
    }
    t.is((await trainer.statusOf('long')).train_req_state, 25)
    t.is((await b.client.ok(b.client.get('/ml/shop/long/versions'))).num_versions, 1)
  },
)

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  twice(
    `a prediction of a file whose process gets ${signal} is taken over by another, and has each row once`,
    async (t) => {
      t.timeout(750_000)
      const [a, b] = await startTwo(t)
      const trainer = createTrainer(b.client)
      await trainer.upload('m', pointsCsv(200))
      t.is(await trainer.train('m', { algo_type: 'LIN' }), 25)
      const rows = 1_500_000
      const text = pointsCsv(rows, 2)
      await trainer.upload('m', text, 'new.csv')
      const asked = { 'schema-name': 'shop', model_name: 'm', data: 'new.csv', consider_target: 1 }
      await a.client.ok(a.client.post('/ml/pred/1', asked))
      t.is((await b.client.post('/ml/pred/1', asked)).status, 409, 'it is under way already')
      const status = () => b.client.ok(b.client.get('/ml/shop/m/new.csv/status'))
      t.log(
        await until(
          'some parts',
          async () => {
            const now = await status()
            return now.progress > 0 ? now : undefined
          },
          60_000,
        ),
      )
      t.log(await a.end(signal))
      const end = await until(
        'the end',
        async () => {
          const now = await status()
          return now.pred_req_state < 20 || now.pred_req_state === 25 ? now : undefined
        },
        120_000,
      )
      t.like(end, { pred_req_state: 25, num_rows: rows, num_failed: 0 })
      const lines = (await b.client.get('/brs/ml_bucket_info/object/m__shop__new.csv.predict')).text.split('\n')
      t.is(lines.length, text.split('\n').length)
    },
  )
