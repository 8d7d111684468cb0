import { topicTable } from '../../../../sql/schema/names.ts'
import type { ClickHouse } from '../../../clickhouse/clickhouse.ts'

/**
 * `polling`: it has partitions and asks for more. `joining`: its table was made a moment ago. `gone`: ClickHouse has no
 * table of its group, or that table's consumer is silent.
 */
type ConsumerActivity = 'polling' | 'joining' | 'gone'

/** ClickHouse's report on a queue's consumer. */
type ConsumerStatus = {
  /** The group under which a process made the consumer. */
  readonly group: string
  readonly activity: ConsumerActivity
  /** The latest error of the consumer. */
  readonly trouble: string | undefined
}

type Row = {
  readonly queue: string
  readonly consumer_group: string
  readonly is_made: number
  readonly is_polling: number
  readonly is_young: number
  readonly trouble: string
}

/** A consumer that has not polled for as long counts as dead. */
const silence_s = 10
/**
 * A group takes some seconds to give a new consumer its partitions, and of many that come at once only so many join at a
 * time as ClickHouse has threads for them.
 */
const joining_s = 60

/** The consumers of all queues, or of one schema's: one question whatever their number. */
async function consumerStatuses(
  clickhouse: Pick<ClickHouse, 'rows'>,
  schema?: string,
): Promise<ReadonlyMap<string, ConsumerStatus>> {
  const rows = await clickhouse.rows<Row>({ text: questionOf(schema !== undefined), params: { schema: schema ?? '' } })
  return new Map(
    rows.map((row) => [
      row.queue,
      { group: row.consumer_group, activity: activityOf(row), trouble: withoutTrace(row.trouble) || undefined },
    ]),
  )
}

/** ClickHouse adds where in its program it was, which is of no use to an operator. */
const withoutTrace = (trouble: string): string => trouble.replace(/,? Stack trace \(when copying.*$/s, '')

function activityOf(row: Row): ConsumerActivity {
  if (Number(row.is_made) === 0) return 'gone'
  if (Number(row.is_polling) > 0) return 'polling'
  return Number(row.is_young) > 0 ? 'joining' : 'gone'
}

const questionOf = (isOfOne: boolean): string => `
SELECT kept.queue AS queue, kept.consumer_group AS consumer_group,
  position(made.definition, concat('\\'', kept.consumer_group, '\\'')) > 0 AS is_made,
  made.is_young AS is_young, consumers.is_polling AS is_polling, consumers.trouble AS trouble
FROM (
  SELECT queue, consumer_group FROM weir.consumers FINAL
  ${isOfOne ? "WHERE startsWith(queue, concat({schema:String}, '.'))" : ''}
) AS kept
LEFT JOIN (
  SELECT concat(database, '.', name) AS table, create_table_query AS definition,
    dateDiff('second', metadata_modification_time, now()) < ${joining_s} AS is_young
  FROM system.tables WHERE engine = 'Kafka' ${isOfOne ? 'AND database = {schema:String}' : ''}
) AS made ON made.table = ${tableOfQueue}
LEFT JOIN (
  SELECT concat(database, '.', table) AS table, any(exceptions.text[-1]) AS trouble,
    max(length(assignments.partition_id) > 0 AND dateDiff('second', last_poll_time, now()) < ${silence_s}) AS is_polling
  FROM system.kafka_consumers ${isOfOne ? 'WHERE database = {schema:String}' : ''} GROUP BY table
) AS consumers ON consumers.table = ${tableOfQueue}`

const tableOfQueue = `concat(kept.queue, '${topicTable('')}')`

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
