import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { DeterminismViolationError } from '@temporalio/workflow'
import test from 'ava'
import { builtBundle } from '../support/built-bundle.ts'
import { historyNames, readHistory } from './histories.ts'

/**
 * Runs that were recorded on a real server (`UPDATE_HISTORIES=1 npx ava test/infra/orchestration/orchestrator.temporal.test.ts`
 * records them anew): a workflow that was under way when a new version starts has to go on with it.
 */
const logger = new DefaultLogger('ERROR', () => {})
Runtime.install({ logger })
const workflowsPath = fileURLToPath(new URL('../../workflows/temporal.ts', import.meta.url))
const workflowBundle =
  builtBundle === undefined ? await bundleWorkflowCode({ workflowsPath, logger }) : { codePath: builtBundle }

test('every way in which a run may go is among the recorded ones', (t) => {
  t.deepEqual(historyNames().toSorted(), [
    'algorithm-done',
    'prediction-done',
    'rebuild-begun-again',
    'rebuild-cancelled',
    'rebuild-done',
    'rebuild-failed',
    'schedule-ended',
    'stream-data-tried-again',
    'stream-data-written',
    'training-cancelled',
    'training-done',
    'training-failed',
    'training-marked-done',
    'training-marked-failed',
    'watch-ended',
  ])
})

for (const name of historyNames()) {
  test(`what was recorded as ${name} goes the same way today`, async (t) => {
    await t.notThrowsAsync(Worker.runReplayHistory({ workflowBundle }, readHistory(name)))
  })
}

test('a history that goes another way is noticed', async (t) => {
  const text = JSON.stringify(readHistory('rebuild-done')).replaceAll('swapAggregates', 'beginRebuild')
  await t.throwsAsync(Worker.runReplayHistory({ workflowBundle }, JSON.parse(text)), {
    instanceOf: DeterminismViolationError,
  })
})
