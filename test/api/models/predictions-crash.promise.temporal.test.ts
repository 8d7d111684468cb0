import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { blockSize } from '../../../activities/prediction/cut-blocks.ts'
import { isUnderWay } from '../../../activities/prediction/files/states.ts'
import { startTestTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { spawnService } from '../../support/process.ts'
import { rounds } from '../../support/random/seed.ts'
import type { Client } from '../../support/requests/client.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { pointsCsv } from './data.ts'
import { createTrainer } from './trainer.ts'

/** In the gate the rows of as many parts are fewer and longer: about nine blocks in both modes. */
const [rows, zeros] = [rounds(400_000, 50_000), '0'.repeat(rounds(0, 80))]
const longer = (csv: string): string => (zeros === '' ? csv : csv.replaceAll(/(\.\d{4}),/g, `$1${zeros},`))
const request = (file: string) => ({
  'schema-name': 'shop',
  model_name: 'points',
  input_format: 'CSV',
  consider_target: 1,
  data: file,
})
const statusOf = (client: Client, file: string) => client.ok(client.get(`/ml/shop/points/${file}/status`))
const ended = (client: Client, file: string) =>
  until(
    `prediction of ${file}`,
    async () => {
      const status = await statusOf(client, file)
      return status.pred_req_state < 20 || status.pred_req_state === 25 ? status : undefined
    },
    120_000,
  )
const result = async (client: Client, file: string) =>
  (await client.get(`/brs/ml_bucket_info/object/points__shop__${file}.predict`)).text

/** The status of a prediction that has done more than `seen` rows, or has ended. Asks often: a part takes a moment only. */
async function moreRows(client: Client, file: string, seen: number) {
  for (;;) {
    const status = await statusOf(client, file)
    if (status.num_rows > seen || !isUnderWay(status.pred_req_state)) return status
    await sleep(2)
  }
}

/** Kills the service amid a prediction, twice; the result is the one of a prediction that nothing disturbed. */
async function killAndCompare(t: ExecutionContext, settings: Readonly<Record<string, string>>): Promise<void> {
  const all = { ...settings, DATA_DIR: temporaryFolder() }
  let service = await spawnService(all)
  t.teardown(() => service.end('SIGKILL'))
  const trainer = createTrainer(service.client)
  await trainer.upload('points', pointsCsv(500))
  t.is(await trainer.train('points', { algo_type: 'LIN' }), 25)
  const text = longer(pointsCsv(rows, 2))
  t.true(text.length > 3 * blockSize, 'rows are left behind the first part, which has two blocks')
  await trainer.upload('points', text, 'killed.csv')
  await trainer.upload('points', text, 'calm.csv')
  await service.client.ok(service.client.post('/ml/pred/1', request('killed.csv')))
  let seen = 0
  for (let kill = 0; kill < 2; kill++) {
    const status = await moreRows(service.client, 'killed.csv', seen)
    t.log(`killed in state ${status.pred_req_state} after ${status.num_rows} rows`)
    t.true(status.num_rows >= seen, 'what was done is not lost')
    if (kill === 0)
      t.true(isUnderWay(status.pred_req_state) && status.num_rows > 0 && status.num_rows < rows, 'killed amid its rows')
    seen = status.num_rows
    await service.end('SIGKILL')
    service = await spawnService(all)
  }
  const { client } = service
  const end = await ended(client, 'killed.csv')
  t.like(end, { pred_req_state: 25, progress: 1, num_rows: rows, num_failed: 0 })
  t.true(end.user_pred_accuracy > 95)
  const began = performance.now()
  await client.ok(client.post('/ml/pred/1', request('calm.csv')))
  t.is((await ended(client, 'calm.csv')).user_pred_accuracy, end.user_pred_accuracy)
  t.log(`${Math.round((1000 * rows) / (performance.now() - began))} rows/s`)
  const lines = await result(client, 'killed.csv')
  t.is(lines.split('\n').length, rows + 1)
  t.true(lines === (await result(client, 'calm.csv')))
  t.is((await service.end('SIGTERM')).code, 0)
}

test('a prediction of a file that kill -9 cuts off goes on at the next start behind what was done', (t) =>
  killAndCompare(t, {}))

withTemporal('on Temporal a prediction of a file goes on by the next worker', async (t) => {
  const { address } = await startTestTemporal(t)
  await killAndCompare(t, { TEMPORAL_ADDRESS: address })
})
