/** Batches of a source that come again after a crash, over a topic, a log and a registry of this test. */
import test from 'ava'
import { createMessageReader } from '../../../activities/sources/batch.ts'
import { type BringDeps, bringMessages } from '../../../activities/sources/bring.ts'
import { firstProgress, type Progress } from '../../../activities/sources/progress.ts'
import { fault } from '../../../base/faults.ts'

const messages = ['{"n":0}', '{"n":1}', '{"n":2}'].map((text, offset) => ({
  ...{ offset, value: Buffer.from(text), key: null, headers: {}, appended_ms: 0 },
}))

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

/** Reads the topic until `isOver` says so, at each note or answer; what was refused, by its offset. */
async function bring(
  progress: Progress,
  accept: BringDeps['accept'],
  unknown: readonly number[],
  isOver: (progress: Progress) => boolean,
) {
  const end = new AbortController()
  const refused: string[] = []
  const look = () => {
    if (isOver(progress)) end.abort()
  }
  const decode = async (value: Buffer | null) => {
    const event = JSON.parse(String(value))
    if (unknown.includes(event.n)) throw fault('invalid', `the registry has no schema of ${event.n}`)
    return event
  }
  await bringMessages({
    named: { name: 'clicks', source: { into: { schema: 's', stream: 'st' } } } as BringDeps['named'],
    topic: {
      partitions: async () => [0],
      ranges: async () => new Map([[0, { first: 0, end: 3 }]]),
      async read(from: ReadonlyMap<number, number>, _wait: number, take: (read: object) => Promise<void>) {
        const next = from.get(0) ?? 0
        await take({ partition: 0, records: messages.filter(({ offset }) => offset >= next), next: 3, end: 3 })
        look()
      },
    } as never,
    read: createMessageReader({
      decoder: { decode },
      toEvent: (event) => JSON.stringify(event),
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
    show: async () => {},
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
