import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { pino } from 'pino'
import { Fault, fault } from '../../../base/faults.ts'
import { createMutex } from '../../../base/mutex.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { createInProcess } from '../../../infra/orchestration/in-process.ts'
import { createRunRecords } from '../../../infra/orchestration/run-records.ts'
import { workflows } from '../../../workflows/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { cases, data } from './cases.ts'
import { createLatch, createSteps } from './steps.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
await migrate(clickhouse)
let version = 0
const records = createRunRecords(clickhouse, () => ++version)
const living = new Set<string>()
const changeRuns = createMutex()
const said: { readonly level: number; readonly workflow?: string; readonly reason?: string; readonly err?: object }[] =
  []
const logger = pino({ base: null }, { write: (line: string) => said.push(JSON.parse(line)) })
const open = (id = 'one') => {
  const steps = createSteps()
  const owners = { id, living: async () => new Set([...living].filter((other) => other !== id)), changeRuns }
  const activities = steps.steps
  const orchestrator = createInProcess({ workflows, activities, records, owners, logger, look_ms: 50 })
  return { orchestrator, steps }
}
const shared = open()
test.after.always(async () => {
  await shared.orchestrator.close()
  await clickhouse.close()
})

for (const [title, run] of Object.entries(cases)) test(title, (t) => run(t, shared))

test.serial('what was under way when the process ended begins anew at the next start', async (t) => {
  const key = { schema: 'resumed', stream: 's' }
  const first = open()
  const latch = createLatch()
  first.steps.replace(key.schema, {
    async fillAggregate({ name }, signal) {
      if (name === 'b') await latch.wait(signal)
      return true
    },
  })
  await first.orchestrator.start('rebuildStream', key)
  await until('the second step', () => first.steps.ranFor(key.schema).includes('fill b'))
  await first.orchestrator.close()
  t.deepEqual(first.steps.ranFor(key.schema), ['begin', 'fill a', 'fill b'])
  await t.throwsAsync(first.orchestrator.start('rebuildStream', key), { message: /stopping/ })

  const second = open()
  await second.orchestrator.resume()
  t.like(await second.orchestrator.find('rebuildStream', key), { state: 'running' })
  await until('the end', async () => (await second.orchestrator.find('rebuildStream', key))?.state === 'done')
  t.deepEqual(second.steps.ranFor(key.schema), ['begin', 'fill a', 'fill b', 'swap'])
  const third = open()
  await third.orchestrator.resume()
  t.deepEqual(third.steps.ranFor(key.schema), [])
  // One that still looked would take what the tests behind this one leave to be taken.
  await Promise.all([second, third].map(({ orchestrator }) => orchestrator.close()))
})

test.serial(
  'a run that its request makes impossible is no error of the service: a warning says why, without a stack',
  async (t) => {
    const { orchestrator, steps } = open()
    const failing = (schema: string, error: Error) => {
      steps.replace(schema, {
        async writeStreamData() {
          throw error
        },
      })
      return t.throwsAsync(orchestrator.run('writeStreamData', data(schema)))
    }
    await failing('impossible', fault('missing', 'no stream s in schema impossible'))
    await failing('broken', new Error('the disk is full'))
    const linesOf = (schema: string) => said.filter(({ workflow }) => workflow?.includes(schema))
    t.deepEqual(
      linesOf('impossible').map(({ level, reason, err }) => ({ level, reason, err })),
      [{ level: 40, reason: 'no stream s in schema impossible', err: undefined }],
    )
    t.true(linesOf('broken').some(({ level, err }) => level === 50 && err !== undefined))
    await orchestrator.close()
  },
)

/** Runs a rebuild up to its second step, where it stays until the latch is released. */
async function halfway(of: ReturnType<typeof open>, schema: string) {
  const latch = createLatch()
  of.steps.replace(schema, {
    async fillAggregate({ name }, signal) {
      if (name === 'b') await latch.wait(signal)
      return true
    },
  })
  return latch
}
const whole = ['begin', 'fill a', 'fill b', 'swap']

test.serial(
  'a run of a process that is gone is taken up by one of those that live, and a run of one that lives by none',
  async (t) => {
    const key = { schema: 'orphan', stream: 's' }
    const [gone, ...others] = ['gone', 'left', 'right'].map((id) => open(id))
    if (!gone) throw new Error('no process')
    for (const id of ['gone', 'left', 'right']) living.add(id)
    await halfway(gone, key.schema)
    await gone.orchestrator.start('rebuildStream', key)
    await until('the second step', () => gone.steps.ranFor(key.schema).includes('fill b'))
    await Promise.all(others.map(({ orchestrator }) => orchestrator.resume()))
    await sleep(300)
    t.deepEqual(
      others.flatMap(({ steps }) => steps.ranFor(key.schema)),
      [],
    )
    for (const { orchestrator } of others) {
      t.like(await orchestrator.find('rebuildStream', key), { state: 'running' })
      const refused = await t.throwsAsync(orchestrator.start('rebuildStream', key), { instanceOf: Fault })
      t.is(refused?.kind, 'conflict')
    }
    await gone.orchestrator.close()
    living.delete('gone')
    for (const { orchestrator } of others)
      await until('the end', async () => (await orchestrator.find('rebuildStream', key))?.state === 'done')
    t.deepEqual(
      others.flatMap(({ steps }) => steps.ranFor(key.schema)),
      whole,
    )
    await Promise.all(others.map(({ orchestrator }) => orchestrator.close()))
  },
)

