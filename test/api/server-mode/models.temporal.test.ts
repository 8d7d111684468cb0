/** Models where API and worker are processes of their own: ClickHouse, S3 and Temporal between them. */
import { join } from 'node:path'
import test from 'ava'
import { ensureVersitygw } from '../../../scripts/parts/versitygw.js'
import { s3Keys, startS3Server } from '../../infra/buckets/s3-server.ts'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { sharedTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { killServices, spawnService } from '../../support/process.ts'
import type { Client } from '../../support/requests/client.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { pointsCsv } from '../models/data.ts'
import { createTrainer } from '../models/trainer.ts'

const binary = await ensureVersitygw()
const title = 'what one process is asked to train, the worker trains, and every process predicts by; a new version too'
const attr = ['a', 'b'].map((name) => ({ name, type: 'DOUBLE' }))
const attr_list = [...attr, { name: 'label', type: 'STRING' }].map((entry, position) => ({ ...entry, position }))
const guess = { name: 'guess', type: 'STRING', opnm: 'PRED', algo: 'LIN', model: 'm', iatr: ['a', 'b'] }
const stream = { name: 'visits', type: 1, swsz: 0, inpt: [], attr: [...attr, { name: 'label', type: 'STRING' }] }

if (binary === undefined) test.skip(`${title} (no versitygw here: see above)`, () => {})
else
  withTemporal(title, async (t) => {
    t.timeout(750_000)
    const folder = temporaryFolder()
    const [server, s3, temporal] = await Promise.all([
      startTestClickHouse({ folder: join(folder, 'server') }),
      startS3Server(binary),
      sharedTemporal(),
    ])
    t.teardown(async () => {
      killServices()
      await s3.stop()
      await server.kill()
    })
    const spawn = (name: string, ROLE: string) =>
      spawnService({
        DATA_DIR: join(folder, name),
        ROLE,
        CLICKHOUSE_URL: server.url,
        TEMPORAL_ADDRESS: temporal.address,
        S3_ENDPOINT: s3.endpoint,
        S3_BUCKET_PREFIX: 'models-',
        S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
      })
    const [{ client: a }, { client: b }] = await Promise.all([
      spawn('a', 'api'),
      spawn('b', 'api'),
      spawn('w', 'worker'),
    ])
    const trainer = createTrainer(a)
    const labelAt = async (client: Client) => {
      const line = { 'schema-name': 'shop', model_name: 'm', data_type: 2, input_format: 'CSV', data: '0.9,0.9' }
      return (await client.post('/ml/pred/2', line)).body.predict_labels
    }

    await a.register({ schema: 'shop', streams: [{ ...stream, catr: [guess] }] })
    const rows = pointsCsv(80)
      .trim()
      .split('\n')
      .map((text) => text.split(','))
    await a.lines(
      'shop.visits',
      rows.map(([x, y, , label]) => ({ a: Number(x), b: Number(y), label })),
    )
    const training_details = { training_source_type: 'STREAM', 'stream-name': 'visits', target_idx: 2 }
    const state = await trainer.train('m', { algo_type: 'LIN', more: { attr_list, training_details } })
    t.is(state, 25, (await trainer.recordOf('m')).train_log.log.join('\n'))
    for (const client of [a, b]) {
      await until('the model', async () => (await labelAt(client)) === 'red')
      await client.event('shop.visits', { a: 0.9, b: 0.9 })
    }
    // A query waits for what its own process has acknowledged: what the other took comes a little later.
    const guessed = "select count(*) from shop.visits where guess = 'red'"
    t.true((await b.count(guessed)) >= 1)
    await until('the event that the other process took', async () => (await b.count(guessed)) === 2)
    t.is(await b.count('select count(*) from shop.visits'), rows.length + 2)

    const turned = rows.map(([x, y, , label]) => `${x},${y},${label === 'red' ? 'blue' : 'red'}\n`).join('')
    await trainer.upload('m', turned)
    t.is(await trainer.train('m', { algo_type: 'LIN', details: { target_idx: 2 }, more: { attr_list } }), 25)
    for (const client of [a, b]) await until('the new version', async () => (await labelAt(client)) === 'blue')

    await trainer.upload('m', '0.9,0.9\n-0.9,-0.9\n', 'new.csv')
    await b.ok(b.post('/ml/pred/1', { 'schema-name': 'shop', model_name: 'm', data: 'new.csv' }))
    const status = () => a.ok(a.get('/ml/shop/m/new.csv/status'))
    await until('the file', async () => (await status()).pred_req_state === 25, 60_000)
    t.is((await a.get('/brs/ml_bucket_info/object/m__shop__new.csv.predict')).text, 'blue\nred\n')
  })
