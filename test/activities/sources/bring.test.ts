/** Batches of a source that come again after a crash, over a topic, a log and a registry of this test. */
import test from 'ava'
import { createMessageReader } from '../../../activities/sources/batch.ts'
import { type BringDeps, bringMessages } from '../../../activities/sources/bring.ts'
import { firstProgress, type Progress } from '../../../activities/sources/progress.ts'
import { fault } from '../../../base/faults.ts'

const topicOf = (texts: readonly string[]) =>
  texts.map((text, offset) => ({ offset, value: Buffer.from(text), key: null, headers: {}, appended_ms: 0 }))
const three = topicOf(['{"n":0}', '{"n":1}', '{"n":2}'])

/** The log: it takes a batch once, and refuses another one under its key. */
function createLog() {
  const taken = new Map<string, string>()
  return {
    taken,
    accept: (async (_schema: string, _stream: string, { body, idempotencyKey = '' }) => {
      const text = String(body)
      const before = taken.get(idempotencyKey)
      if (before !== undefined && before !== text) throw fault('reused', 'another batch has that key')
      taken.set(idempotencyKey, text)
      return JSON.stringify({ accepted: text.trim().split('\n').length, rejected: 0 })
    }) as BringDeps['accept'],
  }
}

/** Reads the topic, of those messages, until `isOver` says so, at each note or answer; what was refused, by its offset. */
async function bring(
  progress: Progress,
  accept: BringDeps['accept'],
  unknown: readonly number[],
  isOver: (progress: Progress) => boolean,
  toEvent: (event: object) => string = (event) => JSON.stringify(event),
  messages = three,
) {
  const end = new AbortController()
  const refused: string[] = []
  const look = () => {
    if (isOver(progress)) end.abort()
  }
  const decode = async (value: Buffer | null) => {
    const event = JSON.parse(String(value))
    if (event.n === null) return undefined
    if (unknown.includes(event.n)) throw fault('invalid', `the registry has no schema of ${event.n}`)
    return event
  }
  await bringMessages({
    named: { name: 'clicks', source: { into: { schema: 's', stream: 'st' } } } as BringDeps['named'],
    topic: {
      partitions: async () => [0],
      ranges: async () => new Map([[0, { first: 0, end: messages.length }]]),
      async read(from: ReadonlyMap<number, number>, _wait: number, take: (read: object) => Promise<void>) {
        const next = from.get(0) ?? 0
        await take({
          partition: 0,
          records: messages.filter(({ offset }) => offset >= next),
          next: messages.length,
          end: messages.length,
        })
        look()
      },
    } as never,
    read: createMessageReader({
      decoder: { decode },
      toEvent,
      limit: 1_000,
    }),
    async accept(schema, stream, posted) {
      const answer = await accept(schema, stream, posted)
      look()
      end.signal.throwIfAborted()
      return answer
    },
    progress,
    note: async () => {},
    show: async () => look(),
    check() {},
    counted() {},
    refuse: (reason) => refused.push(reason),
    signal: end.signal,
  }).catch((error: unknown) => {
    if (!end.signal.aborted) throw error
  })
  return refused
}

test('a message whose schema came to the registry amid a crash is told as refused, and its batch stays as the log has it', async (t) => {
  const progress = firstProgress({ run: 'run', starts: { 0: 0 } }, 0)
  const { accept, taken } = createLog()
  // It ends between the log's answer and the note of it.
  t.deepEqual(await bring(progress, accept, [1], () => taken.size > 0), [])
  t.like(progress.partitions['0'], { next: 0, planned: 3 })

  const kept: Progress = JSON.parse(JSON.stringify(progress))
  const refused = await bring(kept, accept, [], ({ partitions }) => partitions['0']?.next === 3)
  t.deepEqual([...taken.values()], ['{"n":0}\n{"n":2}\n'])
  t.deepEqual(refused, [
    'source clicks, partition 0, offset 1: it could not be read when it came first, just before the process ended',
  ])
  t.like(kept, { accepted: 2, refused: 1, notes: [] })
  t.deepEqual(kept.partitions, { 0: { next: 3, end: 3 } })
})

test('a message that still cannot be read is told with its own reason', async (t) => {
  const progress = firstProgress({ run: 'run', starts: { 0: 0 } }, 0)
  const { accept, taken } = createLog()
  await bring(progress, accept, [1], () => taken.size > 0)
  const refused = await bring(progress, accept, [1], ({ partitions }) => partitions['0']?.next === 3)
  t.deepEqual(refused, ['source clicks, partition 0, offset 1: the registry has no schema of 1'])
})

/** A log that keeps two lines of the first batch and is full behind them; `log` is what it has. */
function createFullLog() {
  const log: string[] = []
  const keys = new Map<string, string>()
  return {
    log,
    accept: (async (_schema: string, _stream: string, { body, idempotencyKey = '' }) => {
      const lines = String(body).trim().split('\n')
      const before = keys.get(idempotencyKey)
      if (before === undefined && log.length === 0) {
        keys.set(idempotencyKey, String(body))
        log.push(...lines.slice(0, 2))
        throw fault('limited', 'the log is full; the first 2 lines are kept: send all of them again under the same key')
      }
      if (before !== undefined && before !== String(body)) throw fault('reused', 'another', { keptLines: 2 })
      keys.set(idempotencyKey, String(body))
      log.push(...lines)
      return JSON.stringify({ accepted: lines.length, rejected: 0 })
    }) as BringDeps['accept'],
  }
}

