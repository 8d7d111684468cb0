import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { fault } from '../../../base/faults.ts'
import type { Batch, Chunk, Doubt, EventLog, KeyedAnswer, LogSource } from '../port.ts'
import { createAnswers } from './answers.ts'
import { type Commit, committed, encodeChunk, gather, headerBytes, upTo } from './commit.ts'
import { clockName, copyLog, fileName } from './copy-log.ts'
import { needRoom } from './disk-room.ts'
import { createKeptClock } from './kept-clock.ts'

export type LmdbLogOptions = {
  readonly path: string
  readonly maxBytes: number
  /** Idempotency keys that are remembered at most. */
  readonly maxKeys?: number
  readonly fsync?: boolean
}

/** Room that new lines leave on the disk, for ClickHouse and for the log's own marks. */
const reservedBytes = 64 * 1024 * 1024
/** Enough for a batch's bounds, or to take it out. */
const markBytes = 1024 * 1024
/**
 * The part of the log that queues whose events ClickHouse refuses may fill together, while it takes the events of
 * others.
 */
const failingShare = 0.5
const othersFed_ms = 600_000

/**
 * The embedded log: an LMDB file that holds each line until its batch is in ClickHouse.
 *
 * Lines that arrive while a commit is under way gather, and the next commit takes them as one chunk a queue.
 * Positions are values of the clock, which is kept beside it.
 */
