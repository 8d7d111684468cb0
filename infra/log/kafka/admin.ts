import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '../../../base/faults.ts'
import { inTime } from '../../../base/in-time.ts'
import { type Admin, isConnectionClosed, type KafkaClient, refusalOf } from './client.ts'

const patience_ms = 10_000
/**
 * Kafkajs may never settle a question whose connection was lost at a bad moment. One attempt of it, with its own repeats,
 * is over by then.
 */
const usualStuck_ms = 30_000
const pause_ms = 100
/** A Kafka that is away is not waited for. */
const longestClose_ms = 2_000

/** Errors of brokers that are about to agree on a leader. */
const passing = new Set([
  'NOT_LEADER_FOR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_CONTROLLER',
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
  'CONCURRENT_TRANSACTIONS',
])

/**
 * The offsets of a topic's partitions. Brokers tell kafkajs no partitions of a topic that has no leader yet; it looks into
 * them nevertheless and fails by a TypeError, which stands for their refusal here.
 */
export async function topicOffsets(admin: Admin, topic: string): ReturnType<Admin['fetchTopicOffsets']> {
  try {
    return await admin.fetchTopicOffsets(topic)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw Object.assign(new Error(`${topic} has no leader yet`, { cause: error }), { type: 'LEADER_NOT_AVAILABLE' })
  }
}

/** Kafkajs has no answer where no broker gives it one, and looks into it nevertheless. */
const answered = <Answer>(asking: Promise<Answer>): Promise<Answer> =>
  asking.catch((error: unknown) => {
    throw error instanceof TypeError ? new Error('no broker answers', { cause: error }) : error
  })

export const topicNames = (admin: Admin): Promise<string[]> => answered(admin.listTopics())
export const topicMetadata = (admin: Admin, topic: string): ReturnType<Admin['fetchTopicMetadata']> =>
  answered(admin.fetchTopicMetadata({ topics: [topic] }))

type Connection = { readonly admin: Promise<Admin>; users: number; isRetired: boolean }

/** One connection for questions about topics and groups, made anew when it fails. */
export function createKafkaAdmin(client: Pick<KafkaClient, 'admin'>, stuck_ms = usualStuck_ms) {
  let current: Connection | undefined

  async function connect(): Promise<Admin> {
    const admin = client.admin()
    await admin.connect()
    return admin
  }

  function take(): Connection {
    current ??= { admin: connect(), users: 0, isRetired: false }
    current.users++
    return current
  }

  /** Others may have questions under way, which its end would cut off: the last of them ends it. */
  async function leave(connection: Connection): Promise<void> {
    connection.users--
    if (!connection.isRetired || connection.users > 0) return
    await connection.admin.then((admin) => admin.disconnect()).catch(() => {})
  }

  function retire(connection: Connection): void {
    connection.isRetired = true
    if (current === connection) current = undefined
  }

  /**
   * All requests may be sent again: a topic that one makes may be there already, a topic that one deletes may be gone.
   */
  const isPassing = (error: unknown): boolean => passing.has(refusalOf(error) ?? '') || isConnectionClosed(error)

  /**
   * A failure may come of the connection, or of a topic that this admin knew and that is gone: kafkajs then fails at
   * every call. So the next attempt has a new one; there is one more, or as many as brokers take to agree on a leader.
   */
  async function ask<Answer>(what: string, question: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    const end = performance.now() + patience_ms
    for (let attempt = 1; ; attempt++) {
      const connection = take()
      try {
        const asking = connection.admin.then(question)
        return await inTime(asking, stuck_ms, () => new Error(`no answer within ${stuck_ms} ms`))
      } catch (error) {
        retire(connection)
        const isWorthMore = isPassing(error) && performance.now() < end
        if (attempt > 1 && !isWorthMore) {
          const reason = refusalOf(error) ?? (error instanceof Error ? error.message : String(error))
          throw fault('unavailable', `Kafka: ${what}: ${reason}`, { retryAfter: 1, cause: error })
        }
        await sleep(isWorthMore ? pause_ms : 0)
      } finally {
        void leave(connection)
      }
    }
  }

  return {
    /** Throws a fault `unavailable` that begins with `what`. */
    ask,
    async close(): Promise<void> {
      const closing = current
      if (!closing) return
      retire(closing)
      const closed = closing.admin.then((admin) => admin.disconnect())
      await inTime(closed, longestClose_ms, () => new Error('Kafka is away')).catch(() => {})
    },
  }
}
