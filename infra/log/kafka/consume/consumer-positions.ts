import { qualified } from '../../../../sql/identifier.ts'
import { queueName } from '../../../../sql/schema/names.ts'
import type { Catalogue } from '../../../catalogue/catalogue.ts'
import type { ClickHouse } from '../../../clickhouse/clickhouse.ts'
import type { KafkaTopics, Offsets, PartitionEnd } from '../topics.ts'

export type ConsumerPositionsDeps = {
  readonly clickhouse: Pick<ClickHouse, 'rows'>
  readonly catalogue: Pick<Catalogue, 'erased'>
  readonly topics: Pick<KafkaTopics, 'committed'>
}

/** More messages than ClickHouse takes between two commits: a block ends soon after 65,536 rows. */
const uncommitted = 2 * 65_536

/**
 * Where a new consumer of a stream begins, by partition: where the group before had committed. Where Kafka no longer
 * knows that, it is a block before the last event that is stored, since a crash may have left the last block in some
 * tables only: each table passes over rows that it has. Where nothing is stored it is the topic's begin. Events that were
 * erased are passed over by no table, so it is never before the last event that was there at an erasure. `base` is the
 * difference of positions and offsets, `ends` are those of the topic.
 */
export function createConsumerPositions({ clickhouse, catalogue, topics }: ConsumerPositionsDeps) {
  async function stored(schema: string, stream: string, base: number): Promise<Offsets> {
    const rows = await clickhouse.rows<{ partition: number; next: number }>({
      text: `SELECT toUInt32(_lane) AS partition, toFloat64(max(_position)) AS next
        FROM ${qualified(schema, stream)} GROUP BY _lane`,
      params: {},
    })
    return new Map(rows.map(({ partition, next }) => [Number(partition), Math.max(0, Number(next) - base)]))
  }

  /** The offsets behind all events that were there at the last erasure. */
  async function settled(schema: string, stream: string, base: number): Promise<Offsets> {
    const positions = (await catalogue.erased(schema)).get(stream)?.positions ?? {}
    return new Map(
      Object.entries(positions).map(([partition, position]) => [Number(partition), Math.max(0, position - base)]),
    )
  }

  return async (
    schema: string,
    stream: string,
    ends: readonly PartitionEnd[],
    group: string | undefined,
    base = 0,
  ): Promise<Offsets> => {
    const queue = queueName(schema, stream)
    const committed: Offsets = group === undefined ? new Map() : await topics.committed(group, queue)
    const isKnown = ends.every(({ partition, first, end }) => first === end || committed.has(partition))
    const reached: Offsets = isKnown ? new Map() : await stored(schema, stream, base)
    const erased = await settled(schema, stream, base)
    return new Map(
      ends.map(({ partition, first, end }) => {
        const next = Math.min(end, reached.get(partition) ?? first)
        const least = Math.max(first, Math.min(end, erased.get(partition) ?? first))
        return [partition, Math.max(least, committed.get(partition) ?? next - uncommitted)]
      }),
    )
  }
}
