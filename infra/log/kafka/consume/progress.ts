import { fault } from '../../../../base/faults.ts'
import { inTime } from '../../../../base/in-time.ts'
import { realTime, type Time } from '../../../../base/time.ts'
import { isOfTurns, turnsQueue } from '../../../../sql/schema/names.ts'
import type { Logger } from '../../../logger.ts'
import type { TaskNotes } from '../rules/task-notes.ts'
import { groupOfTurns } from '../rules/turns-group.ts'
import type { KafkaTopics, Offsets } from '../topics.ts'
import { createCommitted } from './committed.ts'
import { type ConsumerState, createConsumerState, isConsumed, noteCommitted } from './consumer-state.ts'
import type { KafkaConsumers } from './consuming.ts'
import { createLag } from './lag.ts'

export type KafkaProgressDeps = {
  readonly topics: Pick<KafkaTopics, 'committed' | 'noted' | 'lastData' | 'nameOf'>
  readonly consumers: Pick<
    KafkaConsumers,
    'groupOf' | 'troubleOf' | 'refresh' | 'isJoining' | 'reached' | 'onReached' | 'hurry'
  >
  /** The greatest offset by partition that this process was acknowledged. */
  readonly produced: (queue: string) => Offsets
  /** Finds out where a topic ends that was there before this process; undefined once that is known. */
  readonly reach: (queue: string) => Promise<unknown> | undefined
  readonly notes: TaskNotes
  /** Why no task takes anything from a queue of turns. */
  readonly troubleOfTasks: (queue: string) => string | undefined
  readonly time?: Time
  readonly logger: Logger
}

const stops = () => fault('late', 'the service stops')

/** A consumer that is joining its group gets longer before a query fails as late. */
const joining_ms = 10_000

/**
 * How far the consumers of topics are: a query waits here for the events that Kafka has acknowledged to this process.
 * A consumer commits an offset after its rows have passed every view, so committed rows can be seen.
 */
