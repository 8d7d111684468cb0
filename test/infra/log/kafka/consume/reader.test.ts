import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { realTime } from '../../../../../base/time.ts'
import { ClickHouseError } from '../../../../../infra/clickhouse/clickhouse.ts'
import { createReader, type ReaderPlaces } from '../../../../../infra/log/kafka/consume/reader.ts'
import type { KafkaRecord } from '../../../../../infra/log/kafka/partition.ts'
import { createInsertPlaces } from '../../../../../infra/log/shared/insert-places.ts'
import { silentLogger } from '../../../../../infra/logger.ts'
import { createMetrics } from '../../../../../infra/metrics.ts'
import { randomFor } from '../../../../support/random/seed.ts'
import { until } from '../../../../support/until.ts'

const isAwaited = (reader: { readonly isAwaited: () => boolean }): boolean => reader.isAwaited()
const places = (): { well: ReaderPlaces; failing: ReaderPlaces } => ({
  well: createInsertPlaces(2, isAwaited),
  failing: createInsertPlaces(1, isAwaited),
})

/** A topic in memory: two records at most are fetched at once. */
function createTopic(partitions: number) {
  const records: KafkaRecord[][] = Array.from({ length: partitions }, () => [])
  return {
    add(partition: number, lines: string): void {
      const all = records[partition] ?? []
      all.push({ offset: all.length, key: null, value: Buffer.from(lines), appended_ms: 0 })
    },
    ends: () => new Map(records.map((all, partition) => [partition, all.length])),
    async fetch(partition: number, offset: number) {
      const all = records[partition] ?? []
      const found = all.slice(offset, offset + 2)
      return { records: found, next: offset + found.length, end: all.length }
    },
  }
}

type Row = { readonly _lane: number; readonly _position: number; readonly _seq?: number; readonly _line?: string }

/** A table that passes over rows that are not above the last position of their lane, as those of ClickHouse do. */
function createTable() {
  const marks = new Map<number, number>()
  const rows: Row[] = []
  return {
    rows,
    insert(lines: Buffer): void {
      const before = new Map(marks)
      for (const text of lines.toString('utf8').split('\n')) {
        if (text === '') continue
        const row: Row = JSON.parse(text)
        if (row._position <= (before.get(row._lane) ?? 0)) continue
        rows.push(row)
        marks.set(row._lane, Math.max(row._position, marks.get(row._lane) ?? 0))
      }
    },
  }
}

const none = new Map<number, number>()
/** Pauses are a fiftieth of theirs. */
const quick = { after: (ms: number, then: () => void) => realTime.after(ms / 50, then) }

test('each event comes once and in its order, whatever fails, is refused, stops half-way and begins anew', async (t) => {
  const random = randomFor(t)
  for (let round = 0; round < 20; round++) {
    const partitions = random.whole(1, 3)
    const topic = createTopic(partitions)
    // Two tables, as views make them: an insert that fails may have reached the first alone.
    const [one, other] = [createTable(), createTable()]
    let committed: ReadonlyMap<number, number> = none
    let [seq, foreign, refused] = [0, 0, 0]
    const expected: number[] = []
    const open = () =>
      createReader({
        ...{ queue: 's.a', begin: { offsets: committed, base: 100 }, places: places(), onReached() {} },
        ...{ logger: silentLogger(), metrics: createMetrics(), time: quick },
        fetch: async (partition, offset) => {
          if (random.chance(0.05)) throw new Error('no Kafka')
          return topic.fetch(partition, offset)
        },
        async insert(rows) {
          if (rows.includes('"bad":')) throw new ClickHouseError(117, 'bad data')
          if (random.chance(0.1)) throw new ClickHouseError(241, 'no memory')
          one.insert(rows)
          if (random.chance(0.1)) throw new Error('went away')
          other.insert(rows)
        },
        async commit(offsets) {
          if (random.chance(0.5)) committed = offsets
          else throw new Error('no coordinator')
        },
      })
    let reader = open()
    for (let step = 0; step < 30; step++) {
      const partition = random.whole(0, partitions - 1)
      const kind = random.whole(0, 9)
      if (kind === 0) {
        topic.add(partition, `foreign ${foreign++}`)
      } else if (kind === 1) {
        topic.add(partition, `{"_pk":1,"_seq":${++seq},"bad":1}\n{"_pk":1,"_seq":${++seq}}\n`)
        refused++
      } else {
        const lines = Array.from({ length: random.whole(1, 3) }, () => `{"_pk":1,"_seq":${++seq}}\n`)
        for (let back = lines.length - 1; back >= 0; back--) expected.push(seq - back)
        topic.add(partition, lines.join(''))
      }
      reader.see(topic.ends())
      if (random.chance(0.3)) reader.hurry()
      if (random.chance(0.2)) await sleep(random.whole(0, 20))
      if (random.chance(0.1)) {
        // Unlike a kill it ends the insert, which a watermark has to pass over as well.
        await reader.stop()
        reader = open()
      }
    }
    reader.see(topic.ends())
    const isThrough = () => [...topic.ends()].every(([partition, end]) => (reader.reached().get(partition) ?? 0) >= end)
    await until('all is taken', isThrough, 60_000)
    await reader.stop()
    for (const { rows } of [one, other]) {
      const seqs = rows.flatMap(({ _seq }) => (_seq === undefined ? [] : [_seq]))
      t.deepEqual(
        seqs.toSorted((a, b) => a - b),
        expected,
      )
      t.is(rows.filter(({ _line }) => _line !== undefined).length, foreign + refused)
      for (let lane = 0; lane < partitions; lane++) {
        const ofLane = rows.filter(({ _lane }) => _lane === lane).map(({ _position }) => _position)
        t.deepEqual(
          ofLane,
          ofLane.toSorted((a, b) => a - b),
        )
      }
    }
  }
})

