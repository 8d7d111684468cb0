import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'
import test, { type ExecutionContext } from 'ava'
import { compileEncoder } from '../../../activities/events/encode-event.ts'
import { createPivots } from '../../../activities/events/pivots.ts'
import { compilePlainEvents } from '../../../activities/events/plain/plain-events.ts'
import { createStreamIngest } from '../../../activities/ingest/stream-ingest.ts'
import { Fault, fault } from '../../../base/faults.ts'
import { createByteBudget } from '../../../infra/limits/byte-budget.ts'
import { createLmdbLog } from '../../../infra/log/embedded/log.ts'
import type { EventLog } from '../../../infra/log/port.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const megabyte = 1024 * 1024
const none = (): void => {}

function openLog(t: ExecutionContext, maxBytes = 2 ** 31) {
  const opened = createLmdbLog({ path: join(temporaryFolder(), 'log'), maxBytes, fsync: false })
  t.teardown(() => opened.log.close())
  const chunks = (queue = 's.st') => [...opened.source.chunks(queue)]
  const rows = (queue?: string) => chunks(queue).reduce((sum, chunk) => sum + chunk.rows, 0)
  const values = (name: string) =>
    chunks().flatMap(({ lines }) =>
      lines
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)[name]),
    )
  return { ...opened, chunks, rows, values }
}

type Opened = ReturnType<typeof openLog>

function ingestOf({ clock }: Opened, log: EventLog, queue = 's.st', room = 64 * megabyte) {
  const schema = decodeSchema({
    schema: 's',
    streams: [{ name: 'st', type: 1, inpt: [], attr: [{ name: 'n', type: 'LONG', stat: 'RSTAT' }] }],
  } as never)
  const [stream] = schema.streams
  if (!stream) throw new Error('no stream')
  const pivots = createPivots(schema, stream, new Map(), none)
  const plain = compilePlainEvents({ stream, pivots, keyNames: [] })
  const encode = compileEncoder(schema, stream, pivots)
  const budget = createByteBudget(room, 1_000, 'MAX_BODIES_MB')
  return createStreamIngest({ queue, window: 0, log, clock, encode, room: budget, ...(plain && { plain }) })
}

/** A log whose appends from the `first` one on fail, until it is mended. */
function failing(log: EventLog, first: number) {
  let appends = 0
  let isMended = false
  const broken: EventLog = {
    ...log,
    append: (...given) => {
      if (++appends >= first && !isMended) throw fault('unavailable', 'the log is silent', { retryAfter: 1 })
      return log.append(...given)
    },
  }
  return {
    log: broken,
    mend: () => {
      isMended = true
    },
  }
}

const countTo = (count: number, line = (n: number) => `{"n":${n}}`) =>
  Buffer.from(Array.from({ length: count }, (_, n) => `${line(n)}\n`).join(''))

/** Counts the turns that the work leaves to others, whatever the time that the machine gives them. */
async function watched<Result>(work: () => Promise<Result>) {
  let [mostBytes, turns] = [0, 0]
  const before = process.memoryUsage().arrayBuffers
  const look = () => {
    turns++
    mostBytes = Math.max(mostBytes, process.memoryUsage().arrayBuffers - before)
  }
  const timer = setInterval(look, 1)
  const result = await work()
  clearInterval(timer)
  look()
  return { result, mostBytes, turns }
}

test.serial('a body of the shortest lines takes the room of a part, and leaves others their turns', async (t) => {
  const opened = openLog(t)
  const body = Buffer.from('{}\n'.repeat(2_000_000))
  const { result, mostBytes, turns } = await watched(() => ingestOf(opened, opened.log).batch(body, undefined, none))
  t.is(JSON.parse(result.answer).accepted, 2_000_000)
  t.is(opened.rows(), 2_000_000)
  for (const { rows, lines } of opened.chunks()) t.true(rows <= 100_000 && lines.length <= 8 * megabyte)
  t.true(mostBytes < 80 * megabyte, `${mostBytes} bytes`)
  t.true(turns >= 20, `${turns} turns, of a batch of 20 parts`)
})

test.serial('no stream keeps the body or the event that came last', async (t) => {
  v8.setFlagsFromString('--expose-gc')
  const gc = vm.runInNewContext('gc') as () => void
  const opened = openLog(t)
  const streams = Array.from({ length: 16 }, (_, number) => ingestOf(opened, opened.log, `s.st${number}`))
  const text = 'x'.repeat(1000)
  const [lines, event] = [countTo(4_000, (n) => `{"n":${n},"rest":"${text}"}`), `{"n":1${' '.repeat(megabyte)}}`]
  gc()
  const before = process.memoryUsage().arrayBuffers
  for (const ingest of streams) {
    // Each has bytes of its own.
    await ingest.batch(Buffer.concat([lines, countTo(1)]), undefined, none)
    await ingest.one(Buffer.from(event))
  }
  await until('the bodies are gone', () => {
    gc()
    return process.memoryUsage().arrayBuffers - before < 10 * megabyte
  })
  t.is(opened.rows('s.st15'), 4_002)
})

test.serial('where there is no room for more lines they go to the log in smaller parts', async (t) => {
  const opened = openLog(t)
  const body = Buffer.from('{}\n'.repeat(100_000))
  await ingestOf(opened, opened.log, 's.st', 0).batch(body, undefined, none)
  t.is(opened.rows(), 100_000)
  for (const { lines } of opened.chunks()) t.true(lines.length < 2 * megabyte, `${lines.length} bytes`)
})