/** A run of a process that counts as dead and has been taken over by another one; each step waits for its latch. */
async function takenOver(schema: string) {
  const key = { schema, stream: 's', model: 'm', file: 'f', from_us: 0, lastSeq: 1 }
  const [silent, next] = [open(`${schema}-silent`), open(`${schema}-next`)]
  const latches = [silent, next].map(({ steps }, number) => {
    const latch = createLatch()
    steps.replace(schema, {
      async writeStreamData(_, signal) {
        await latch.wait(signal)
        return { lines: number, bytes: number }
      },
    })
    return latch
  })
  const run = silent.orchestrator.run('writeStreamData', key)
  run.catch(() => {})
  await until('it runs', () => silent.steps.ranFor(schema).length === 1)
  living.add(`${schema}-next`)
  await next.orchestrator.resume()
  await until('the other one has taken it', () => next.steps.ranFor(schema).length === 1)
  living.add(`${schema}-silent`)
  return { key, silent, next, run, latches }
}

test.serial('a process that was silent for a while does not end a run that another has taken', async (t) => {
  const { key, silent, next, run, latches } = await takenOver('woken')
  latches[0]?.release()
  await run
  t.like(await next.orchestrator.find('writeStreamData', key), { state: 'running' })
  latches[1]?.release()
  await until('the end', async () => (await next.orchestrator.find('writeStreamData', key))?.state === 'done')
  t.like(await silent.orchestrator.find('writeStreamData', key), { result: { lines: 1 } })
  await Promise.all([silent, next].map(({ orchestrator }) => orchestrator.close()))
})

test.serial(
  'a process that was silent for a while gives up a run that another has taken once it notices',
  async (t) => {
    const { key, silent, next, run, latches } = await takenOver('given')
    await silent.orchestrator.resume()
    await t.throwsAsync(run, { instanceOf: Fault, message: /taken over by another process/ })
    t.like(await silent.orchestrator.find('writeStreamData', key), { state: 'running' })
    latches[1]?.release()
    await until('the end', async () => (await silent.orchestrator.find('writeStreamData', key))?.state === 'done')
    t.deepEqual(silent.steps.ranFor('given'), ['write'])
    await Promise.all([silent, next].map(({ orchestrator }) => orchestrator.close()))
  },
)

test.serial('a run whose end is being written down is not taken for one that another process has', async (t) => {
  const key = { schema: 'ending', stream: 's', model: 'm', file: 'f', from_us: 0, lastSeq: 1 }
  const written = createLatch()
  let ended = false
  let looks = 0
  const slow = {
    ...records,
    async end(record: Parameters<typeof records.end>[0]) {
      await records.end(record)
      ended = true
      await written.wait(new AbortController().signal)
    },
    async unfinished() {
      if (ended) looks++
      return records.unfinished()
    },
  }
  const steps = createSteps()
  const owners = { id: 'ending', living: async () => new Set<string>(), changeRuns }
  const orchestrator = createInProcess({
    workflows,
    activities: steps.steps,
    records: slow,
    owners,
    logger,
    look_ms: 20,
  })
  await orchestrator.resume()
  const run = orchestrator.run('writeStreamData', key)
  run.catch(() => {})
  await until('others have looked twice', () => looks > 2)
  written.release()
  await t.notThrowsAsync(run)
  await orchestrator.close()
})

test.serial(
  'a run amid which too many processes died is given up and cleaned up, clean ends do not count',
  async (t) => {
    const key = { schema: 'deadly', model: 'm', training: 1 }
    const request = { ...key, about: 'LIN' }
    const begun: string[] = []
    const ended: object[] = []
    /** A process that stands amid the first step for ever. */
    const openDeadly = (id: string) => {
      const activities = {
        ...createSteps().steps,
        verifyTraining: async (_: object, signal: AbortSignal) => {
          begun.push(id)
          return new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        },
        endTraining: async (ending: object) => {
          ended.push(ending)
        },
      }
      const owners = { id, living: async () => new Set<string>(), changeRuns }
      return createInProcess({ workflows, activities, records, owners, logger, look_ms: 60_000 })
    }
    const opened: ReturnType<typeof openDeadly>[] = []
    const take = async (id: string) => {
      const orchestrator = openDeadly(id)
      opened.push(orchestrator)
      await orchestrator.resume()
      return orchestrator
    }
    const first = openDeadly('first')
    await first.start('trainModel', request)
    await until('the first step', () => begun.includes('first'))
    await first.close()
    for (const id of ['clean 1', 'clean 2', 'clean 3', 'clean 4', 'clean 5']) {
      const orchestrator = await take(id)
      await until('a step', () => begun.includes(id))
      await orchestrator.close()
    }
    // These are not closed: as after a kill.
    for (const id of ['dies 1', 'dies 2', 'dies 3', 'dies 4']) {
      await take(id)
      await until('a step', () => begun.includes(id))
    }
    t.deepEqual(ended, [])
    const last = await take('last')
    await until('the end', async () => (await last.find('trainModel', key))?.state === 'failed')
    const reason = 'the service ended 4 times while this training ran'
    t.deepEqual(await last.find('trainModel', key), { state: 'failed', reason })
    t.false(begun.includes('last'))
    t.deepEqual(ended, [{ ...key, stopped: true, reason, why: reason }])
    await Promise.all(opened.map((orchestrator) => orchestrator.close()))
  },
)
