import type { ExecutionContext } from 'ava'
import { Fault, fault } from '../../../base/faults.ts'
import type { Orchestrator } from '../../../infra/orchestration/orchestrator.ts'
import type { workflows } from '../../../workflows/index.ts'
import { until } from '../../support/until.ts'
import { createLatch, type TestSteps } from './steps.ts'

export type Orchestrated = { readonly orchestrator: Orchestrator<typeof workflows>; readonly steps: TestSteps }
type Case = (t: ExecutionContext, of: Orchestrated) => Promise<void>

const patience_ms = 150_000
const stream = 's'
export const data = (schema: string) => ({ schema, stream, model: 'm', file: 'f', from_us: 0, lastSeq: 1 })
const faultOf = async (t: ExecutionContext, call: Promise<unknown>) =>
  (await t.throwsAsync(call, { instanceOf: Fault })) ?? fault('late', 'nothing was thrown')

/** Cases that hold wherever workflows run, by their titles. A case's schema has its name, so that they share a server. */
export const cases: Readonly<Record<string, Case>> = {
  async 'a run is waited for, and its result is known afterwards'(t, { orchestrator, steps }) {
    const schema = 'waited'
    t.is(await orchestrator.find('writeStreamData', data(schema)), undefined)
    t.deepEqual(await orchestrator.run('writeStreamData', data(schema)), { lines: 1, bytes: 2 })
    t.deepEqual(await orchestrator.find('writeStreamData', data(schema)), {
      state: 'done',
      result: { lines: 1, bytes: 2 },
    })
    const keys = [data('never'), data(schema)]
    const each = await Promise.all(keys.map((key) => orchestrator.find('writeStreamData', key)))
    t.deepEqual(await orchestrator.findAll('writeStreamData', keys), each)
    t.deepEqual(steps.ranFor(schema), ['write'])
  },

  async 'one that has begun goes on alone, tells how far it is, and is the only one of its id'(t, of) {
    const { orchestrator, steps } = of
    const schema = 'alone'
    const latch = createLatch()
    steps.replace(schema, {
      async fillAggregate({ name }, signal) {
        if (name === 'b') await latch.wait(signal)
        return true
      },
    })
    await orchestrator.start('rebuildStream', { schema, stream })
    await until(
      'progress',
      async () => {
        const run = await orchestrator.find('rebuildStream', { schema, stream })
        return run?.state === 'running' && run.progress?.done === 1 && run.progress.total === 2
      },
      patience_ms,
    )
    const refused = await faultOf(t, orchestrator.start('rebuildStream', { schema, stream }))
    t.is(refused.kind, 'conflict')
    latch.release()
    const ended = await until('the end', () => endOf(of, schema), patience_ms)
    t.deepEqual(ended, { state: 'done', result: { done: 2, total: 2 } })
    t.deepEqual(steps.ranFor(schema), ['begin', 'fill a', 'fill b', 'swap'])
    await orchestrator.start('rebuildStream', { schema, stream })
    await until('the end of another one', async () => steps.ranFor(schema).length === 8, patience_ms)
  },

  async 'a step that is under way tells how far it is by its pulse'(t, of) {
    const { orchestrator, steps } = of
    const schema = 'pulsing'
    const latch = createLatch()
    steps.replace(schema, {
      async fillAggregate({ name }, signal, pulse) {
        pulse?.({ filled: name })
        if (name === 'b') await latch.wait(signal)
        return true
      },
    })
    await orchestrator.start('rebuildStream', { schema, stream })
    const pulse = await until(
      'the pulse',
      async () => {
        const run = await orchestrator.find('rebuildStream', { schema, stream })
        const told = run?.state === 'running' ? JSON.stringify(run.pulse) : undefined
        return told?.includes('b') ? run : undefined
      },
      patience_ms,
    )
    t.like(pulse, { state: 'running', pulse: { filled: 'b' } })
    latch.release()
    await until('the end', () => endOf(of, schema), patience_ms)
  },

  async 'a step that fails is tried again'(t, { orchestrator, steps }) {
    const schema = 'again'
    let failures = 0
    steps.replace(schema, {
      async writeStreamData() {
        if (failures++ === 0) throw new Error('for now')
        if (failures === 2) throw fault('unavailable', 'away for now')
        return { lines: failures, bytes: 0 }
      },
    })
    t.deepEqual(await orchestrator.run('writeStreamData', data(schema)), { lines: 3, bytes: 0 })
  },

  async 'a step that fails too often fails its workflow, and the service is unavailable'(t, { orchestrator, steps }) {
    const schema = 'often'
    steps.replace(schema, {
      async writeStreamData() {
        throw new Error('the disk is full')
      },
    })
    const { kind, message } = await faultOf(t, orchestrator.run('writeStreamData', data(schema)))
    t.is(kind, 'unavailable')
    t.regex(message, /the disk is full/)
    t.deepEqual(steps.ranFor(schema), ['write', 'write', 'write'])
    t.like(await orchestrator.find('writeStreamData', data(schema)), { state: 'failed', reason: 'the disk is full' })
  },

  async 'a fault that no repeat mends is not repeated, and stays what it is'(t, of) {
    const schema = 'final'
    of.steps.replace(schema, {
      async fillAggregate() {
        throw fault('missing', 'no stream s in schema final')
      },
      async writeStreamData() {
        throw fault('missing', 'no such stream')
      },
    })
    const { kind, message } = await faultOf(t, of.orchestrator.run('writeStreamData', data(schema)))
    t.deepEqual([kind, message], ['missing', 'no such stream'])
    await of.orchestrator.start('rebuildStream', { schema, stream })
    const ended = await until('the end', () => endOf(of, schema), patience_ms)
    t.deepEqual(ended, { state: 'failed', reason: 'no stream s in schema final' })
    t.deepEqual(of.steps.ranFor(schema), ['write', 'begin', 'fill a', 'abandon'])
  },

  async 'one that is cancelled undoes what it has begun, its step ended'(t, of) {
    const schema = 'undone'
    const latch = createLatch()
    let ended = 0
    of.steps.replace(schema, {
      async fillAggregate(_, signal) {
        await latch.wait(signal).finally(() => ended++)
        return true
      },
      async abandonRebuild() {
        t.is(ended, 1)
      },
    })
    await of.orchestrator.start('rebuildStream', { schema, stream })
    await until('the step', () => of.steps.ranFor(schema).includes('fill a'), patience_ms)
    await of.orchestrator.cancel('rebuildStream', { schema, stream })
    t.deepEqual(await until('the end', () => endOf(of, schema), patience_ms), { state: 'cancelled' })
    t.deepEqual(of.steps.ranFor(schema), ['begin', 'fill a', 'abandon'])
    await of.orchestrator.cancel('rebuildStream', { schema: 'nothing', stream })
    t.pass()
  },

  async 'a rebuild that an edit has taken away begins again'(t, of) {
    const schema = 'edited'
    let fills = 0
    let swaps = 0
    of.steps.replace(schema, {
      fillAggregate: async () => ++fills !== 2,
      swapAggregates: async () => ++swaps !== 1,
    })
    await of.orchestrator.start('rebuildStream', { schema, stream })
    await until('the end', () => endOf(of, schema), patience_ms)
    const whole = ['begin', 'fill a', 'fill b', 'swap']
    t.deepEqual(of.steps.ranFor(schema), ['begin', 'fill a', 'fill b', ...whole, ...whole])
  },
}

async function endOf({ orchestrator }: Orchestrated, schema: string) {
  const run = await orchestrator.find('rebuildStream', { schema, stream })
  return run?.state === 'running' ? undefined : run
}