test('a batch that a fault cut off says what is kept of it, and goes on under its key: each line once', async (t) => {
  const opened = openLog(t)
  const broken = failing(opened.log, 3)
  const ingest = ingestOf(opened, broken.log)
  const lines = 250_000
  const body = countTo(lines, (n) => (n % 10_000 === 7 ? `{"n":"${n}"}` : `{"n":${n}}`))
  let kept = 0
  const count = (events: number) => {
    kept += events
  }
  const first = await t.throwsAsync(ingest.batch(body, 'mine', count), { instanceOf: Fault })
  t.is(first?.kind, 'unavailable')
  t.regex(first?.message ?? '', /^the log is silent; the first 2000\d\d lines are kept: .* under the same key$/)
  t.is(kept, 200_000)
  t.is(opened.rows(), 200_000)

  const other = countTo(lines, (n) => `{"n":${n + 1}}`)
  const conflict = await t.throwsAsync(ingest.batch(other, 'mine', none), { instanceOf: Fault })
  t.is(conflict?.kind, 'reused')
  t.is(conflict?.details.keptLines, Number(/the first (\d+) lines/.exec(first?.message ?? '')?.[1]))
  await t.throwsAsync(ingest.batch(body, 'mine', none), { instanceOf: Fault })
  broken.mend()
  // An ingest as a restart opens it.
  const anew = ingestOf(opened, opened.log)
  const { answer, refused } = await anew.batch(body, 'mine', count)
  const { accepted, rejected, errors } = JSON.parse(answer)
  t.deepEqual([accepted, rejected, refused, errors.length], [lines - 25, 25, 25, 25])
  t.deepEqual([errors[0].line, errors[24].line], [8, 240_008])
  t.is(kept, accepted)
  t.is((await anew.batch(body, 'mine', none)).answer, answer)
  t.is(new Set(opened.values('n')).size, accepted)
  t.is(opened.rows(), accepted)

  const unkeyed = failing(opened.log, 2)
  const told = await t.throwsAsync(ingestOf(opened, unkeyed.log).batch(body, undefined, none), { instanceOf: Fault })
  t.regex(told?.message ?? '', /the first 100011 lines are kept: send those from line 100012 on$/)
})

test('a batch waits for room in a log that fills up amid it', async (t) => {
  const opened = openLog(t, 6 * megabyte)
  const { source } = opened
  const inner: EventLog = opened.log
  const waits: Error[] = []
  const filling: EventLog = {
    ...opened.log,
    append: async (...given) => {
      try {
        return await inner.append(...given)
      } catch (error) {
        waits.push(error as Error)
        throw error
      }
    },
  }
  let taken = 0
  let isSent = false
  const feed = async () => {
    await until('the log is full', () => waits.length > 0)
    while (!isSent) {
      await sleep(20)
      const [first] = source.chunks('s.st')
      if (!first) continue
      await source.finish('s.st', { first: first.position, last: first.position })
      taken += first.rows
    }
  }
  const sent = ingestOf(opened, filling).batch(Buffer.from('{}\n'.repeat(250_000)), undefined, none)
  await Promise.all([feed(), sent.finally(() => (isSent = true))])
  t.is(taken + opened.rows(), 250_000)
})

test('a line that another request fails with is taken by the batch that repeats it', async (t) => {
  const opened = openLog(t)
  let refuse: () => void = none
  const inner: EventLog = opened.log
  let isFirst = true
  const log: EventLog = {
    ...opened.log,
    append: (...given) => {
      if (!isFirst || !given[1].includes('shared')) return inner.append(...given)
      isFirst = false
      return new Promise((_, reject) => {
        refuse = () => reject(fault('unavailable', 'the log is silent'))
      })
    },
  }
  const ingest = ingestOf(opened, log)
  const first = ingest.batch(Buffer.from('{"_id":"shared","n":1}\n'), undefined, none)
  const repeat = '{"_id":"mine","n":2}\n{"_id":"shared","n":1}\n{"n":3}\n'
  const second = ingest.batch(Buffer.from(repeat), 'second', none)
  await until('the second has appended what comes before the line', () => opened.rows() === 1)
  refuse()
  await t.throwsAsync(first, { message: 'the log is silent' })
  const { answer } = await second
  t.is(JSON.parse(answer).accepted, 3)
  t.deepEqual(opened.values('n'), [2, 1, 3])
  t.is((await ingest.batch(Buffer.from(repeat), 'second', none)).answer, answer)
  t.is(opened.rows(), 3)
})

test('batches that repeat lines of each other do not wait for each other', async (t) => {
  const opened = openLog(t)
  const ingest = ingestOf(opened, opened.log)
  const lines = Array.from({ length: 5_000 }, (_, n) => `{"_id":"${n}","n":${n}}`)
  const bodies = [lines, lines.toReversed(), [...lines.slice(2_500), ...lines.slice(0, 2_500)]]
  const answers = await Promise.all(bodies.map((body) => ingest.batch(Buffer.from(body.join('\n')), undefined, none)))
  for (const { answer } of answers) t.is(JSON.parse(answer).accepted, 5_000)
  t.is(opened.rows(), 5_000)
})
