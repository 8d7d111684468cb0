import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { fault } from '../../faults.ts'
import type { Batch, Chunk, EventLog, KeyedAnswer, LogSource } from '../port.ts'
import { createAnswers } from './answers.ts'
import { encodeChunk, headerBytes, upTo } from './chunk.ts'
import { committed, type Gathering, newCommit } from './commit.ts'
import { clockName, copyLog, fileName } from './copy-log.ts'
import { needRoom } from './disk-room.ts'
import { createKeptClock } from './kept-clock.ts'

export type LmdbLogOptions = { readonly path: string; readonly maxBytes: number; readonly fsync?: boolean }

/** Room that new lines leave on the disk, for ClickHouse and for the log's own marks. */
const reservedBytes = 64 * 1024 * 1024
/** Enough for a batch's bounds, or to take it out. */
const markBytes = 1024 * 1024

/**
 * The embedded log: an LMDB file that holds each line until its batch is in ClickHouse.
 *
 * Lines that arrive while a commit is under way gather, and the next commit takes them all as one chunk a queue.
 * Positions are values of the clock, which is kept beside it.
 */
export function createLmdbLog({ path, maxBytes, fsync = true }: LmdbLogOptions) {
  mkdirSync(path, { recursive: true })
  const root: RootDatabase = open({ path: join(path, fileName), maxDbs: 8, overlappingSync: !fsync })
  /** Queue, position, and the length of the lines, so that a start reads no line. */
  const chunks: Database<Buffer, [string, number, number]> = root.openDB({ name: 'chunks', encoding: 'binary' })
  const batches: Database<Batch, string> = root.openDB({ name: 'batches' })
  const state: Database<number, string> = root.openDB({ name: 'state' })

  const answers = createAnswers(root)

  const id = state.get('id') ?? newId()
  const ends = new Map<string, number>()
  const bytesOf = new Map<string, number>()
  let bytes = 0
  for (const key of chunks.getKeys()) {
    const [queue, position, length = (chunks.get(key)?.length ?? headerBytes) - headerBytes] = key
    ends.set(queue, position)
    grow(queue, length)
  }
  const listeners: ((queue: string, rows: number) => void)[] = []
  const clock = createKeptClock(join(path, clockName), Math.max(0, ...ends.values()))

  let gathering = newCommit()
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

  function grow(queue: string, length: number): void {
    bytes += length
    bytesOf.set(queue, (bytesOf.get(queue) ?? 0) + length)
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

  async function write(queues: Map<string, Gathering>, length: number): Promise<number> {
    needRoom(path, reservedBytes + 4 * length)
    const position = clock.next()
    const written = new Map<string, number>()
    const writes: Promise<boolean>[] = []
    for (const [queue, { lines, rows, answers: keyed }] of queues) {
      writes.push(...answers.put(queue, keyed, position))
      const value = encodeChunk(lines, rows)
      written.set(queue, value.length - headerBytes)
      writes.push(chunks.put([queue, position, value.length - headerBytes], value))
    }
    await committed(writes)
    for (const [queue, size] of written) {
      grow(queue, size)
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
    async finish(queue, batch) {
      needRoom(path, markBytes)
      const removed = await root.transaction(() => {
        let length = 0
        for (const { key, value } of chunks.getRange(upTo(queue, batch.last))) {
          length += value.length - headerBytes
          void chunks.remove(key)
        }
        void batches.remove(queue)
        return length
      })
      // Only now: lines were appended during the wait.
      grow(queue, -removed)
    },
    async drop(queue) {
      await source.finish(queue, { first: 0, last: Number.MAX_SAFE_INTEGER })
      await answers.drop(queue)
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
    /** Of one moment between the call and its end; whoever appends goes on. */
    copy: (folder: string): Promise<void> => copyLog(root, path, folder),
    /** Tells this log from those of other processes: positions alone may meet. */
    id: id.toString(36),
  }
}

export type LmdbLog = ReturnType<typeof createLmdbLog>
