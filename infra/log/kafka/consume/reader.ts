import { moveUnlessOver, type States } from '../../../../base/states.ts'
import { realTime, type Time } from '../../../../base/time.ts'
import type { Logger } from '../../../logger.ts'
import type { Metrics } from '../../../metrics.ts'
import { isForMemory, isRefusedByData } from '../../shared/insert-errors.ts'
import type { InsertPlaces } from '../../shared/insert-places.ts'
import type { Fetched } from '../partition.ts'
import type { Offsets } from '../topics.ts'
import { type Delivered, deliveredRows, refusedRow } from './delivered-rows.ts'

/** Where a reader begins: the offsets by partition, and the number that makes positions of offsets. */
export type Begin = { readonly offsets: Offsets; readonly base: number }

export type ReaderPlaces = InsertPlaces<{ readonly isAwaited: () => boolean }>

export type ReaderDeps = {
  readonly queue: string
  readonly begin: Begin
  readonly fetch: (partition: number, offset: number) => Promise<Fetched>
  /** Inserts rows of delivered events; what a table has of them already it passes over. */
  readonly insert: (rows: Buffer) => Promise<void>
  /** Keeps the offsets from which a restart goes on. */
  readonly commit: (offsets: Offsets) => Promise<unknown>
  /** Of the inserts at a time, those of queues that are well, and those of queues whose last one failed. */
  readonly places: { readonly well: ReaderPlaces; readonly failing: ReaderPlaces }
  readonly onReached: () => void
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'batches' | 'batchRows' | 'eventsRejected' | 'feederFailures'>
  readonly time?: Pick<Time, 'after'>
}

/**
 * The states of the reader of a queue's topic.
 *
 * | State | What holds | What leads on | What a crash leaves |
 * |---|---|---|---|
 * | idle | All that is known to be in the topic is in ClickHouse. | A record that is acknowledged or seen makes it waiting. | Committed offsets, at most some behind. |
 * | waiting | It waits for its place among the inserts. | The place makes it reading, or idle where nothing is left to take. | The same. |
 * | reading | Records are fetched, or their rows inserted. | A full batch makes it waiting, another one resting, a fault failing. | Rows in some tables and not in others: the next reader takes the same records again, and each table passes over rows that it has. |
 * | resting | The last batch was small: the next one gathers records for some milliseconds. | The time, or a query, makes it waiting. | Committed offsets. |
 * | failing | The last attempt failed, and the next one comes after a pause. | The next attempt makes it waiting. | As in reading. |
 * | stopped | The schema is edited, the stream was deleted, or the service stops. | - | Committed offsets. |
 */
const readerStates: States<'idle' | 'waiting' | 'reading' | 'resting' | 'failing' | 'stopped'> = {
  idle: ['waiting', 'stopped'],
  waiting: ['reading', 'idle', 'failing', 'stopped'],
  reading: ['waiting', 'resting', 'failing', 'stopped'],
  resting: ['waiting', 'stopped'],
  failing: ['waiting', 'stopped'],
  stopped: [],
}

/** A batch is one block in ClickHouse; the records of one answer of Kafka may come on top. */
const batchBytes = 8 * 1024 * 1024
const batchRows = 65_536
/** A batch costs ClickHouse about the same whether it has a hundred rows or some thousands: a pause gathers them. */
const [shortestPause_ms, longestPause_ms] = [20, 100]
/** The longest pause where what is known to be there cannot be read yet. */
const longestWait_ms = 400
const [shortestBackOff_ms, longestBackOff_ms] = [100, 5_000]
/** A restart reads again what was not committed, so that a commit need not follow each insert. */
const [commitEvery_ms, commitAgain_ms] = [1_000, 5_000]
const longestCommit_ms = 2_000

