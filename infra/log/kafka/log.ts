import { fault } from '../../../base/faults.ts'
import { inTime } from '../../../base/in-time.ts'
import type { Logger } from '../../logger.ts'
import type { EventLog } from '../port.ts'
import { createKeptAnswers } from './answers.ts'
import { createKafkaClaims } from './claims.ts'
import type { KafkaClient } from './client.ts'
import { createKafkaQueue, type KafkaQueue } from './produce/queue.ts'
import type { KafkaTopics, Offsets } from './topics.ts'

export type KafkaLogOptions = {
  readonly client: KafkaClient
  readonly topics: KafkaTopics
  readonly logger: Logger
  /** A folder for answers by idempotency key; processes on one host may share it. */
  readonly path: string
  /** A time that is known to have been: the computer's clock may have been set back since. */
  readonly known_us?: number
  readonly wall_us?: () => number
  /** Idempotency keys that are remembered; past it events with a key are refused. */
  readonly maxKeys?: number
  /** Max bytes that wait for the broker; past it events are refused. */
  readonly maxBytes: number
  /** An append that the broker has not acknowledged by then is refused. */
  readonly wait_ms?: number
}

const longestClose_ms = 4_000
const noOffsets: Offsets = new Map()

/**
 * The log in Kafka or Redpanda: a topic for each queue. An acknowledged append is stored once, in order of its key.
 *
 * An append that is refused because the broker is silent may still be stored, whole or in part: messages that were sent
 * are sent again until the broker answers, or for a minute. Until the outcome is known a repeat under the same
 * idempotency key is refused; from then on it gets the first answer, or brings the lines that are missing. Where the
 * broker never answered, or the process was killed, the topic itself is searched.
 */
export function createKafkaLog(options: KafkaLogOptions) {
  const { client, topics, logger, maxBytes, wait_ms = 5_000 } = options
  const answers = createKeptAnswers(options.path, options)
  const claims = createKafkaClaims({ client, topics, logger, answers })
  const opening = new Map<string, Promise<KafkaQueue>>()
  const queues = new Map<string, KafkaQueue>()
  /** Queues whose topics are there and not open yet. */
  const expected = new Set<string>()
  let waitingBytes = 0
  let isClosed = false
  let onProduced = (_queue: string): void => {}

  async function connect(queue: string): Promise<KafkaQueue> {
    const topic = await topics.topic(queue)
    const last = await topics.lastData(queue)
    claims.settle(queue)
    return createKafkaQueue({
      ...{ client, topic, last, wait_ms },
      onDuplicate: () => topics.ends(queue),
      onProduced: () => onProduced(queue),
    })
  }

  function open(queue: string): Promise<KafkaQueue> {
    const known = opening.get(queue)
    if (known) return known
    const mine = connect(queue)
    opening.set(queue, mine)
    mine.then(
      (opened) => {
        if (opening.get(queue) !== mine) return void opened.close(0)
        queues.set(queue, opened)
        expected.delete(queue)
      },
      () => {
        if (opening.get(queue) === mine) opening.delete(queue)
      },
    )
    return mine
  }

  /** The topic may have to be made, by a broker that is silent. */
  async function openInTime(queue: string): Promise<KafkaQueue> {
    const silent = () =>
      fault('unavailable', `Kafka was silent on ${queue}'s topic for ${wait_ms} ms`, { retryAfter: 1 })
    return inTime(open(queue), wait_ms, silent)
  }

  function check(bytes: number): void {
    if (isClosed) throw fault('unavailable', 'the log is closed: the service stops', { retryAfter: 1 })
    if (waitingBytes > 0 && waitingBytes + bytes > maxBytes) {
      throw fault('limited', `the log is full: ${waitingBytes} bytes wait for Kafka`, {
        retryAfter: 1,
        limit: 'MAX_LOG_MB',
      })
    }
  }

  const log: EventLog = {
    async append(queue, lines, _, keyed = [], keys) {
      check(lines.length)
      waitingBytes += lines.length
      try {
        const known = queues.get(queue) ?? (await openInTime(queue))
        const batches =
          keyed.length === 0
            ? known.cut(lines, keys).map(known.add)
            : await claims.send(queue, known, { lines, keyed, partitionKeys: keys })
        const [only] = batches
        await (batches.length === 1 ? only?.done : Promise.all(batches.map(({ done }) => done)))
      } finally {
        waitingBytes -= lines.length
      }
    },
    answered: answers.get,
    async close() {
      isClosed = true
      await Promise.all([...queues.values()].map((queue) => queue.close(longestClose_ms)))
      await claims.close()
      await answers.close()
    },
  }

  return {
    log,
    /** Opens a queue: its topic is made where it is not there. The topic's end counts as produced from then on. */
    open: async (queue: string): Promise<void> => {
      await open(queue)
    },
    /** The topic of a queue is there, and is opened once something asks for it. */
    expect: (queue: string): void => {
      if (!queues.has(queue)) expected.add(queue)
    },
    /** Opens a queue that is expected; undefined where it is open, or has no topic. */
    reach: (queue: string): Promise<unknown> | undefined => (expected.has(queue) ? open(queue) : undefined),
    /** The greatest offset by partition that this process was acknowledged or found at `open`, -1 in an empty partition. */
    produced: (queue: string): Offsets => queues.get(queue)?.produced ?? noOffsets,
    /** Is called with each queue of which the brokers have acknowledged more. */
    onProduced(listener: (queue: string) => void): void {
      onProduced = listener
    },
    /** Ends a queue whose stream is deleted and forgets its keys; the topic stays. */
    async forget(queue: string): Promise<void> {
      const gone = queues.get(queue)
      queues.delete(queue)
      opening.delete(queue)
      expected.delete(queue)
      await gone?.close(longestClose_ms)
      claims.forget(queue)
      await answers.drop(queue)
    },
    /** Bytes of appends that wait for the broker. */
    waiting: (): number => waitingBytes,
    /** The queues whose events are not stored at the moment, with the reason. */
    failures: (): { queue: string; reason: string }[] =>
      [...queues].flatMap(([queue, each]) => {
        const reason = each.failure()
        return reason === undefined ? [] : [{ queue, reason }]
      }),
  }
}

export type KafkaLog = ReturnType<typeof createKafkaLog>
