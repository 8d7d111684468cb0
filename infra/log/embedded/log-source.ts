import type { Database, RootDatabase } from 'lmdb'
import type { Batch, Chunk, Doubt, LogSource } from '../port.ts'
import type { Answers } from '../shared/answers.ts'
import { committed, upTo } from '../shared/commit.ts'
import { needRoom } from '../shared/disk-room.ts'
import { type ChunkKey, decodeChunk } from './chunk.ts'
import type { QueueBytes } from './queue-bytes.ts'

export type LogSourceDeps = {
  readonly root: RootDatabase
  readonly path: string
  readonly chunks: Database<Buffer, ChunkKey>
  readonly batches: Database<Batch, string>
  readonly answers: Pick<Answers, 'drop'>
  readonly bytes: QueueBytes
  /** By queue: the greatest position that was acknowledged. */
  readonly ends: Map<string, number>
  /** Are called after each commit, for each queue that it touched. */
  readonly listeners: ((queue: string, rows: number) => void)[]
}

/** Enough for a batch's bounds, or to take it out. */
export const markBytes = 1024 * 1024

/** The feeder's side of the embedded log: chunks go out of it batch by batch, and doubts about a batch stay until they are settled. */
export function createLogSource(deps: LogSourceDeps): LogSource {
  const { root, path, chunks, batches, answers, bytes, ends, listeners } = deps
  const doubts: Database<number, string> = root.openDB({ name: 'doubts' })
  const timesNoted = new Map<string, number>()

  const source: LogSource = {
    queues: () => [...ends.keys()],
    end: (queue) => ends.get(queue) ?? 0,
    *chunks(queue, through = Number.MAX_SAFE_INTEGER): Iterable<Chunk> {
      for (const { key, value } of chunks.getRange(upTo(queue, through))) {
        yield decodeChunk(key, value)
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
        for (const key of chunks.getKeys(upTo(queue, batch.last))) {
          length += key[2]
          void chunks.remove(key)
        }
        void batches.remove(queue)
        if (doubtSince_us !== undefined)
          void doubts.put(queue, Math.min(doubtSince_us, doubts.get(queue) ?? doubtSince_us))
        return length
      })
      // Only now: lines were appended during the wait.
      bytes.grow(queue, -removed)
      bytes.fed(queue)
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
    fails: bytes.fails,
    wellBytes: bytes.ofWell,
    async drop(queue) {
      bytes.fails(queue, false)
      await source.finish(queue, { first: 0, last: Number.MAX_SAFE_INTEGER })
      await answers.drop(queue)
      if (doubts.get(queue) !== undefined) await doubts.remove(queue)
      ends.delete(queue)
      bytes.forget(queue)
    },
    bytes: (queue) => (queue === undefined ? bytes.all() : bytes.of(queue)),
    onAppend: (listener) => {
      listeners.push(listener)
    },
  }
  return source
}
