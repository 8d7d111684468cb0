import { graphOfQueue } from '../../../sql/schema/names.ts'
import type { Logger } from '../../logger.ts'
import type { Metrics } from '../../metrics.ts'
import type { Batch, Chunk, LogSource } from '../port.ts'
import { isForMemory } from '../shared/insert-errors.ts'
import { leftOf } from './chunk.ts'
import { type NextBatch, oldestEvent, piecesOf } from './feeder-batch.ts'
import { createInsert, type Feed } from './feeder-insert.ts'
import { type Backlog, markWell, type QueueState, settle } from './queue-state.ts'

export type BatchFeedingDeps = {
  readonly source: LogSource
  readonly feed: Feed
  readonly logger: Logger
  readonly metrics: Metrics
  readonly isShared: boolean
  readonly backlog: Pick<Backlog, 'fed'>
}

/** A batch for which ClickHouse had no memory this many times is halved, again and again until it fits. */
const starvedEnough = 2
/**
 * Of the 1,000 tokens that a table remembers an insert takes one for each of its partitions, 32 at most. After this
 * many inserts, or after this time where other processes insert as well, a token may be forgotten.
 */
const insertsRemembered = 25
const sharedRemembered_ms = 10_000

/**
 * Brings a batch into ClickHouse exactly once: its bounds are written down before the insert, and what a table may have taken
 * twice all the same is noted as a doubt.
 */
export function createBatchFeeding({ source, feed, logger, metrics, isShared, backlog }: BatchFeedingDeps) {
  const insert = createInsert({ feed, logger, metrics })
  /** Inserts that have ended. */
  let ended = 0
  /** Queues with a batch that an earlier process began. */
  const leftBehind = new Set([...source.queues()].filter((queue) => source.begun(queue)))
  let onDoubt = (): void => {}

  /** Whether some table may have taken a part of the batch twice. */
  function isDoubtful({ queue, attempted }: QueueState, { batch }: NextBatch): boolean {
    if (batch.isDoubtful || (batch.cuts ?? 0) > 0 || (isShared && leftBehind.has(queue))) return true
    if (!attempted) return false
    return (
      ended - attempted.inserts > insertsRemembered ||
      (isShared && performance.now() - attempted.at_ms > sharedRemembered_ms)
    )
  }

  /**
   * Halves a batch that has no memory as a whole. The cuts are written down, so that each repeat cuts it alike. Lines of
   * graphs are never cut: no events are there to compare them with, if a table took some before.
   */
  async function cutStarved(state: QueueState, { batch, rows }: NextBatch, error: unknown): Promise<void> {
    state.starved = isForMemory(error) ? state.starved + 1 : 0
    const cuts = (batch.cuts ?? 0) + 1
    if (state.starved < starvedEnough || 2 ** cuts > 2 * rows || graphOfQueue(state.queue) !== undefined) return
    state.starved = 0
    logger.warn({ queue: state.queue, rows, cuts }, 'ClickHouse has no memory for a batch, halving it')
    await source.begin(state.queue, { ...batch, cuts })
  }

  /** Keeps all lines of chunks that are not as they were written: to which of them the damage came is not known. */
  async function rejectDamaged(queue: string, damaged: readonly Chunk[], token: string): Promise<void> {
    for (const chunk of damaged) {
      const { position, rows, damage } = chunk
      logger.error({ queue, position, rows, damage }, 'a part of the log is damaged, its events are rejected')
      metrics.eventsRejected.inc({ stream: queue }, rows)
      // No stream has a table for lines of a graph that came from a client.
      if (graphOfQueue(queue) !== undefined) continue
      const reason = `a part of the log with ${rows} events is damaged: ${damage}`
      await feed.reject(queue, leftOf(chunk), reason, `${token}:damaged ${position}`)
    }
  }

  /** Returns the milliseconds that the insert took. */
  async function feedOne(state: QueueState, next: NextBatch): Promise<number> {
    const { lines, rows } = next
    const { queue } = state
    state.attempted ??= { inserts: ended, at_ms: performance.now() }
    // Written down with the batch: a restart, or a disk that is full at its end, forgets no doubt.
    const batch = isDoubtful(state, next) ? { ...next.batch, isDoubtful: true } : next.batch
    await source.begin(queue, batch)
    const started = performance.now()
    const token = `${queue}:${batch.first}-${batch.last}`
    const { cuts = 0 } = batch
    const graph = graphOfQueue(queue)
    try {
      // No events are there to compare a graph's triples with, so a doubt is settled before the insert.
      const wanted = graph !== undefined && batch.isDoubtful ? await feed.lackingOfGraph(graph, lines) : lines
      for (const [piece, part] of lines.length === 0 ? [] : piecesOf(wanted, cuts).entries()) {
        // Tried before as a part of something larger, under another token.
        if (cuts > 0 && (await feed.isThere(queue, part))) continue
        await insert(queue, part, cuts === 0 ? token : `${token}/${cuts}.${piece}`)
      }
      await rejectDamaged(queue, next.damaged, token)
    } catch (error) {
      await cutStarved(state, { ...next, batch }, error)
      throw error
    } finally {
      ended++
    }
    const cost_ms = performance.now() - started
    const doubtSince_us = isDoubtful(state, { ...next, batch }) ? oldestEvent(lines) : undefined
    markWell(state, source)
    // The rows can be read: queries need not wait until the log has forgotten them. A doubt is known before they are fed.
    if (doubtSince_us === undefined) settle(state, batch.last)
    metrics.batches.observe(cost_ms / 1000)
    metrics.batchRows.observe(rows)
    await source.finish(queue, batch, doubtSince_us)
    settle(state, batch.last)
    leftBehind.delete(queue)
    if (doubtSince_us !== undefined) onDoubt()
    backlog.fed(lines.length, cost_ms)
    return cost_ms
  }

  return {
    feed: feedOne,
    /** Queues with a batch that an earlier process began, which some table may have although its token is gone. */
    leftBehind(): readonly string[] {
      const mayBeThere = ({ isDoubtful, cuts = 0 }: Partial<Batch> = {}) => isDoubtful === true || cuts > 0
      return [...leftBehind].filter((queue) => mayBeThere(source.begun(queue)))
    },
    onDoubt(found: () => void): void {
      onDoubt = found
    },
  }
}
