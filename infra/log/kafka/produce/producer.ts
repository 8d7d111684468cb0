import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '../../../../base/faults.ts'
import { inTime } from '../../../../base/in-time.ts'
import { type KafkaClient, type Producer, refusalOf } from '../client.ts'

export type Send = {
  readonly partition: number
  readonly values: readonly Buffer[]
  /** Whether any append still waits for it. Messages that were never sent are given up once none does. */
  readonly isWanted: () => boolean
  readonly onFailure: (error: unknown) => void
}

type Connection = {
  readonly producer: Producer
  readonly ready: Promise<void>
  /** Times that the messages under way to a partition may have been sent. */
  readonly attempts: Map<number, number>
  /** Partitions whose messages were given up while kafkajs may still be at them. */
  readonly abandoned: Set<number>
  users: number
  isRetired: boolean
}

/** kafkajs may never settle a send whose connection was lost at a bad moment. */
const stuck_ms = 30_000
/** Longer than kafkajs takes for the one attempt that it may be in when its producer is disconnected. */
const longestAttempt_ms = 120_000
/** Messages that may have been stored are sent again for this time, so that their sender can learn the outcome. */
const giveUp_ms = 60_000
const firstPause_ms = 50
const longestPause_ms = 1_000

/** Refusals of a broker that has forgotten this producer's earlier messages. */
const lostSequence = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
])
const tooLarge = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'])

/** Only the topic can show whether the messages are stored, once `over` has resolved: nothing is sent after that. */
export class OutcomeUnknown extends Error {
  readonly over: Promise<unknown>
  constructor(cause: unknown, over: Promise<unknown>) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.over = over
  }
}

/**
 * Sends messages to one topic, each exactly once: repeats of a send bear the same sequence number, by which the broker
 * knows them. So a producer that gave a send up without knowing what became of it is never used again for that
 * partition: it would number the next messages like those, and the broker would take them for a repeat and drop them.
 *
 * One send a partition may be under way. A send goes to one partition because kafkajs repeats a send to several as a
 * whole and forgets which part was stored when leaders change.
 */
export function createKafkaProducer(client: KafkaClient, topic: string) {
  let current: Connection | undefined
  let isClosed = false

  function connect(): Connection {
    const attempts = new Map<number, number>()
    const abandoned = new Set<number>()
    const producer = client.producer((partition) => {
      if (abandoned.has(partition)) throw new TypeError('these messages were given up') // kafkajs repeats no TypeError
      attempts.set(partition, (attempts.get(partition) ?? 0) + 1)
    })
    const ready = producer.connect()
    ready.catch(() => {})
    return { producer, ready, attempts, abandoned, users: 0, isRetired: false }
  }

  function take(partition: number): Connection {
    current ??= connect()
    current.users++
    current.attempts.set(partition, 0)
    return current
  }

  function leave(connection: Connection): void {
    connection.users--
    if (connection.isRetired && connection.users === 0) end(connection)
  }

  function retire(connection: Connection): void {
    connection.isRetired = true
    if (current === connection) current = undefined
  }

  /** Not awaited: with requests under way it may never end. */
  const end = ({ producer }: Connection): void => void producer.disconnect().catch(() => {})

  /** The offset of the last message; undefined where the broker only says that it has them. */
  async function attempt(connection: Connection, { partition, values }: Send): Promise<number | undefined> {
    const { producer, ready, abandoned } = connection
    const messages = values.map((value) => ({ partition, value }))
    const sending = ready.then(() => producer.send({ topic, messages }))
    const [stored] = await inTime(sending, stuck_ms, () => {
      abandoned.add(partition)
      return new Stuck(sending)
    })
    const first = Number(stored?.baseOffset ?? -1)
    return first < 0 ? undefined : first + messages.length - 1
  }

  return {
    /**
     * Resolves once the broker has the messages. Throws `OutcomeUnknown` where it may have them; a fault `too large`,
     * or the error that kept them from being sent, where it surely has not.
     */
    async send(send: Send): Promise<number | undefined> {
      const began = performance.now()
      let connection = take(send.partition)
      let renewals = 0
      const renew = (): void => {
        retire(connection)
        leave(connection)
        connection = take(send.partition)
      }
      try {
        for (let pause = firstPause_ms; ; pause = Math.min(longestPause_ms, 2 * pause)) {
          try {
            return await attempt(connection, send)
          } catch (error) {
            const refusal = refusalOf(error) ?? ''
            if (refusal === 'DUPLICATE_SEQUENCE_NUMBER') return undefined
            if (tooLarge.has(refusal)) throw refused(topic, send.values, error)
            send.onFailure(error)
            const sent = connection.attempts.get(send.partition) ?? 0
            const isLost = lostSequence.has(refusal)
            const isVain = sent === 0 ? !send.isWanted() : performance.now() - began > giveUp_ms
            if (isClosed || isVain || error instanceof Stuck || (isLost && (sent > 1 || ++renewals > 3))) {
              retire(connection)
              if (sent === 0 || (isLost && sent === 1)) throw error
              throw new OutcomeUnknown(error, error instanceof Stuck ? error.over() : Promise.resolve())
            }
            // A single attempt that was refused has stored nothing, nor has a send without one: another producer may
            // number it anew.
            if (sent === 0 || isLost) renew()
          }
          await sleep(pause)
        }
      } finally {
        leave(connection)
      }
    },
    /** Sends that are under way are not repeated any more. */
    close(): void {
      isClosed = true
      if (!current) return
      const last = current
      retire(last)
      if (last.users === 0) end(last)
    },
  }
}

export type KafkaProducer = ReturnType<typeof createKafkaProducer>

/** kafkajs has not answered; it may still be at an attempt, which is its last. */
class Stuck extends Error {
  readonly sending: Promise<unknown>
  constructor(sending: Promise<unknown>) {
    super(`no answer within ${stuck_ms} ms`)
    this.sending = sending
  }
  over(): Promise<unknown> {
    return Promise.race([this.sending.catch(() => {}), sleep(longestAttempt_ms, undefined, { ref: false })])
  }
}

function refused(topic: string, values: readonly Buffer[], cause: unknown) {
  const bytes = values.reduce((sum, { length }) => sum + length, 0)
  return fault('too large', `Kafka does not take ${bytes} bytes at once in topic ${topic}: see its max.message.bytes`, {
    cause,
  })
}
