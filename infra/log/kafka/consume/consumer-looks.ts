import type { ClickHouse } from '../../../clickhouse/clickhouse.ts'
import { type ConsumerStatus, consumerStatuses } from './consumer-status.ts'

export type Statuses = ReadonlyMap<string, ConsumerStatus>

/** The statuses of consumers, by queue, as of the last look at ClickHouse. */
export function createConsumerLooks(clickhouse: ClickHouse) {
  const known = new Map<string, ConsumerStatus>()
  /** When each was known so. */
  const known_ms = new Map<string, number>()
  let looking: Promise<Statuses> | undefined

  function know(queue: string, status: ConsumerStatus): void {
    known.set(queue, status)
    known_ms.set(queue, performance.now())
  }

  async function look(schema?: string): Promise<Statuses> {
    const statuses = await consumerStatuses(clickhouse, schema)
    if (schema === undefined) known.clear()
    for (const [queue, status] of statuses) know(queue, status)
    return statuses
  }

  return {
    know,
    /** Asks ClickHouse for the status of the consumers of a schema. */
    look,

    /** Asks ClickHouse for the status of all consumers; callers that come meanwhile share the answer. */
    refresh(): Promise<Statuses> {
      looking ??= look().finally(() => {
        looking = undefined
      })
      return looking
    },

    of: (queue: string): ConsumerStatus | undefined => known.get(queue),
    /** When the status was known so. */
    at_ms: (queue: string): number | undefined => known_ms.get(queue),
    all: (): Statuses => known,

    forget(queue: string): void {
      known.delete(queue)
      known_ms.delete(queue)
    },
  }
}