/** Takes the records of a queue's topic into ClickHouse, from `begin` on, each partition in its order. */
export function createReader(deps: ReaderDeps) {
  const { queue, begin, fetch, insert, places, onReached, logger, metrics, time = realTime } = deps
  const mine: { state: keyof typeof readerStates } = { state: 'idle' }
  const next = new Map(begin.offsets)
  /** The offset behind the last known record, by partition. */
  const ends = new Map<number, number>()
  const committing = createCommits(() => deps.commit(new Map(next)), queue, logger)
  let running: Promise<void> | undefined
  let wake = (): void => {}
  let trouble: string | undefined
  let [isAwaited, fruitless, mostRows, turn] = [false, 0, batchRows, 0]

  const enter = (state: typeof mine.state): void => moveUnlessOver(readerStates, mine, state, `the reader of ${queue}`)
  const isStopped = (): boolean => mine.state === 'stopped'
  const behind = (): number[] => [...ends].flatMap(([at, end]) => (end > (next.get(at) ?? 0) ? [at] : []))

  function start(): void {
    if (isStopped() || behind().length === 0) return
    running ??= run().finally(() => {
      running = undefined
      start()
    })
  }

  async function run(): Promise<void> {
    for (let failures = 0; !isStopped(); ) {
      enter('waiting')
      try {
        const taken = await (trouble === undefined ? places.well : places.failing).use(reader, takeBatch)
        failures = 0
        trouble = undefined
        if (!taken) return enter('idle')
        if (taken.pause_ms > 0 && !isAwaited) await rest('resting', taken.pause_ms)
      } catch (error) {
        if (isStopped()) return
        metrics.feederFailures.inc()
        trouble = error instanceof Error ? error.message : String(error)
        logger.error({ err: error, queue, failures }, 'events of a topic not taken into ClickHouse, retrying')
        await rest('failing', Math.min(longestBackOff_ms, shortestBackOff_ms * 2 ** failures++))
      }
    }
  }

  function rest(state: 'resting' | 'failing', length_ms: number): Promise<void> {
    enter(state)
    if (isStopped()) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = time.after(length_ms, resolve)
      wake = () => {
        timer.stop()
        resolve()
      }
    })
  }

  /** Undefined where there was nothing to take. */
  async function takeBatch(): Promise<{ readonly pause_ms: number } | undefined> {
    if (isStopped() || behind().length === 0) return undefined
    enter('reading')
    const began_ms = performance.now()
    isAwaited = false
    const { records, reached, isFull, failure } = await gather()
    await bring(records)
    const before = new Map(next)
    for (const [partition, offset] of reached) next.set(partition, offset)
    if ([...next].some(([partition, offset]) => before.get(partition) !== offset)) {
      fruitless = 0
      onReached()
      committing.note()
    } else fruitless++
    if (failure) throw failure.error
    if (isFull) return { pause_ms: 0 }
    // A record that was acknowledged may be readable a moment later: where a transaction ends, when its end is written.
    if (fruitless > 0) return { pause_ms: Math.min(longestWait_ms, shortestPause_ms * 2 ** fruitless) }
    return { pause_ms: Math.min(longestPause_ms, Math.max(shortestPause_ms, performance.now() - began_ms)) }
  }

  /** Fetches as much as one insert takes. Each partition comes first in its turn, so that a busy one keeps no other waiting. */
  async function gather() {
    const records: Delivered[] = []
    const reached = new Map<number, number>()
    let [bytes, rows] = [0, 0]
    /** The first error of a fetch: records of the other partitions are taken all the same. */
    let failure: { readonly error: unknown } | undefined
    const fetchOrFail = (partition: number, at: number): Promise<Fetched | undefined> =>
      fetch(partition, at).catch((error: unknown) => {
        failure ??= { error }
        return undefined
      })
    const isFull = (): boolean => bytes >= batchBytes || rows >= mostRows
    const due = behind()
    const first = turn++ % due.length
    for (const partition of [...due.slice(first), ...due.slice(0, first)]) {
      for (let at = next.get(partition) ?? 0; !isFull() && at < (ends.get(partition) ?? 0); ) {
        const fetched = await fetchOrFail(partition, at)
        if (!fetched || fetched.next === at) break
        // The topic was made anew, or has lost its end: what was known of it holds no longer.
        if (fetched.next < at) ends.set(partition, fetched.end)
        for (const record of fetched.records) {
          if (isFull()) break
          const delivered = deliveredRows(record, partition, positionOf(record.offset))
          records.push(delivered)
          bytes += delivered.lines.length
          rows += delivered.rows
          at = record.offset + 1
        }
        if (!isFull()) at = fetched.next
        reached.set(partition, at)
        see(partition, fetched.end)
      }
    }
    return { records, reached, isFull: isFull(), failure }
  }

  const positionOf = (offset: number): number => begin.base + 1 + offset

  /** Halves records that ClickHouse refuses until the bad one stands alone. Where it has no memory, later batches are smaller. */
  async function bring(records: readonly Delivered[]): Promise<void> {
    const rows = records.reduce((sum, each) => sum + each.rows, 0)
    if (rows === 0) return
    // Another reader may have taken the queue over, where the end of this one was not waited for.
    if (isStopped()) throw new Error('the reader was stopped')
    const began_ms = performance.now()
    try {
      await insert(Buffer.concat(records.map(({ lines }) => lines)))
    } catch (error) {
      if (isForMemory(error)) mostRows = Math.max(1, Math.floor(Math.min(mostRows, rows) / 2))
      if (!isRefusedByData(error)) throw error
      const [only] = records
      if (records.length > 1) {
        const half = Math.ceil(records.length / 2)
        await bring(records.slice(0, half))
        await bring(records.slice(half))
      } else if (only) {
        // ClickHouse's message shows the line, which no log may: the table of rejected lines has both.
        logger.warn(
          { queue, code: error.code },
          'a message rejected by ClickHouse stands with the reason in __rejected',
        )
        await insert(refusedRow(only, positionOf(only.offset), error.message))
        metrics.eventsRejected.inc({ stream: queue }, only.rows)
      }
      return
    }
    mostRows = Math.min(batchRows, 2 * mostRows)
    metrics.batches.observe((performance.now() - began_ms) / 1000)
    metrics.batchRows.observe(rows)
    const rejected = records.reduce((sum, each) => sum + each.rejected, 0)
    if (rejected > 0) metrics.eventsRejected.inc({ stream: queue }, rejected)
  }

  function see(partition: number, end: number): void {
    if (end > (ends.get(partition) ?? 0)) ends.set(partition, end)
    if (!next.has(partition)) next.set(partition, 0)
  }

  const reader = {
    queue,
    isAwaited: (): boolean => isAwaited,
    trouble: (): string | undefined => trouble,
    /** Where it goes on, by partition: all before is in every table. */
    reached: (): Offsets => next,
    /** The topic has records before these offsets; partitions that are added begin at 0. */
    see(found: Offsets): void {
      for (const [partition, end] of found) see(partition, end)
      start()
    },
    /** A query waits for what is known to be there. */
    hurry(): void {
      isAwaited = true
      if (mine.state === 'resting') wake()
      for (const each of [places.well, places.failing]) each.hurry(reader)
      start()
    },
    /** Resolves once no insert is under way, and the offsets are committed or Kafka does not answer. */
    async stop(): Promise<void> {
      enter('stopped')
      wake()
      await running
      await committing.end()
    },
  }
  return reader
}

export type Reader = ReturnType<typeof createReader>

/** Commits offsets now and then, one request at a time. One that fails is made up for by the next. */
function createCommits(commit: () => Promise<unknown>, queue: string, logger: Logger) {
  let isDue = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  async function commitAll(): Promise<void> {
    isDue = false
    await commit().catch((error: unknown) => {
      isDue = true
      logger.debug({ err: error, queue }, 'offsets not committed')
    })
  }

  function begin(): void {
    timer = undefined
    running ??= commitAll().finally(() => {
      running = undefined
      if (isDue) note(commitAgain_ms)
    })
  }

  function note(after_ms = commitEvery_ms): void {
    isDue = true
    if (running === undefined) timer ??= setTimeout(begin, after_ms).unref()
  }

  return {
    note,
    async end(): Promise<void> {
      clearTimeout(timer)
      const last = async (): Promise<void> => {
        await running
        clearTimeout(timer)
        if (isDue) await commitAll()
      }
      await Promise.race([last(), new Promise((resolve) => setTimeout(resolve, longestCommit_ms).unref())])
    },
  }
}
