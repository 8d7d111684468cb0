import { Client, Connection, WorkflowFailedError } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import test from 'ava'
import { failureOf } from '../../../infra/orchestration/temporal-failures.ts'
import { sharedTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { writeHistory } from '../../workflows/histories.ts'
import { pointsCsv } from './data.ts'
import { createTrainer, requestOf, slow } from './trainer.ts'

/** One service for all tests of the file, and a client of its Temporal. */
let opened: ReturnType<typeof openAll> | undefined
const open = () => {
  opened ??= openAll()
  return opened
}
async function openAll() {
  const { address } = await sharedTemporal()
  const service = await startService({ TEMPORAL_ADDRESS: address, TEMPORAL_UI_URL: 'http://temporal.test/ui/' })
  const connection = await Connection.connect({ address })
  return { service, trainer: createTrainer(service.client), connection, workflow: new Client({ connection }).workflow }
}
test.after.always(async () => {
  const { service, connection } = (await opened) ?? {}
  await connection?.close()
  await service?.close()
})

withTemporal.serial('people find trainings in Temporal by schema, model and state', async (t) => {
  const { trainer, workflow } = await open()
  const found = async (query: string) => {
    try {
      return (await workflow.count(query)).count
    } catch {
      return 0 // The server has not taken the search attributes yet.
    }
  }

  // Until the server has taken them, trainings are not marked, and run all the same.
  await trainer.upload('marked', pointsCsv(40))
  await until(
    'a marked run',
    async () => {
      t.is(await trainer.train('marked', { algo_type: 'LIN' }), 25)
      return (await found('WeirSchema = "shop" AND WeirModel = "marked" AND WeirState = 25')) > 0
    },
    120_000,
  )
  await trainer.upload('unfit', 'a,b\n')
  t.is(await trainer.train('unfit', { algo_type: 'LIN' }), 12)
  await until('its state', async () => (await found('WeirModel = "unfit" AND WeirState = 12')) === 1, 30_000)

  if (process.env.UPDATE_HISTORIES !== '1') return
  for (const [name, id] of [
    ['training-marked-done', 'shop:marked'],
    ['training-marked-failed', 'shop:unfit'],
  ] as const) {
    writeHistory(name, historyToJSON(await workflow.getHandle(id).fetchHistory()))
  }
})

withTemporal.serial(
  'a training runs on Temporal, whose UI tells a stranger what happens; one cancelled there says so',
  async (t) => {
    const { service, trainer, workflow } = await open()
    await trainer.upload('m', pointsCsv(100))
    t.is(await trainer.train('m', { algo_type: 'LIN' }), 25)
    const done = workflow.getHandle('shop:m')
    await done.result()
    t.deepEqual((await service.client.get('/ml/shop/m/status')).body.workflow, {
      id: 'shop:m',
      namespace: 'default',
      link: 'http://temporal.test/ui/namespaces/default/workflows/shop%3Am',
    })
    const description = await done.describe()
    t.is(await description.staticSummary(), 'Train model m of shop: LIN on m__shop__data.csv')

    await trainer.upload('bad', 'a,b\n')
    t.is(await trainer.train('bad', { algo_type: 'LIN' }), 12)
    const failed = await t.throwsAsync(workflow.getHandle('shop:bad').result(), { instanceOf: WorkflowFailedError })
    t.regex(
      failed === undefined ? '' : failureOf(failed).message,
      /the first row is a header that names other columns: it has a, b; the attributes are a, b, /,
    )

    await trainer.upload('slow', pointsCsv(4000))
    await service.client.ok(service.client.post('/ml/train', requestOf('slow', slow)))
    await until('the fit', async () => (await trainer.statusOf('slow')).train_req_state === 23, 60_000)
    await workflow.getHandle('shop:slow').cancel()
    t.is(await trainer.ended('slow'), 19)

    await trainer.upload('ended', pointsCsv(4000))
    await service.client.ok(service.client.post('/ml/train', requestOf('ended', slow)))
    await until('the fit', async () => (await trainer.statusOf('ended')).train_req_state === 23, 60_000)
    await workflow.getHandle('shop:ended').terminate('room for others')
    t.is(await trainer.ended('ended'), 19)
    const { train_log } = await trainer.recordOf('ended')
    t.regex(train_log.log.at(-1), /training stopped: terminated in Temporal: room for others/)

    if (process.env.UPDATE_HISTORIES !== '1') return
    for (const [name, id] of [
      ['training-done', 'shop:m'],
      ['training-failed', 'shop:bad'],
      ['training-cancelled', 'shop:slow'],
    ] as const) {
      writeHistory(name, historyToJSON(await workflow.getHandle(id).fetchHistory()))
    }
  },
)
