import { drainPending, Session } from 'chdb'
import {
  emptySummary,
  type SqlQuery,
  type SqlRunner,
  type SqlSummary,
} from '../../../infra/clickhouse/analysts/sql-runner.ts'
import { clickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { literal } from '../../../sql/literal.ts'

/** `INSERT INTO t (a, b) SETTINGS x = 1, y = 'z' FORMAT f`, with the data behind it. */
const insertion =
  /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?([\w.`"]+)\s*(?:\(([^()]*)\))?\s*(?:SETTINGS\s+(.*?))?\s*FORMAT\s+(\w+)[ \t]*(?:\r?\n|;?\s*$)/is
const formatAtEnd = /\bFORMAT\s+(\w+)\s*(?:SETTINGS\b[^)]*)?;?\s*$/i
const rawFormats = [
  'JSONEachRow',
  'JSONCompactEachRow',
  'CSV',
  'CSVWithNames',
  'TSV',
  'TabSeparated',
  'TSVWithNames',
  'TabSeparatedWithNames',
] as const

const unquoted = (name: string): string => name.replaceAll(/[`"]/g, '').trim()

/**
 * Any statement, as a trusted client of a ClickHouse server may send. Each has a connection of its own, so that its
 * settings end with it. Data of an insert never runs as SQL.
 */
export function createTrustedRunner(path: string): SqlRunner {
  const open = (): Session =>
    new Session(path, { connectionArgs: ['--max_query_size=268435456', '--max_ast_elements=1000000'] })
  const kept = open()

  const run = async (
    session: Session,
    query: SqlQuery,
  ): Promise<{ bytes: Uint8Array; format: string; summary: SqlSummary }> => {
    const settings = { ...query.settings, log_comment: query.settings.log_comment ?? query.id }
    const assigned = Object.entries(settings).map(
      ([name, value]) => `${identifier(name)} = ${literal(value, 'String')}`,
    )
    if (query.database !== undefined && query.database !== 'default')
      await session.queryAsync(`USE \`${unquoted(query.database)}\``)
    for (const [name, value] of Object.entries(query.params)) {
      await session.queryAsync(`SET param_${identifier(name)} = ${literal(value, 'String')}`)
    }
    if (assigned.length > 0) await session.queryAsync(`SET ${assigned.join(', ')}`)
    const whole = query.text === '' ? query.body : Buffer.concat([Buffer.from(`${query.text}\n`), query.body])
    const inserted = insertion.exec(whole.subarray(0, 65536).toString('latin1'))
    if (inserted) return insert(session, whole, inserted)
    const text = whole.toString('utf8')
    const result = await session.queryAsync(text, { format: query.format })
    const summary = { ...emptySummary, resultRows: result.rowsRead, elapsed_ns: Math.round(result.elapsed * 1e9) }
    return { bytes: result.bytes(), format: formatAtEnd.exec(text)?.[1] ?? query.format, summary }
  }

  const insert = async (
    session: Session,
    whole: Buffer,
    [head, table = '', columns, settings, name = '']: RegExpExecArray,
  ) => {
    if (settings !== undefined) await session.queryAsync(`SET ${settings}`)
    const format = rawFormats.find((known) => known === name)
    if (format === undefined)
      throw new Error(`Code: 73. DB::Exception: this test server inserts no ${name}. (UNKNOWN_FORMAT)`)
    const result = await session.insert({
      table: unquoted(table),
      values: withoutBlankLines(whole.subarray(head.length)),
      format,
      ...(columns === undefined ? {} : { columns: columns.split(',').map(unquoted) }),
    })
    const summary = { ...emptySummary, writtenRows: result.rowsWritten, elapsed_ns: Math.round(result.elapsed * 1e9) }
    return { bytes: new Uint8Array(), format: 'TabSeparated', summary }
  }

  return {
    async query(query) {
      const session = open()
      try {
        const { bytes, format, summary } = await run(session, query)
        return { format, output: once(bytes), summary: () => summary, cancel: () => {} }
      } catch (error) {
        throw clickHouseError(error)
      } finally {
        session.close()
      }
    },
    timezone: async () => (await kept.queryAsync('SELECT timezone()', { format: 'TabSeparatedRaw' })).text().trim(),
    async close() {
      kept.close()
      await drainPending()
    },
  }
}

const identifier = (name: string): string => {
  if (!/^\w+$/.test(name)) throw new Error(`Code: 115. DB::Exception: Unknown setting '${name}'. (UNKNOWN_SETTING)`)
  return name
}

/** chDB ends an insert's data at a blank line, and what follows it runs as SQL. */
function withoutBlankLines(data: Buffer): Buffer {
  if (!/\n\s*\n|^\s*\n/.test(data.toString('latin1'))) return data
  const lines = data.toString('latin1').split('\n')
  return Buffer.from(`${lines.filter((line) => line.trim() !== '').join('\n')}\n`, 'latin1')
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}
