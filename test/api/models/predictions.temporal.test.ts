import { Client, Connection } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { sharedTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { writeHistory } from '../../workflows/histories.ts'
import { pointsCsv } from './data.ts'
import { createTrainer } from './trainer.ts'

withTemporal('a file is predicted on Temporal, whose UI says which one by which model', async (t) => {
  const { address } = await sharedTemporal()
  const service = await startService({ TEMPORAL_ADDRESS: address })
  t.teardown(() => service.close())
  const { client } = service
  const trainer = createTrainer(client)
  await trainer.upload('m', pointsCsv(100))
  t.is(await trainer.train('m', { algo_type: 'LIN' }), 25)

  const predict = async (file: string, text: string) => {
    await trainer.upload('m', text, file)
    const asked = { 'schema-name': 'shop', model_name: 'm', data: file, input_format: 'CSV' }
    await client.ok(client.post('/ml/pred/1', asked))
    return until(
      file,
      async () => {
        const status = await client.ok(client.get(`/ml/shop/m/${file}/status`))
        return status.pred_req_state < 20 || status.pred_req_state === 25 ? status : undefined
      },
      60_000,
    )
  }
  t.like(await predict('good.csv', '1,1,warm\n-1,-1,cold\nx,1,warm\n'), {
    pred_req_state: 25,
    num_rows: 3,
    num_failed: 1,
  })
  t.is((await client.get('/brs/ml_bucket_info/object/m__shop__good.csv.predict')).text, 'red\nblue\n\n')

  const connection = await Connection.connect({ address })
  t.teardown(() => connection.close())
  const { workflow } = new Client({ connection })
  const handle = workflow.getHandle('predict:shop:m:good.csv')
  await handle.result()
  t.is(await (await handle.describe()).staticSummary(), 'Predict good.csv by model m of shop')
  if (process.env.UPDATE_HISTORIES === '1') writeHistory('prediction-done', historyToJSON(await handle.fetchHistory()))
})
