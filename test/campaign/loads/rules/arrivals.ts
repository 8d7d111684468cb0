import { turnsName } from '../../../../sql/schema/names.ts'
import { readTopic } from '../../../support/parts/kafka-topic.ts'

/**
 * When the events of a schema came, by their `id`, in microseconds: over Kafka by the broker's clock, which Weir's own may be
 * ahead of or behind. Over Weir's own log the place of an event is when it came, so none is told.
 */
export async function readArrivals(brokers: string | undefined, schema: string): Promise<ReadonlyMap<number, number>> {
  const came = new Map<number, number>()
  if (brokers === undefined) return came
  const latest = new Map<number, number>()
  for (const { partition, lines, appended_ms } of await readTopic(brokers, `weir.${schema}.${turnsName}`)) {
    const now = Math.max(1000 * appended_ms, latest.get(partition) ?? 0)
    latest.set(partition, now)
    for (const line of lines) {
      const { _event: event } = JSON.parse(line)
      if (event !== undefined && !came.has(event.id)) came.set(event.id, now)
    }
  }
  return came
}
