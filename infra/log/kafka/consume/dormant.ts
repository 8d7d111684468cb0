import type { Logger } from '../../../logger.ts'
import type { KafkaTopics, Offsets } from '../topics.ts'
import type { KafkaConsumers } from './consumers.ts'

export type DormantDeps = {
  readonly topics: Pick<KafkaTopics, 'endsOf' | 'committedOf' | 'lastData'>
  readonly logger: Logger
}

/** How often topics of dormant queues are looked at: another program may have written there. */
const usualLook_ms = 10_000

type Groups = Pick<KafkaConsumers, 'groupOf'>

/**
 * Queues all of whose events are in their tables, and whose consumers are not there yet. ClickHouse makes the plan of a
 * stream's views anew for each empty read of its topic, some eight times a second: 64 streams at rest keep a processor
 * busy, and a start would wait for it. So a queue is woken when there is something to take. Where the group of the process
 * before had committed all, queries are answered meanwhile.
 */
export function createDormant({ topics, logger }: DormantDeps, look_ms = usualLook_ms) {
  /** Dormant streams with the ends of their topics. */
  const dormant = new Map<string, Offsets>()
  const decided = new Set<string>()
  let deciding: Promise<void> | undefined
  let isLooking = false
  let awaken: (queue: string) => void = () => {}

  /** Partitions in which nothing is are committed by no group. */
  function isTaken(end: Offsets, committed: Offsets | undefined): boolean {
    return [...end].every(([partition, next]) => next === 0 || (committed?.get(partition) ?? -1) >= next)
  }

  /** Behind the last line there may be ends of transactions, which no consumer passes. */
  async function isTakenToLastLine(queue: string, committed: Offsets): Promise<boolean> {
    return [...(await topics.lastData(queue))].every(
      ([partition, last]) => last < 0 || (committed.get(partition) ?? -1) > last,
    )
  }

  async function decideAll(queues: readonly string[], { groupOf }: Groups, isMade: (queue: string) => boolean) {
    const ends = await topics.endsOf(queues)
    const groups = [...ends].flatMap(([queue, end]) => {
      const group = groupOf(queue)
      return group === undefined ? [] : [{ queue, group, partitions: [...end.keys()] }]
    })
    const committed = await topics.committedOf(groups)
    for (const queue of queues) {
      const [end, offsets] = [ends.get(queue), committed.get(queue)]
      if (end && offsets) {
        const isAll = isTaken(end, offsets) || (isMade(queue) && (await isTakenToLastLine(queue, offsets)))
        if (isAll) dormant.set(queue, end)
      }
      decided.add(queue)
    }
  }

  function wake(queue: string): void {
    if (dormant.delete(queue)) awaken(queue)
  }

  async function look(): Promise<void> {
    if (dormant.size === 0) return
    const ends = await topics.endsOf([...dormant.keys()])
    for (const [queue, before] of dormant) {
      const end = ends.get(queue)
      if (!end || [...end].some(([partition, next]) => before.get(partition) !== next)) wake(queue)
    }
  }

  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look()
      .catch((error: unknown) => logger.debug({ err: error }, 'ends of topics not known'))
      .finally(() => {
        isLooking = false
      })
  }, look_ms)
  timer.unref()

  return {
    areDecided: (queues: readonly string[]): boolean => queues.every((queue) => decided.has(queue)),
    has: (queue: string): boolean => dormant.has(queue),
    /**
     * Finds out which of these queues can be dormant: of each once, of all that are asked about by the same few requests.
     * `isMade` are those into which tasks write, by transactions.
     */
    async decide(queues: () => readonly string[], groups: Groups, isMade: (queue: string) => boolean): Promise<void> {
      for (;;) {
        if (deciding) await deciding
        const open = queues().filter((queue) => !decided.has(queue))
        if (open.length === 0) return
        deciding ??= decideAll(open, groups, isMade).finally(() => {
          deciding = undefined
        })
      }
    },
    /** The consumer of a queue was dropped: what `decide` found out of it holds no longer. */
    reconsider: (queue: string): unknown => decided.delete(queue),
    /** There is something to take. */
    wake,
    /** The queue has a consumer, or is deleted, or its stream is changed. */
    end(queue: string): void {
      dormant.delete(queue)
      decided.add(queue)
    },
    onWake(listener: (queue: string) => void): void {
      awaken = listener
    },
    close: (): void => clearInterval(timer),
  }
}

export type Dormant = ReturnType<typeof createDormant>
