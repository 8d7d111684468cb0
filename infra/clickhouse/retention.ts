import { localOf } from '../../sql/cluster.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import type { ClickHouse } from './clickhouse.ts'

type Retention = {
  /** A table of the database `weir`. */
  readonly table: string
  /** The table's column of microseconds since 1970. */
  readonly time: string
  readonly days: number
  /** Which rows go; absent for all. */
  readonly where?: string
}

const day_s = 86_400
/** An ended merge or deletion of a node is of no more use; one that has not ended stays. */
const mergesDays = 30

/** Sends of saved questions go on to notifications within moments; changes of states and runs are history. */
const watchedDays = 30

/** A deletion that was undone, or is for good, is of no more use. */
const goneDays = 1

const retentionsBy = ({ AUDIT_DAYS, NOTIFICATION_DAYS }: Config): readonly Retention[] => [
  { table: 'changes', time: 'ts', days: AUDIT_DAYS },
  {
    table: 'notification_log',
    time: 'ts',
    days: NOTIFICATION_DAYS,
    where: "kind IN ('send', 'delivery', 'retry')",
  },
  { table: 'saved_log', time: 'at', days: watchedDays, where: "kind IN ('send', 'change', 'run', 'ask')" },
  { table: 'kept', time: 'version', days: goneDays, where: "state = 'gone'" },
  { table: 'graph_merges', time: 'version', days: mergesDays, where: "state = 'done'" },
]

/**
 * Bounds records of the service that only ever grow. Where that fails the service is as good as without, and the next
 * start tries again.
 */
export async function setRetentions(clickhouse: ClickHouse, config: Config, logger: Logger): Promise<void> {
  for (const retention of retentionsBy(config)) {
    await setRetention(clickhouse, retention).catch((error: unknown) =>
      logger.warn(
        { err: error, table: retention.table },
        'old rows of a table are kept, trying again at the next start',
      ),
    )
  }
}

async function setRetention(clickhouse: ClickHouse, { table, time, days, where }: Retention): Promise<void> {
  const name = `weir.${table}`
  // ClickHouse counts a TTL in 32 bits of seconds.
  const expiry = `toDateTime(least(intDiv(${time}, 1000000) + ${days * day_s}, 4294967295))`
  const [made] = await clickhouse.rows<{ text: string }>({
    text: [
      'SELECT create_table_query AS text FROM system.tables',
      "WHERE database = 'weir' AND name IN ({name:String}, {part:String}) AND engine LIKE '%MergeTree'",
    ].join(' '),
    params: { name: table, part: localOf(table) },
  })
  if (made === undefined) return
  const isAsMeant = [`+ ${days * day_s}, 4294967295`, where ?? ''].every((part) => made.text.includes(part))
  if (isAsMeant) return
  await clickhouse.run(`ALTER TABLE ${name} MODIFY TTL ${expiry}${where === undefined ? '' : ` DELETE WHERE ${where}`}`)
}
