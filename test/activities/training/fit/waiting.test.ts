import test from 'ava'
import type { TrainingDeps } from '../../../../activities/training/deps.ts'
import { createFitting } from '../../../../activities/training/fit/fitting.ts'
import type { StepContext } from '../../../../activities/training/step.ts'
import { createMemoryBudget } from '../../../../activities/training/threads/memory-budget.ts'

test('a fit counts as begun once there is memory for it: a process that ends before was not ended by it', async (t) => {
  const counts: number[] = []
  let fits = 0
  const memory = createMemoryBudget(1)
  const files = {
    has: async (_: unknown, name: string) => name !== 'model.onnx',
    read: async (_: unknown, name: string) =>
      Buffer.from(JSON.stringify(name === 'needs' ? { tune: 1, fit: 1, measure: 1 } : { parameters: {}, shown: {} })),
    write: async () => {},
  }
  const trainings = {
    update: async (_: unknown, change: (latest: { fits: number }) => { fits: number }) => {
      fits = change({ fits }).fits
    },
  }
  const threads = {
    run: async () => {
      counts.push(fits)
      throw new Error('the fit failed')
    },
  }
  const { fit } = createFitting({ memory, files, trainings, threads } as unknown as TrainingDeps)
  const journal = { log: () => {}, tell: () => {}, waits: () => {}, progress: () => {} }
  const { signal } = new AbortController()
  const request = { algorithm: 'LIN', scale: false, parameters: {} }
  const context = { key: { training: 1 }, record: { fits: 0 }, request, journal, signal } as unknown as StepContext

  let end = (): void => {}
  const other = memory.within(
    1,
    { signal },
    () =>
      new Promise<void>((resolve) => {
        end = resolve
      }),
  )
  const fitting = fit.work(context)
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.is(fits, 0, 'it waits for memory')
  end()
  await other
  await t.throwsAsync(fitting, { message: 'the fit failed' })
  t.deepEqual([counts, fits], [[1], 0])
})
