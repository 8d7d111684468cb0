import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import type { TrainingDeps } from '../../../../activities/training/deps.ts'
import { writePrepared } from '../../../../activities/training/fit/prepared.ts'
import { tuneWithHelp } from '../../../../activities/training/fit/tune-with-help.ts'
import type { StepContext } from '../../../../activities/training/step.ts'
import { createMemoryBudget } from '../../../../activities/training/threads/memory-budget.ts'
import { openTrainingThreads } from '../../../../activities/training/threads/open-training-threads.ts'
import { algorithmOf } from '../../../../learn/algorithms/index.ts'
import { tableOf } from '../../../../learn/encoding/table.ts'
import { createLayout } from '../../../../learn/layout.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { endHelp, mustLeave, openSharedFolds, type SharedFolds } from '../../../../learn/tuning/shared-folds.ts'
import { createRandom } from '../../../support/random/random.ts'
import { until } from '../../../support/until.ts'

/** Resolves once this is so. */
const holds = (isSo: () => boolean) => until('a helper comes or goes', isSo)

const request = {
  algorithm: 'SVM',
  parameters: decodeParameters(algorithmOf('SVM').parameters, {}),
  scale: true,
  tune: true,
  speed: 1,
  tuneBudget_s: 600,
} as const

/** Rows of two classes that overlap. */
function preparedRows() {
  const random = createRandom(7)
  const layout = createLayout({
    attributes: ['a', 'b', 'c', 'y'].map((name, position) => ({ name, position, type: undefined })),
    attributeKind: 'hybrid',
    targetIndex: 3,
  })
  const rows = Array.from({ length: 120 }, (_, line) => {
    const cells = [random.normal(), random.normal(), random.normal()]
    const [a = 0, b = 0] = cells
    return { line: line + 1, cells, target: a * b + random.normal() / 2 > 0 ? 'yes' : 'no' }
  })
  return writePrepared({ kind: 'table', table: tableOf(layout, rows), sample: [] })
}

test('a tuning chooses on two threads as on one, also where the second one is ended amid its folds', async (t) => {
  const threads = openTrainingThreads(2)
  t.teardown(() => threads.close())
  const hearing = { log: () => {}, progress: () => {}, refusedState: () => 15 as const }
  const run = (signal: AbortSignal, sharing?: { folds: SharedFolds; helps: boolean }) =>
    threads.run(
      { kind: 'tune', request, prepared: preparedRows(), ...(sharing && { sharing }) },
      { ...hearing, signal },
    )
  const { signal } = new AbortController()
  const expected = await run(signal)
  for (const isEnded of [false, true]) {
    const folds = openSharedFolds()
    const end = new AbortController()
    const helped = run(end.signal, { folds, helps: true })
      .catch(() => {})
      .finally(() => endHelp(folds))
    // It tries first folds already.
    await holds(() => folds.numbers.some((number) => number !== 0))
    const chosen = run(signal, { folds, helps: false })
    if (isEnded) {
      await sleep(20)
      end.abort()
    }
    t.deepEqual(await chosen, expected)
    end.abort()
    await helped
  }
})

/** A training whose threads do nothing but stay until they are let go, or asked to leave. */
function stillTraining(most: number) {
  const memory = createMemoryBudget(most, 2)
  let choose = (_: object): void => {}
  const chosen = new Promise<object>((resolve) => {
    choose = resolve
  })
  const stop = new AbortController()
  const helpers = { begun: 0, now: 0 }
  const run = async (
    { sharing }: { sharing?: { folds: SharedFolds; helps: boolean } },
    { signal }: { signal: AbortSignal },
  ) => {
    const stopped = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    stopped.catch(() => {})
    if (sharing?.helps !== true) return Promise.race([chosen, stopped])
    helpers.begun++
    helpers.now++
    try {
      await holds(() => signal.aborted || mustLeave(sharing.folds))
    } finally {
      helpers.now--
    }
    return {}
  }
  const deps = { memory, threads: { run }, files: { read: async () => new Uint8Array() } } as unknown as TrainingDeps
  const journal = { log: () => {}, waits: () => {}, progress: () => {} }
  const key = { schema: 's', model: 'm', training: 1 }
  const context = { key, journal, signal: stop.signal } as unknown as StepContext
  const begin = (cells: number, isShared = true) =>
    tuneWithHelp(deps, { context, request, need: { bytes: 60, cells }, isShared })
  return { memory, helpers, begin, stop, end: () => choose({ chosen: true }) }
}

for (const [what, cells] of [
  ['a short tuning', 10],
  ['a long tuning', 1_000_000],
] as const) {
  test(`${what} has a second thread, which another training gets at once, and again once that is over`, async (t) => {
    const { memory, helpers, begin, end } = stillTraining(200)
    const tuning = begin(cells)
    await holds(() => helpers.now === 1)
    let endOther = (): void => {}
    let isBegun = false
    const { signal } = new AbortController()
    const other = memory.within(10, { signal, turn: { owner: 'other', isLong: false, isAside: false } }, () => {
      isBegun = true
      t.is(helpers.now, 0)
      return new Promise<void>((resolve) => {
        endOther = resolve
      })
    })
    await holds(() => isBegun)
    endOther()
    await other
    await holds(() => helpers.now === 1)
    t.is(helpers.begun, 2)
    end()
    t.deepEqual(await tuning, { chosen: true } as never)
    t.is(helpers.now, 0)
  })
}

test('a second thread needs memory for a copy of the data, and a tuning goes on without', async (t) => {
  for (const [most, expected] of [
    [119, 0],
    [120, 1],
  ] as const) {
    const { helpers, begin, end } = stillTraining(most)
    const tuning = begin(10)
    await sleep(1_300)
    t.is(helpers.now, expected, `${most} bytes`)
    end()
    await tuning
  }
})

test('a tuning that is stopped ends its helper', async (t) => {
  const { memory, helpers, begin, stop } = stillTraining(200)
  const tuning = begin(10)
  await holds(() => helpers.now === 1)
  stop.abort(new Error('the training was stopped'))
  await t.throwsAsync(tuning, { message: 'the training was stopped' })
  t.is(helpers.now, 0)
  // Both gave back what they had.
  await memory.within(200, { signal: new AbortController().signal }, async () => t.pass())
})

test('a tuning that is done within a second, or has no folds to share, takes no second thread', async (t) => {
  const short = stillTraining(200)
  const tuning = short.begin(10)
  await sleep(50)
  short.end()
  await tuning
  const unshared = stillTraining(200)
  const other = unshared.begin(10, false)
  await sleep(1_300)
  unshared.end()
  await other
  t.deepEqual([short.helpers.begun, unshared.helpers.begun], [0, 0])
})
