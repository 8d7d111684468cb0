import { qualified } from '../../sql/identifier.ts'
import { type ClickHouse, isAbsent } from '../clickhouse/clickhouse.ts'
import { BackupError } from './manifest.ts'

const reasonLength = 200
const own = "('system', 'information_schema', 'INFORMATION_SCHEMA')"

type Checked = { readonly part_path: string; readonly is_passed: number; readonly message: string }

/**
 * Has ClickHouse compare all parts with the checksums that it wrote with them. A part that was merged away since a copy was
 * taken is not asked for: what was merged has been read, and compared, for that. Throws a `BackupError` that names the first
 * part that is damaged.
 */
export async function checkParts(clickhouse: Pick<ClickHouse, 'rows'>, signal: AbortSignal): Promise<void> {
  const tables = await clickhouse.rows<{ database: string; name: string }>({
    text: `SELECT DISTINCT database, table AS name FROM system.parts WHERE active AND database NOT IN ${own}`,
    params: {},
  })
  for (const { database, name } of tables) {
    signal.throwIfAborted()
    const bad = await damagedPart(clickhouse, qualified(database, name))
    if (bad) {
      const reason = bad.message.replace(/\s+/g, ' ').slice(0, reasonLength)
      throw new BackupError(`the part ${bad.part_path} of ${database}.${name} is damaged: ${reason}`)
    }
  }
}

async function damagedPart(clickhouse: Pick<ClickHouse, 'rows'>, table: string): Promise<Checked | undefined> {
  try {
    const text = `CHECK TABLE ${table} SETTINGS check_query_single_value_result = 0`
    return (await clickhouse.rows<Checked>({ text, params: {} })).find(({ is_passed }) => is_passed === 0)
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}