export function createLmdbLog({ path, maxBytes, maxKeys = Number.MAX_SAFE_INTEGER, fsync = true }: LmdbLogOptions) {
  mkdirSync(path, { recursive: true })
  const root: RootDatabase = open({ path: join(path, fileName), maxDbs: 16, overlappingSync: !fsync })
  /** Queue, position, and the length of the lines, so that a start reads no line. */
  const chunks: Database<Buffer, [string, number, number]> = root.openDB({ name: 'chunks', encoding: 'binary' })
  const batches: Database<Batch, string> = root.openDB({ name: 'batches' })
  const state: Database<number, string> = root.openDB({ name: 'state' })
  const doubts: Database<number, string> = root.openDB({ name: 'doubts' })
  const notes: Database<string, string> = root.openDB({ name: 'notes' })
  noteBoot()

  const id = state.get('id') ?? newId()
  const ends = new Map<string, number>()
  const bytesOf = new Map<string, number>()
  let bytes = 0
  const timesNoted = new Map<string, number>()
  const failing = new Set<string>()
  /** Bytes of the queues that fail. */
  let failingBytes = 0
  /** The latest batches that were finished, of two queues. */
  let fed: readonly { readonly queue: string; readonly at_ms: number }[] = []
  for (const key of chunks.getKeys()) {
    const [queue, position, length] = key
    ends.set(queue, position)
    grow(queue, length)
  }
  const listeners: ((queue: string, rows: number) => void)[] = []
  const clock = createKeptClock(join(path, clockName), Math.max(0, ...ends.values()))
  const answers = createAnswers(root, { known_us: clock.last() })

  /** Commits that wait, in their order. */
  const waiting: Commit[] = []
  /** Length of the lines that are not committed yet. */
  let uncommitted = 0
  let committing: Promise<void> | undefined

  /** Batches bear it: one that is not kept would be another log's after a restart. */
  function newId(): number {
    const made = randomInt(2 ** 47)
    needRoom(path, markBytes)
    state.putSync('id', made)
    return made
  }

  /**
   * Marks the batches that were under way when the machine went down: they may have lost a part that is synced, or its
   * token.
   */
  function noteBoot(): void {
    const now = bootName()
    if (notes.get('boot') === now) return
    needRoom(path, markBytes)
    root.transactionSync(() => {
      for (const { key, value } of [...batches.getRange()]) void batches.put(key, { ...value, isDoubtful: true })
      void notes.put('boot', now)
    })
  }

  /** False means that ClickHouse is away: then a queue that fails may fill the whole log. */
  const areOthersFed = (queue: string): boolean =>
    fed.some((each) => each.queue !== queue && performance.now() - each.at_ms < othersFed_ms)

  function grow(queue: string, length: number): void {
    bytes += length
    if (failing.has(queue)) failingBytes += length
    bytesOf.set(queue, (bytesOf.get(queue) ?? 0) + length)
  }

  async function commitAll(): Promise<void> {
    for (let commit = waiting.shift(); commit; commit = waiting.shift()) {
      try {
        const position = await write(commit)
        commit.settle.resolve(position)
        for (const [queue, { rows }] of commit.queues) for (const listener of listeners) listener(queue, rows)
      } catch (error) {
        commit.settle.reject(
          fault('limited', 'the log could not be written, its disk may be full', { retryAfter: 5, cause: error }),
        )
      }
      uncommitted -= commit.bytes
    }
    committing = undefined
  }

  async function write({ queues, bytes: length }: Commit): Promise<number> {
    needRoom(path, reservedBytes + 4 * length)
    const position = clock.next()
    const values = [...queues].map(([queue, part]) => ({ queue, part, value: encodeChunk(part.lines, part.rows) }))
    const writes = new Set<Promise<boolean>>()
    try {
      for (const { queue, part, value } of values) {
        writes.add(chunks.put([queue, position, value.length - headerBytes], value))
        for (const write of answers.put(queue, part.answers, position)) writes.add(write)
      }
    } catch (error) {
      // Undone in the same turn, hence in the same transaction: nothing of the commit stays.
      for (const { queue, part, value } of values) {
        writes.add(chunks.remove([queue, position, value.length - headerBytes]))
        for (const write of answers.unput(queue, part.answers, position)) writes.add(write)
      }
      await committed(writes)
      throw error
    }
    await committed(writes)
    for (const { queue, value } of values) {
      grow(queue, value.length - headerBytes)
      ends.set(queue, position)
    }
    return position
  }

  const log = {
    /** Resolves to the position of the lines. */
    async append(queue: string, lines: Buffer, rows: number, keyed: readonly KeyedAnswer[] = []): Promise<number> {
      if (bytes + uncommitted + lines.length > maxBytes) {
        throw fault('limited', `the log is full: ${bytes} bytes wait for ClickHouse`, {
          retryAfter: 1,
          limit: 'MAX_LOG_MB',
        })
      }
      if (
        failing.has(queue) &&
        areOthersFed(queue) &&
        failingBytes + uncommitted + lines.length > maxBytes * failingShare
      ) {
        throw fault(
          'limited',
          `ClickHouse takes no events of ${queue}, and ${failingBytes} bytes of such wait for it`,
          {
            retryAfter: 5,
            limit: 'MAX_LOG_MB',
          },
        )
      }
      if (keyed.length > 0 && answers.count() + keyed.length > maxKeys) {
        throw fault('limited', `${maxKeys} idempotency keys of the last day are remembered, and no more can be`, {
          retryAfter: 60,
          limit: 'MAX_KEYS',
        })
      }
      uncommitted += lines.length
      const { done } = gather(waiting, queue, { lines, rows, answers: keyed })
      committing ??= commitAll()
      return done
    },
    answered: answers.get,
    async close(): Promise<void> {
      await answers.close()
      await committing
      clock.close()
      await root.close()
    },
  } satisfies EventLog

  const source: LogSource = {
    queues: () => [...ends.keys()],
    end: (queue) => ends.get(queue) ?? 0,
    *chunks(queue, through = Number.MAX_SAFE_INTEGER): Iterable<Chunk> {
      for (const { key, value } of chunks.getRange(upTo(queue, through))) {
        yield { position: key[1], rows: value.readUInt32BE(0), lines: value.subarray(headerBytes) }
      }
    },
    begun: (queue) => batches.get(queue),
    async begin(queue, batch) {
      needRoom(path, markBytes)
      await committed([batches.put(queue, batch)])
    },
    async finish(queue, batch, doubtSince_us) {
      needRoom(path, markBytes)
      const removed = await root.transaction(() => {
        let length = 0
        for (const { key, value } of chunks.getRange(upTo(queue, batch.last))) {
          length += value.length - headerBytes
          void chunks.remove(key)
        }
        void batches.remove(queue)
        if (doubtSince_us !== undefined)
          void doubts.put(queue, Math.min(doubtSince_us, doubts.get(queue) ?? doubtSince_us))
        return length
      })
      // Only now: lines were appended during the wait.
      grow(queue, -removed)
      fed = [{ queue, at_ms: performance.now() }, ...fed.filter((each) => each.queue !== queue)].slice(0, 2)
      if (doubtSince_us !== undefined) timesNoted.set(queue, (timesNoted.get(queue) ?? 0) + 1)
    },
    doubts: (): Doubt[] =>
      [...doubts.getRange()].map(({ key, value }) => ({
        queue: key,
        since_us: value,
        noted: timesNoted.get(key) ?? 0,
      })),
    async settle({ queue, noted }) {
      await root.transaction(() => {
        if ((timesNoted.get(queue) ?? 0) === noted) void doubts.remove(queue)
      })
    },
    oldest(queue) {
      const [key] = chunks.getKeys({ ...upTo(queue, Number.MAX_SAFE_INTEGER), limit: 1 })
      return key?.[1]
    },
    fails(queue, isFailing) {
      if (failing.has(queue) === isFailing) return
      failingBytes += (isFailing ? 1 : -1) * (bytesOf.get(queue) ?? 0)
      if (isFailing) failing.add(queue)
      else failing.delete(queue)
    },
    wellBytes: () => bytes - failingBytes,
    async drop(queue) {
      source.fails(queue, false)
      await source.finish(queue, { first: 0, last: Number.MAX_SAFE_INTEGER })
      await answers.drop(queue)
      if (doubts.get(queue) !== undefined) await doubts.remove(queue)
      ends.delete(queue)
      bytesOf.delete(queue)
    },
    bytes: (queue) => (queue === undefined ? bytes : (bytesOf.get(queue) ?? 0)),
    onAppend: (listener) => {
      listeners.push(listener)
    },
  }
  return {
    log,
    source,
    clock,
    /** Copies the log as it is at one moment between the call and its end; appends go on. */
    copy: (folder: string): Promise<void> => copyLog(root, path, folder),
    /** Sets the batches of this log apart from batches of other processes: positions alone may coincide. */
    id: id.toString(36),
  }
}

/** A name of the machine's current boot: bytes that are not synced end with it, however the process ended. */
function bootName(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return `since ${Math.round((Date.now() / 1000 - uptime()) / 60)}`
  }
}

export type LmdbLog = ReturnType<typeof createLmdbLog>
