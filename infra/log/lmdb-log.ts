import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { fault } from '../faults.ts'
import { createKeptClock } from '../kept-clock.ts'
import { needRoom } from './disk-room.ts'
import type { Batch, Chunk, EventLog, KeyedAnswer, LogSource } from './event-log.ts'
import { createAnswers } from './lmdb-answers.ts'

export type LmdbLogOptions = { readonly path: string; readonly maxBytes: number; readonly fsync?: boolean }

type Gathering = { readonly lines: string[]; rows: number; readonly answers: KeyedAnswer[] }
type Commit = { readonly queues: Map<string, Gathering>; readonly done: Promise<number>; settle: Settle }
type Settle = { resolve(position: number): void; reject(error: unknown): void }

/** Room that new lines leave on the disk, for ClickHouse and for the log's own marks. */
const reservedBytes = 64 * 1024 * 1024
/** Enough for a batch's bounds, or to take it out. */
const markBytes = 1024 * 1024

/** A chunk on disk: its number of rows in four bytes, then its lines. */
const headerBytes = 4

/**
 * The embedded log: an LMDB file that holds each line until its batch is in ClickHouse.
 *
 * Lines that arrive while a commit is under way gather, and the next commit takes them all as one chunk a queue.
 * Positions are values of the clock, which is kept beside it.
 */
export function createLmdbLog({ path, maxBytes, fsync = true }: LmdbLogOptions) {
  mkdirSync(path, { recursive: true })
  const root: RootDatabase = open({ path: join(path, 'log.mdb'), maxDbs: 8, overlappingSync: !fsync })
  const chunks: Database<Buffer, [string, number]> = root.openDB({ name: 'chunks', encoding: 'binary' })
  const batches: Database<Batch, string> = root.openDB({ name: 'batches' })
  /** Where logs of an earlier version keep the clock. */
  const state: Database<number, string> = root.openDB({ name: 'state' })

  const answers = createAnswers(root)

  const id = state.get('id') ?? randomInt(2 ** 47)
  void state.put('id', id)

  const ends = new Map<string, number>()
  const listeners: ((queue: string, rows: number) => void)[] = []
  let bytes = 0
  for (const { key, value } of chunks.getRange()) {
    ends.set(key[0], key[1])
    bytes += value.length - headerBytes
  }
  const clock = createKeptClock(join(path, 'clock'), Math.max(state.get('clock') ?? 0, ...ends.values()))

  let gathering = newCommit()
  /** Length of the lines that are not committed yet. */
  let uncommitted = 0
  let committing: Promise<void> | undefined

  function newCommit(): Commit {
    let settle: Settle = { resolve() {}, reject() {} }
    const done = new Promise<number>((resolve, reject) => {
      settle = { resolve, reject }
    })
    done.catch(() => {})
    return { queues: new Map(), done, settle }
  }

  async function commitAll(): Promise<void> {
    while (gathering.queues.size > 0) {
      const commit = gathering
      const taken = uncommitted
      gathering = newCommit()
      try {
        const position = await write(commit.queues, taken)
        commit.settle.resolve(position)
        for (const [queue, { rows }] of commit.queues) for (const listener of listeners) listener(queue, rows)
      } catch (error) {
        commit.settle.reject(
          fault('limited', 'the log could not be written, its disk may be full', { retryAfter: 5, cause: error }),
        )
      }
      uncommitted -= taken
    }
    committing = undefined
  }

  /** What is put in one turn is committed together or not at all. */
  async function committed(writes: readonly Promise<boolean>[]): Promise<void> {
    try {
      await Promise.all(writes)
    } catch (error) {
      if (hasCommitError(error)) error.commitError.catch(() => {})
      throw error
    }
  }

  async function write(queues: Map<string, Gathering>, length: number): Promise<number> {
    needRoom(path, reservedBytes + 4 * length)
    const position = clock.next()
    let written = 0
    const writes: Promise<boolean>[] = []
    for (const [queue, { lines, rows, answers: keyed }] of queues) {
      writes.push(...answers.put(queue, keyed, position))
      const value = encodeChunk(lines, rows)
      written += value.length - headerBytes
      writes.push(chunks.put([queue, position], value))
    }
    await committed(writes)
    bytes += written
    for (const queue of queues.keys()) ends.set(queue, position)
    return position
  }

  const log = {
    /** Resolves to the position of the lines. */
    async append(queue: string, lines: string, rows: number, keyed: readonly KeyedAnswer[] = []): Promise<number> {
      if (bytes + uncommitted + lines.length > maxBytes) {
        throw fault('limited', `the log is full: ${bytes} bytes wait for ClickHouse`, { retryAfter: 1 })
      }
      const { queues, done } = gathering
      const part = queues.get(queue)
      uncommitted += lines.length
      if (part) {
        part.lines.push(lines)
        part.rows += rows
        part.answers.push(...keyed)
      } else queues.set(queue, { lines: [lines], rows, answers: [...keyed] })
      committing ??= commitAll()
      return done
    },
    answered: answers.get,
    async close(): Promise<void> {
      answers.close()
      await committing
      clock.close()
      await root.close()
    },
  } satisfies EventLog

  const source: LogSource = {
    queues: () => [...ends.keys()],
    end: (queue) => ends.get(queue) ?? 0,
    *chunks(queue, through = Number.MAX_SAFE_INTEGER): Iterable<Chunk> {
      for (const { key, value } of chunks.getRange({ start: [queue, 0], end: [queue, through], inclusiveEnd: true })) {
        yield { position: key[1], rows: value.readUInt32BE(0), lines: value.subarray(headerBytes) }
      }
    },
    begun: (queue) => batches.get(queue),
    async begin(queue, batch) {
      needRoom(path, markBytes)
      await committed([batches.put(queue, batch)])
    },
    async finish(queue, batch) {
      needRoom(path, markBytes)
      const removed = await root.transaction(() => {
        let length = 0
        for (const { key, value } of chunks.getRange({
          start: [queue, 0],
          end: [queue, batch.last],
          inclusiveEnd: true,
        })) {
          length += value.length - headerBytes
          void chunks.remove(key)
        }
        void batches.remove(queue)
        return length
      })
      // Not `bytes -= await ...`, which would forget what was appended during the wait.
      bytes -= removed
    },
    async drop(queue) {
      await source.finish(queue, { first: 0, last: Number.MAX_SAFE_INTEGER })
      await answers.drop(queue)
      ends.delete(queue)
    },
    bytes: () => bytes,
    onAppend: (listener) => {
      listeners.push(listener)
    },
  }
  return {
    log,
    source,
    clock,
    /** Tells this log from those of other processes: positions alone may meet. */
    id: id.toString(36),
  }
}

export type LmdbLog = ReturnType<typeof createLmdbLog>

const hasCommitError = (error: unknown): error is { commitError: Promise<unknown> } =>
  typeof error === 'object' && error !== null && 'commitError' in error && error.commitError instanceof Promise

function encodeChunk(lines: readonly string[], rows: number): Buffer {
  const text = lines.length === 1 ? (lines[0] ?? '') : lines.join('')
  const value = Buffer.allocUnsafe(headerBytes + Buffer.byteLength(text))
  value.writeUInt32BE(rows, 0)
  value.write(text, headerBytes)
  return value
}
