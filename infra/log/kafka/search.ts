import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../logger.ts'
import type { KafkaClient } from './client.ts'
import type { KafkaTopics, Offsets } from './topics.ts'

export type TopicSearchDeps = {
  readonly client: Pick<KafkaClient, 'read'>
  readonly topics: Pick<KafkaTopics, 'ends' | 'nameOf'>
  readonly logger: Logger
}

/** Values of `_seq`, and where the topic ended, by partition, before any line with one of them was sent. */
export type Sought = { readonly seqs: Iterable<number>; readonly from: Offsets }

type Waiting = Sought & { resolve(found: ReadonlySet<number>): void }

/** A broker that stood still may store the bytes in its sockets a moment after it has answered others. */
const settling_ms = 2_000
const [firstPause_ms, longestPause_ms] = [1_000, 10_000]

/** Lines as `encodeEvent` writes them begin with `_pk` and `_seq`. */
const seqOf = /^\{"_pk":\d+,"_seq":(\d+)/gm

/** The `_seq` of each line. */
export const seqsOf = (lines: Buffer): number[] =>
  Array.from(lines.toString('latin1').matchAll(seqOf), ([, seq]) => Number(seq))

/** Searches topics for lines of unknown outcome: one search at a time in each, until it succeeds. */
export function createTopicSearch({ client, topics, logger }: TopicSearchDeps) {
  const waiting = new Map<string, Set<Waiting>>()
  const searching = new Map<string, Promise<void>>()
  let isClosed = false

  async function look(queue: string, sought: readonly Waiting[]): Promise<void> {
    await topics.ends(queue)
    await sleep(settling_ms, undefined, { ref: false })
    const ends = await topics.ends(queue)
    const from = least(sought)
    const wanted = new Set(sought.flatMap(({ seqs }) => [...seqs]))
    const found = new Set<number>()
    const ranges = ends.map(({ partition, first, end }) => ({
      partition,
      first: Math.max(first, from.get(partition) ?? first),
      end,
    }))
    await client.read(
      topics.nameOf(queue),
      ranges.filter(({ first, end }) => first < end),
      (value) => {
        for (const seq of seqsOf(value)) if (wanted.has(seq)) found.add(seq)
      },
    )
    for (const each of sought) {
      waiting.get(queue)?.delete(each)
      each.resolve(found)
    }
  }

  async function search(queue: string): Promise<void> {
    let pause = firstPause_ms
    for (;;) {
      const sought = [...(waiting.get(queue) ?? [])]
      if (sought.length === 0 || isClosed) {
        searching.delete(queue)
        return
      }
      try {
        await look(queue, sought)
        pause = firstPause_ms
      } catch (error) {
        logger.warn({ err: error, queue }, 'topic not searched for requests by key whose outcome is unknown, retrying')
        await sleep(pause, undefined, { ref: false })
        pause = Math.min(longestPause_ms, 2 * pause)
      }
    }
  }

  return {
    /** Which of these lines are stored, once nothing more is sent of them. Never resolves once it is closed. */
    find: (queue: string, sought: Sought): Promise<ReadonlySet<number>> =>
      new Promise((resolve) => {
        const ofQueue = waiting.get(queue) ?? new Set()
        waiting.set(queue, ofQueue.add({ ...sought, resolve }))
        if (!searching.has(queue)) searching.set(queue, search(queue))
      }),
    /** Ends the search in the topic of a stream that is deleted. */
    forget: (queue: string): void => void waiting.delete(queue),
    async close(timeout_ms: number): Promise<void> {
      isClosed = true
      await Promise.race([Promise.all(searching.values()), sleep(timeout_ms, undefined, { ref: false })])
    },
  }
}

function least(sought: readonly Sought[]): Offsets {
  const first = new Map<number, number>()
  for (const { from } of sought) {
    for (const [partition, end] of from) first.set(partition, Math.min(end, first.get(partition) ?? end))
  }
  return first
}
