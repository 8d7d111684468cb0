import test from 'ava'
import { createTimeNotes } from '../../../activities/events/event-time.ts'
import { createBatchIngest } from '../../../activities/ingest/batch-ingest.ts'
import { createIdempotency, nameOfEvent } from '../../../activities/ingest/idempotency.ts'
import { createOneEvent } from '../../../activities/ingest/one-event.ts'
import type { Stamped } from '../../../activities/ingest/part.ts'
import { createTurnParts } from '../../../activities/ingest/turn-parts.ts'
import type { Placed, SequencedWork } from '../../../activities/rules/sequencer/work.ts'
import { fault } from '../../../base/faults.ts'
import type { Event } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'

/** A sequencer that keeps events a moment later, and the answers to their keys. */
function createIngest(answered: Map<string, string>, group = 256) {
  const kept: Event[] = []
  const groups: number[] = []
  let seq = 0
  const take = async <Each extends Placed>({ events, stamp, answers }: SequencedWork<Each>) => {
    const outcomes = events.map((event) => ({ stamped: stamp({ ...event }) }))
    const keyed = answers?.(outcomes) ?? []
    await new Promise((resolve) => setImmediate(resolve))
    kept.push(...events)
    groups.push(events.length)
    for (const { key, answer } of keyed) answered.set(key, answer)
    return outcomes
  }
  const log = { append: async () => {}, answered: (_: string, key: string) => answered.get(key), close: async () => {} }
  const stamp = (event: Event): Stamped => ({ event, pk: `${++seq}`, seq, answer: `${seq}` })
  const idempotency = createIdempotency('q', log)
  const ingest = createBatchIngest({
    idempotency,
    times: createTimeNotes('q', 0),
    read: (text) => JSON.parse(text) as Event,
    openParts: createTurnParts({ turns: { take, isOneByOne: false, groupOf: () => group }, idempotency, stamp }),
  })
  return { ingest, kept, groups }
}

test('of batches that bring the same events at once, behind events that were kept before, each is kept once', async (t) => {
  const { ingest, kept } = createIngest(new Map([[nameOfEvent('old'), 'its answer']]))
  const lines = ['new', 'old', 'newer'].map((_id) => JSON.stringify({ _id }))
  const body = Buffer.from(`${lines.join('\n')}\n`)
  const batches = await Promise.all([1, 2, 3].map(() => ingest(body, undefined, () => {})))
  t.deepEqual(
    batches.map(({ answer }) => JSON.parse(answer).accepted),
    [3, 3, 3],
  )
  t.deepEqual(kept, [{ _id: 'new' }, { _id: 'newer' }])
})

test('keys of events go to the log two thousand at a time', async (t) => {
  const { ingest, groups } = createIngest(new Map(), 4_096)
  const lines = Array.from({ length: 4_500 }, (_, i) => JSON.stringify({ _id: `event ${i}` }))
  const { answer } = await ingest(Buffer.from(lines.join('\n')), undefined, () => {})
  t.is(JSON.parse(answer).accepted, 4_500)
  t.deepEqual(groups, [2_000, 2_000, 500])
})

test('a turn that fails as a whole ends its batch: it is no fault of the line behind it', async (t) => {
  const idempotency = createIdempotency('q', { answered: () => undefined })
  let turns = 0
  const take = async () => {
    turns++
    throw new Refusal('the model takes none of these')
  }
  const ingest = createBatchIngest({
    idempotency,
    times: createTimeNotes('q', 0),
    read: (text) => JSON.parse(text) as Event,
    openParts: createTurnParts({
      turns: { take, isOneByOne: false, groupOf: () => 2 },
      idempotency,
      stamp: (event) => ({ event, pk: '1', seq: 1, answer: '1' }),
    }),
  })
  const body = Buffer.from('{"n":1}\n{"n":2}\n{"n":3}\n{"n":4}\n')
  await t.throwsAsync(
    ingest(body, undefined, () => {}),
    { message: 'the model takes none of these' },
  )
  t.is(turns, 1)
})

/** A sequencer that refuses events of `wrong`, fails as a whole at one of `broken`, and otherwise tells the groups it took. */
function createGathered(error: Error) {
  const groups: string[] = []
  let seq = 0
  const take = async <Each extends Placed>({ events, stamp }: SequencedWork<Each>) => {
    if (events.some(({ name }) => name === 'broken')) throw error
    groups.push(events.map(({ name }) => name).join())
    return events.map((event) =>
      event.name === 'wrong' ? { error: new Refusal('wrong') } : { stamped: stamp({ ...event }) },
    )
  }
  const one = createOneEvent({
    take,
    sequencer: { take, isOneByOne: false, isGathered: true, groupOf: () => 3 },
    idempotency: createIdempotency('q', { answered: () => undefined }),
    stamp: (event: Event): Stamped => ({ event, pk: `${++seq}`, seq, answer: `${event.name}` }),
  })
  const post = async (...names: readonly string[]) => {
    const all = await Promise.allSettled(names.map((name) => one({ event: { name }, bytes: 10 }, [], false)))
    return all.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))
  }
  return { one, post, groups }
}

test('events that come alone at once take their turns together, each with its own answer', async (t) => {
  const { post, groups } = createGathered(new Error('unused'))
  t.deepEqual(await post('a', 'wrong', 'b', 'c', 'd'), ['a', 'wrong', 'b', 'c', 'd'])
  t.deepEqual(groups, ['a,wrong,b', 'c,d'])
})

test('an event with a key, and one of a page, take a turn of their own', async (t) => {
  const { one, groups } = createGathered(new Error('unused'))
  await Promise.all([
    one({ event: { name: 'a' }, bytes: 10 }, [], false),
    one({ event: { name: 'keyed' }, bytes: 10 }, [{ name: 'key' }], false),
    one({ event: { name: 'paged' }, bytes: 10 }, [], true),
    one({ event: { name: 'b' }, bytes: 10 }, [], false),
  ])
  t.deepEqual(groups, ['keyed', 'paged', 'a,b'])
})

test('a turn that fails by one of its events is taken again for each of them alone', async (t) => {
  const { post, groups } = createGathered(new Error('it broke'))
  t.deepEqual(await post('a', 'broken', 'b'), ['a', 'it broke', 'b'])
  t.deepEqual(groups, ['a', 'b'])
})

test('a fault of a turn is told to all of its events', async (t) => {
  const { post, groups } = createGathered(fault('limited', 'the log is full', { retryAfter: 1 }))
  t.deepEqual(await post('a', 'broken', 'b'), ['the log is full', 'the log is full', 'the log is full'])
  t.deepEqual(groups, [])
})