export function createKafkaProgress(deps: KafkaProgressDeps) {
  const { topics, notes, reach, troubleOfTasks, time = realTime, logger } = deps
  const states = new Map<string, ConsumerState>()
  /** Queues of turns: what is put there comes into other queues first. */
  const turns = new Set<string>()
  let isClosed = false
  const consumers = {
    ...deps.consumers,
    groupOf: (queue: string) => (isOfTurns(queue) ? groupOfTurns(topics, queue) : deps.consumers.groupOf(queue)),
    troubleOf: (queue: string) => (isOfTurns(queue) ? troubleOfTasks(queue) : deps.consumers.troubleOf(queue)),
  }
  const committed = createCommitted({ committed: committedOf, consumers, time, logger })
  const lag = createLag({ states, committed, consumers, produced, time })

  async function committedOf(group: string, queue: string): Promise<Offsets> {
    if (!isOfTurns(queue)) return consumers.reached?.(queue) ?? topics.committed(group, queue)
    const offsets = await topics.noted(group, queue)
    notes.take(queue, offsets)
    return new Map(offsets.map(({ partition, offset }) => [partition, offset]))
  }

  /** The offsets that this process was acknowledged, and those that tasks are known to have written. */
  function produced(queue: string): Offsets {
    const made = notes.made(queue)
    const own = deps.produced(queue)
    return made.size === 0 ? own : greatest(own, made)
  }

  consumers.onReached?.((queue) => {
    const [state, reached] = [states.get(queue), consumers.reached?.(queue)]
    if (state && reached) noteCommitted(state, reached, time.now())
  })

  const turnsOf = (queues: readonly string[]): string[] =>
    [...new Set(queues.map((queue) => turnsQueue(queue.slice(0, queue.indexOf('.')))))].filter((queue) =>
      turns.has(queue),
    )

  function stateOf(queue: string): ConsumerState {
    const state = states.get(queue) ?? createConsumerState(queue, time)
    states.set(queue, state)
    return state
  }

  /** Lines of a queue that a task wrote before its latest commit are there where the topic ends. */
  async function noteLast(queue: string): Promise<void> {
    for (const [partition, offset] of await topics.lastData(queue)) notes.noteMade(queue, partition, offset)
  }

  const late = ({ queue }: ConsumerState, timeout_ms: number) =>
    fault(
      'late',
      isOfTurns(queue)
        ? `rules have not taken the events of ${queue.split('.')[0]} after ${timeout_ms} ms`
        : `the events of ${queue} are not in ClickHouse after ${timeout_ms} ms`,
    )

  async function waitFor(
    state: ConsumerState,
    offsets: Offsets,
    timeout_ms: number,
    { left_ms = timeout_ms, isHurried = true } = {},
  ): Promise<void> {
    if (isConsumed(state, offsets)) return
    if (isClosed) throw stops()
    const waiting = state.waiters.wait(offsets, Math.max(0, left_ms), () => late(state, timeout_ms))
    if (isHurried) state.hurried++
    committed.follow(state)
    try {
      await waiting
    } finally {
      if (isHurried) state.hurried--
    }
  }

  /** Waits for all that the topic held when this process found it, and for what it was acknowledged since. */
  async function waitForAll(
    state: ConsumerState,
    producedOf: (queue: string) => Offsets,
    timeout_ms: number,
    isHurried = true,
  ): Promise<void> {
    const { queue } = state
    const isJoining = state.moved_ms === 0 || (!isOfTurns(queue) && deps.consumers.isJoining(queue, state.moved_ms))
    const patience_ms = isJoining ? Math.max(timeout_ms, joining_ms) : timeout_ms
    const end = time.now() + patience_ms
    const reaching = reach(queue)
    if (reaching) await inTime(reaching, patience_ms, () => late(state, patience_ms))
    await waitFor(state, new Map(producedOf(queue)), patience_ms, { left_ms: end - time.now(), isHurried })
  }

  /** Waits for all that this process was acknowledged of these queues; fault `late` after `timeout_ms`. */
  async function waitForQueues(queues: readonly string[], timeout_ms: number, isHurried = true): Promise<void> {
    const before = turnsOf(queues)
    if (before.length > 0) await Promise.all(before.map((queue) => processed(queue, timeout_ms)))
    await Promise.all(queues.filter(notes.leaveOut).map(noteLast))
    await Promise.all(queues.map((queue) => waitForAll(stateOf(queue), produced, timeout_ms, isHurried)))
  }

  const processed = (queue: string, timeout_ms: number): Promise<void> =>
    waitForAll(stateOf(queue), deps.produced, timeout_ms)

  return {
    /** From now on it is seen how far the consumer of a queue lags. */
    know(queue: string): void {
      stateOf(queue)
      if (isOfTurns(queue)) turns.add(queue)
    },

    /** Resolves when tasks have taken all that this process has put into a queue of turns. */
    processed,
    /** Resolves when ClickHouse has taken these offsets. */
    consumed: (queue: string, offsets: Offsets, timeout_ms: number): Promise<void> =>
      waitFor(stateOf(queue), offsets, timeout_ms),

    /** Consumers go on where they stood; nothing of a queue is kept here. */
    async resume(): Promise<void> {},

    caughtUp: (queues: readonly string[], timeout_ms = 2_000): Promise<void> => waitForQueues(queues, timeout_ms),
    followed: (queues: readonly string[], timeout_ms: number): Promise<void> =>
      waitForQueues(queues, timeout_ms, false),

    mark: (queues: readonly string[]): string =>
      JSON.stringify(
        [...turnsOf(queues), ...queues].map((queue) => [...produced(queue)].toSorted(([a], [b]) => a - b)),
      ),

    /** Resolves when all events that are in topics now, of any producer, can be seen. */
    async drained(queues: readonly string[], timeout_ms: number): Promise<void> {
      const drain = async (queue: string): Promise<void> =>
        // Lines that a task has just committed may not be readable at their broker yet, while its note is there.
        waitFor(stateOf(queue), greatest(await topics.lastData(queue), produced(queue)), timeout_ms)
      await Promise.all(turnsOf(queues).map(drain))
      await Promise.all(queues.map(drain))
    },

    /** Ends all waits for a queue whose stream is deleted. */
    async forget(queue: string): Promise<void> {
      const state = states.get(queue)
      states.delete(queue)
      turns.delete(queue)
      notes.forget(queue)
      state?.waiters.settle(() => true)
    },

    /** A producer is behind where the tasks are to which its events go first, too. */
    pace(queue = ''): Promise<void> | undefined {
      const [before] = turnsOf([queue])
      return lag.pace(queue) ?? (before === undefined ? undefined : lag.pace(before))
    },
    lag_ms: lag.lag_ms,
    failures: lag.failures,

    async close(): Promise<void> {
      isClosed = true
      lag.close()
      for (const { waiters } of states.values()) waiters.reject(stops())
      await committed.close()
    },
  }
}

/** The greater offset of each partition. */
export function greatest(one: Offsets, other: Offsets): Offsets {
  const all = new Map(one)
  for (const [partition, offset] of other) all.set(partition, Math.max(offset, all.get(partition) ?? -1))
  return all
}

export type KafkaProgress = ReturnType<typeof createKafkaProgress>
