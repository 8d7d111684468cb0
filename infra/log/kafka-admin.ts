import { setTimeout as after } from 'node:timers/promises'
import { fault } from '../faults.ts'
import { type Admin, type KafkaClient, refusalOf } from './kafka-client.ts'

const patience_ms = 10_000
const pause_ms = 100

/** What brokers say while they are about to agree on who leads. */
const passing = new Set([
  'NOT_LEADER_FOR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_CONTROLLER',
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
  'CONCURRENT_TRANSACTIONS',
])

/** One connection for questions about topics and groups, made anew when it fails. */
export function createKafkaAdmin(client: KafkaClient) {
  let connected: Promise<Admin> | undefined

  async function connect(): Promise<Admin> {
    const admin = client.admin()
    await admin.connect()
    return admin
  }

  /**
   * A failure may come of the connection, or of a topic that this admin knew and that is gone: kafkajs then fails at
   * every call. So the next attempt has a new one; there is one more, or as many as brokers take to agree on a leader.
   */
  async function ask<Answer>(what: string, question: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    const end = performance.now() + patience_ms
    for (let attempt = 1; ; attempt++) {
      connected ??= connect()
      const mine = connected
      try {
        return await question(await mine)
      } catch (error) {
        if (connected === mine) connected = undefined
        mine.then((admin) => admin.disconnect()).catch(() => {})
        const refusal = refusalOf(error)
        const isPassing = refusal !== undefined && passing.has(refusal) && performance.now() < end
        if (attempt === 1 || isPassing) {
          await after(isPassing ? pause_ms : 0)
          continue
        }
        const reason = refusal ?? (error instanceof Error ? error.message : String(error))
        throw fault('unavailable', `Kafka: ${what}: ${reason}`, { retryAfter: 1, cause: error })
      }
    }
  }

  return {
    /** Throws a fault `unavailable` that begins with `what`. */
    ask,
    async close(): Promise<void> {
      const closing = connected
      connected = undefined
      await closing?.then((admin) => admin.disconnect()).catch(() => {})
    },
  }
}