test('a reader that fails says why, keeps no other waiting, and goes on by itself', async (t) => {
  const shared = places()
  const [failing, well] = [createTopic(1), createTopic(1)]
  let isAway = true
  const readerOf = (queue: string, topic: ReturnType<typeof createTopic>, insert: () => Promise<void>) =>
    createReader({
      ...{ queue, begin: { offsets: none, base: 0 }, places: shared, onReached() {}, insert },
      ...{ logger: silentLogger(), metrics: createMetrics(), fetch: topic.fetch, commit: async () => {} },
    })
  const one = readerOf('s.a', failing, async () => {
    if (isAway) throw new Error('ClickHouse is away')
  })
  const other = readerOf('s.b', well, async () => {})
  for (const [reader, topic] of [
    [one, failing],
    [other, well],
  ] as const) {
    topic.add(0, '{"_pk":1,"_seq":1}\n')
    reader.see(topic.ends())
  }
  await until('the other has taken it', () => other.reached().get(0) === 1, 60_000)
  await until('the reason', () => one.trouble() === 'ClickHouse is away', 60_000)
  isAway = false
  await until('it goes on', () => one.reached().get(0) === 1, 60_000)
  t.is(one.trouble(), undefined)
  await Promise.all([one.stop(), other.stop()])
})

test('a record that is known and cannot be read yet is asked for again, and not without a pause', async (t) => {
  const topic = createTopic(1)
  let [asked, isReadable] = [0, false]
  const reader = createReader({
    ...{ queue: 's.a', begin: { offsets: none, base: 0 }, places: places(), onReached() {}, async insert() {} },
    ...{ logger: silentLogger(), metrics: createMetrics(), commit: async () => {} },
    fetch: async (partition, offset) => {
      asked++
      return isReadable ? topic.fetch(partition, offset) : { records: [], next: offset, end: offset }
    },
  })
  topic.add(0, '{"_pk":1,"_seq":1}\n')
  reader.see(topic.ends())
  await until('it was asked for again', () => asked > 2, 60_000)
  const before = asked
  await sleep(300)
  t.true(asked - before < 20, `${asked - before} times`)
  isReadable = true
  await until('it is taken', () => reader.reached().get(0) === 1, 60_000)
  await reader.stop()
})

test('a topic that was made anew is read from its begin, and nothing is waited for that it no longer has', async (t) => {
  const topic = createTopic(1)
  let asked = 0
  const reader = createReader({
    ...{ queue: 's.a', begin: { offsets: new Map([[0, 50]]), base: 0 }, places: places(), onReached() {} },
    ...{ logger: silentLogger(), metrics: createMetrics(), commit: async () => {}, time: quick, async insert() {} },
    fetch: async (partition, offset) => {
      asked++
      return offset > 2 ? { records: [], next: 0, end: 2 } : topic.fetch(partition, offset)
    },
  })
  for (const seq of [1, 2]) topic.add(0, `{"_pk":1,"_seq":${seq}}\n`)
  reader.see(new Map([[0, 51]]))
  await until('it begins again', () => reader.reached().get(0) === 2, 60_000)
  await sleep(100)
  const before = asked
  await sleep(100)
  t.is(asked, before)
  await reader.stop()
})

test('a partition that cannot be fetched keeps the others of its stream from nothing', async (t) => {
  const topic = createTopic(2)
  const reader = createReader({
    ...{ queue: 's.a', begin: { offsets: none, base: 0 }, places: places(), onReached() {}, async insert() {} },
    ...{ logger: silentLogger(), metrics: createMetrics(), commit: async () => {}, time: quick },
    fetch: async (partition, offset) => {
      if (partition === 0) throw new Error('no leader')
      return topic.fetch(partition, offset)
    },
  })
  for (const partition of [0, 1]) topic.add(partition, '{"_pk":1,"_seq":1}\n')
  reader.see(topic.ends())
  await until('the other partition is taken', () => reader.reached().get(1) === 1, 60_000)
  await until('the reason', () => reader.trouble() === 'no leader', 60_000)
  t.is(reader.reached().get(0) ?? 0, 0)
  await reader.stop()
})