const isFull = ({ state }: Progress) => state === 'waiting'

test('of a batch that came in part by the definition before, the rest comes by the new one', async (t) => {
  const messages = topicOf(['{"n":0}', '{"n":1}', '{"n":null}', '{"n":3}', '{"n":4}', '{"n":5}'])
  const progress = firstProgress({ run: 'run', starts: { 0: 0 } }, 0)
  const { accept, log } = createFullLog()
  t.deepEqual(await bring(progress, accept, [1], isFull, undefined, messages), [])
  t.deepEqual(log, ['{"n":0}', '{"n":3}'])

  const kept: Progress = JSON.parse(JSON.stringify(progress))
  t.like(kept.partitions['0'], { next: 0, planned: 6, unread: [1], skipped: [2] })
  const mended = (event: object) => {
    if ('n' in event && (event.n === 3 || event.n === 4)) throw fault('invalid', 'the new definition does not take it')
    return JSON.stringify({ ...event, mended: true })
  }
  const refused = await bring(kept, accept, [1], ({ partitions }) => partitions['0']?.next === 6, mended, messages)
  t.deepEqual(log, ['{"n":0}', '{"n":3}', '{"n":5,"mended":true}'])
  t.deepEqual(refused, [
    'source clicks, partition 0, offset 1: the registry has no schema of 1',
    'source clicks, partition 0, offset 4: the new definition does not take it',
  ])
  t.like(kept, { accepted: 1, refused: 2, skipped: 1 })
  t.deepEqual(kept.notes, ['partition 0: messages 0 to 3 came by the definition before this one'])
  t.deepEqual(kept.partitions, { 0: { next: 6, end: 6 } })
})

test('a message that only the new definition can read comes, where it stands behind the part that the log has', async (t) => {
  const messages = topicOf(['{"n":0}', '{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}'])
  const progress = firstProgress({ run: 'run', starts: { 0: 0 } }, 0)
  const { accept, log } = createFullLog()
  await bring(progress, accept, [1, 3], isFull, undefined, messages)
  t.like(progress.partitions['0'], { next: 0, planned: 5, unread: [1, 3] })

  const kept: Progress = JSON.parse(JSON.stringify(progress))
  const mended = (event: object) => JSON.stringify({ ...event, mended: true })
  const refused = await bring(kept, accept, [], ({ partitions }) => partitions['0']?.next === 5, mended, messages)
  t.deepEqual(log, ['{"n":0}', '{"n":2}', '{"n":3,"mended":true}', '{"n":4,"mended":true}'])
  t.deepEqual(refused, [
    'source clicks, partition 0, offset 1: it could not be read when it came first, just before the process ended',
  ])
  t.like(kept, { accepted: 2, refused: 1 })
  t.deepEqual(kept.notes, ['partition 0: messages 0 to 2 came by the definition before this one'])
  t.deepEqual(kept.partitions, { 0: { next: 5, end: 5 } })
})

test('a batch that came whole by the definition before is passed over as a whole', async (t) => {
  const progress = firstProgress({ run: 'run', starts: { 0: 0 } }, 0)
  const { accept, taken } = createLog()
  await bring(progress, accept, [], () => taken.size > 0)
  const mended = (event: object) => JSON.stringify({ ...event, mended: true })
  t.deepEqual(await bring(progress, accept, [], ({ partitions }) => partitions['0']?.next === 3, mended), [])
  t.deepEqual([...taken.values()], ['{"n":0}\n{"n":1}\n{"n":2}\n'])
  t.deepEqual(progress.notes, ['partition 0: messages 0 to 2 came by the definition before this one'])
})

test('the plan of a batch stays until the log answers for it, over a restart of the definition that came between', async (t) => {
  const progress = firstProgress({ run: 'run', starts: { 0: 0 } }, 0)
  const keys: string[] = []
  /** Full behind the first line of the first definition; then OFF for once. */
  const accept = (async (_schema: string, _stream: string, { body }) => {
    keys.push(String(body))
    if (keys.length === 1) throw fault('limited', 'the log is full; the first line is kept')
    if (keys.length === 2) throw fault('off', 'the stream is OFF')
    if (keys.length === 3) throw fault('reused', 'another', { keptLines: 1 })
    return JSON.stringify({ accepted: String(body).trim().split('\n').length, rejected: 0 })
  }) as BringDeps['accept']
  const waits = ({ state }: Progress) => state === 'waiting'
  await bring(progress, accept, [0], waits)

  const other = (event: object) => {
    if ('n' in event && event.n === 1) throw fault('invalid', 'the new definition does not take it')
    return JSON.stringify({ ...event, mended: true })
  }
  const second: Progress = { ...JSON.parse(JSON.stringify(progress)), state: 'running' }
  await bring(second, accept, [], waits, other)
  t.is(keys.length, 2)
  t.deepEqual(second.partitions, progress.partitions)

  const third: Progress = { ...JSON.parse(JSON.stringify(second)), state: 'running' }
  await bring(third, accept, [], ({ partitions }) => partitions['0']?.next === 3, other)
  t.is(keys.at(-1), '{"n":2,"mended":true}\n')
  t.deepEqual(third.notes, ['partition 0: messages 0 to 1 came by the definition before this one'])
})
