import { setTimeout as after } from 'node:timers/promises'
import { fault } from '../../faults.ts'
import type { Logger } from '../../logger.ts'
import type { KeyedAnswer } from '../port.ts'
import type { KafkaClient } from './client.ts'
import type { KeptAnswers, LeftClaim } from './kept-answers.ts'
import type { Batch } from './produce/sender.ts'
import { searchTopic } from './search.ts'
import type { KafkaTopics, Offsets } from './topics.ts'

export type KafkaClaimsDeps = {
  readonly client: KafkaClient
  readonly topics: KafkaTopics
  readonly logger: Logger
  readonly answers: KeptAnswers
}

const again_ms = 1_000
const longestClose_ms = 4_000

/** Idempotency keys of appends, from before their events are sent until it is known what became of them. */
export function createKafkaClaims({ client, topics, logger, answers }: KafkaClaimsDeps) {
  const unknown = new Set<string>()
  const settling = new Set<Promise<void>>()
  let isClosed = false

  const forget = (queue: string, keyed: readonly KeyedAnswer[]): void => {
    for (const { key } of keyed) unknown.delete(nameOf(queue, key))
  }

  const lose = (queue: string, keyed: readonly KeyedAnswer[]): void => {
    answers.release(queue, keyed).catch((error: unknown) => logger.warn({ err: error, queue }, 'keys not released'))
    forget(queue, keyed)
  }

  /** Keeps the answers once all batches are stored; forgets their keys where one is not. */
  function follow(queue: string, keyed: readonly KeyedAnswer[], batches: readonly Batch[]): void {
    let left = batches.length
    const stored = async (): Promise<void> => {
      if (--left > 0) return
      await answers.put(queue, keyed).catch((error: unknown) => logger.error({ err: error, queue }, 'answers not kept'))
      forget(queue, keyed)
    }
    for (const { listeners } of batches) listeners.push({ stored, lost: () => lose(queue, keyed) })
  }

  async function lookUp(queue: string, left: readonly LeftClaim[]): Promise<void> {
    const ends = await topics.ends(queue)
    const wanted = new Set(left.map(({ seq }) => seq))
    const found = await searchTopic(client, topics.nameOf(queue), { from: leastOf(left), ends, wanted })
    const isFound = ({ seq }: LeftClaim): boolean => found.has(seq)
    await answers.put(queue, left.filter(isFound))
    await answers.release(
      queue,
      left.filter((each) => !isFound(each)),
    )
    forget(queue, left)
  }

  async function lookUpUntilKnown(queue: string, left: readonly LeftClaim[]): Promise<void> {
    while (!isClosed) {
      try {
        return await lookUp(queue, left)
      } catch (error) {
        logger.warn(
          { err: error, queue },
          'Kafka not searched for requests by key that a killed process left, retrying',
        )
        await after(again_ms, undefined, { ref: false })
      }
    }
  }

  return {
    /** Looks up what a process that was killed has left; till then repeats of its keys are refused. */
    settle(queue: string): void {
      const left = answers.left(queue)
      if (left.length === 0) return
      for (const { key } of left) unknown.add(nameOf(queue, key))
      const work = lookUpUntilKnown(queue, left)
      settling.add(work)
      void work.finally(() => settling.delete(work))
    },

    /** A fault where it is not known what became of the first request with one of the keys, or none can be kept. */
    check(queue: string, keyed: readonly KeyedAnswer[]): void {
      for (const { key } of keyed) {
        if (!unknown.has(nameOf(queue, key))) continue
        const what = `what became of the first request with key ${JSON.stringify(key)} is not known yet`
        throw fault('unavailable', `${what}: Kafka has not told`, { retryAfter: 1 })
      }
      answers.check()
    },

    /** Sends events once it is on disk that they bear these keys. `produced` has the last offset by partition. */
    async send(
      queue: string,
      keyed: readonly KeyedAnswer[],
      produced: Offsets,
      send: () => Batch[],
    ): Promise<readonly Batch[]> {
      for (const { key } of keyed) unknown.add(nameOf(queue, key))
      try {
        await answers.claim(queue, keyed, new Map([...produced].map(([partition, last]) => [partition, last + 1])))
        const batches = send()
        follow(queue, keyed, batches)
        return batches
      } catch (error) {
        lose(queue, keyed)
        throw error
      }
    },

    async close(): Promise<void> {
      isClosed = true
      await Promise.race([Promise.all(settling), after(longestClose_ms, undefined, { ref: false })])
    },
  }
}

/** Where the topic ended, by partition, before any of them was sent. */
function leastOf(left: readonly LeftClaim[]): Offsets {
  const least = new Map<number, number>()
  for (const [partition, end] of left.flatMap(({ ends }) => ends)) {
    least.set(partition, Math.min(end, least.get(partition) ?? end))
  }
  return least
}

const nameOf = (queue: string, key: string): string => `${queue}\n${key}`
