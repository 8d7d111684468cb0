import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import test, { type ExecutionContext } from 'ava'
import { createWorker } from '../../../activities/worker.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { createTemporal } from '../../../infra/orchestration/temporal.ts'
import { workflows } from '../../../workflows/index.ts'
import { builtBundle } from '../../support/built-bundle.ts'
import { sharedTemporal, startTestTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { until } from '../../support/until.ts'
import { writeHistory } from '../../workflows/histories.ts'
import { cases, type Orchestrated } from './cases.ts'
import { createLatch, createSteps } from './steps.ts'

const workflowsPath = fileURLToPath(new URL('../../../workflows/temporal.ts', import.meta.url))
/** The histories that `test/workflows/replay.test.ts` replays, by the ids of their workflows. */
const recorded: Readonly<Record<string, string>> = {
  'rebuild-done': 'rebuild:alone:s',
  'rebuild-begun-again': 'rebuild:edited:s',
  'rebuild-cancelled': 'rebuild:undone:s',
  'rebuild-failed': 'rebuild:final:s',
  'stream-data-written': 'stream-data:waited:m:f',
  'stream-data-tried-again': 'stream-data:again:m:f',
}
test.after('histories are recorded where that is asked for', async () => {
  if (process.env.UPDATE_HISTORIES !== '1') return
  const { address } = await sharedTemporal()
  const connection = await Connection.connect({ address })
  const { workflow } = new Client({ connection })
  for (const [name, id] of Object.entries(recorded)) {
    writeHistory(name, historyToJSON(await workflow.getHandle(id).fetchHistory()))
  }
  await connection.close()
})
let closeShared = async (): Promise<void> => {}
test.after.always('the shared client and worker are closed', () => closeShared())

type Opened = Orchestrated & { closeWorker(): Promise<void>; close(): Promise<void> }

function open(address: string): Opened {
  const steps = createSteps()
  const at = { address, namespace: 'default', tls: false }
  const worker = createWorker({
    ...at,
    activities: steps.steps,
    workflowsPath,
    bundlePath: builtBundle,
    logger: silentLogger(),
  })
  const orchestrator = createTemporal({ ...at, workflows, logger: silentLogger() })
  return {
    orchestrator,
    steps,
    closeWorker: worker.close,
    async close() {
      await worker.close()
      await orchestrator.close()
    },
  }
}

/** Closed before the server of its test is killed: a worker whose server is gone takes long to end. */
function openFor(t: ExecutionContext, address: string): Opened {
  const opened = open(address)
  t.teardown(opened.close)
  return opened
}

let shared: Promise<Orchestrated> | undefined
const orchestrated = (): Promise<Orchestrated> => {
  shared ??= sharedTemporal().then(({ address }) => {
    const opened = open(address)
    closeShared = opened.close
    return opened
  })
  return shared
}

for (const [title, run] of Object.entries(cases)) withTemporal(title, async (t) => run(t, await orchestrated()))

withTemporal('a run goes on after Temporal was away amid it', async (t) => {
  const temporal = await startTestTemporal(t)
  const { orchestrator, steps } = openFor(t, temporal.address)
  const latch = createLatch()
  const key = { schema: 'outlived', stream: 's' }
  steps.replace(key.schema, {
    async fillAggregate({ name }, signal) {
      if (name === 'a') await latch.wait(signal)
      return true
    },
  })
  await orchestrator.start('rebuildStream', key)
  await until('the first step', () => steps.ranFor(key.schema).includes('fill a'), 150_000)
  await temporal.kill()
  latch.release()
  const away = await t.throwsAsync(orchestrator.find('rebuildStream', key))
  t.like(away, { kind: 'unavailable' })
  t.like(await orchestrator.ask(), { status: 'down' })
  await temporal.restart()
  await until(
    'the end',
    async () => (await orchestrator.find('rebuildStream', key).catch(() => undefined))?.state === 'done',
    150_000,
  )
  t.is(steps.ranFor(key.schema).at(-1), 'swap')
  await until('it to be up', async () => (await orchestrator.ask()).status === 'up', 150_000)
})

withTemporal('a step whose worker is stopped is done by the next worker', async (t) => {
  const temporal = await startTestTemporal(t)
  const first = openFor(t, temporal.address)
  const key = { schema: 'handed', stream: 's' }
  first.steps.replace(key.schema, {
    async fillAggregate(_, signal) {
      await createLatch().wait(signal)
      return true
    },
  })
  await first.orchestrator.start('rebuildStream', key)
  await until('the first step', () => first.steps.ranFor(key.schema).includes('fill a'), 150_000)
  await first.closeWorker()
  const { orchestrator, steps } = openFor(t, temporal.address)
  await until('the end', async () => (await orchestrator.find('rebuildStream', key))?.state === 'done', 150_000)
  t.deepEqual(first.steps.ranFor(key.schema), ['begin', 'fill a'])
  t.deepEqual(steps.ranFor(key.schema), ['fill a', 'fill b', 'swap'])
})

withTemporal('where Temporal comes late, calls are refused until it is there', async (t) => {
  const temporal = await startTestTemporal(t)
  await temporal.stop()
  const { orchestrator } = openFor(t, temporal.address)
  const request = { schema: 'late', stream: 's', model: 'm', file: 'f', from_us: 0, lastSeq: 1 }
  const error = await t.throwsAsync(orchestrator.run('writeStreamData', request))
  t.like(error, { kind: 'unavailable' })
  await temporal.restart()
  const result = await until(
    'an answer',
    () => orchestrator.run('writeStreamData', request).catch(() => undefined),
    150_000,
  )
  t.deepEqual(result, { lines: 1, bytes: 2 })
})
