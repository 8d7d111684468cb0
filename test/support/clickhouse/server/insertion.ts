import type { Session } from 'chdb'
import { exception } from './exceptions.ts'

/** `INSERT INTO t (a, b) SETTINGS x = 1 FORMAT f` with the data behind it. */
const head =
  /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?([\w.`"]+)\s*(?:\(([^()]*)\))?\s*(?:SETTINGS\s+(.*?))?\s*FORMAT\s+(\w+)[ \t]*(?:\r?\n|;?\s*$)/is

/** Formats that chDB takes as bytes. */
const formats = [
  'JSONEachRow',
  'JSONCompactEachRow',
  'CSV',
  'CSVWithNames',
  'TSV',
  'TabSeparated',
  'TSVWithNames',
  'TabSeparatedWithNames',
] as const

export type Insertion = {
  readonly table: string
  readonly columns: readonly string[] | undefined
  /** The settings as the statement has them. */
  readonly settings: string | undefined
  readonly format: (typeof formats)[number]
  readonly data: Buffer
}

const plain = (name: string): string => name.replaceAll(/[`"]/g, '').trim()

/** Undefined where the statement is no insert with data of a format behind it. */
export function insertionOf(whole: Buffer): Insertion | undefined {
  const found = head.exec(whole.subarray(0, 65_536).toString('latin1'))
  if (!found) return undefined
  const [text, table = '', columns, settings, name = ''] = found
  const format = formats.find((known) => known === name)
  if (!format) throw exception(73, 'UNKNOWN_FORMAT', `This test server takes no data of format ${name}`)
  return {
    table: plain(table),
    columns: columns?.split(',').map(plain),
    settings,
    format,
    data: withoutBlankLines(whole.subarray(text.length)),
  }
}

export async function insertInto(session: Session, { table, columns, settings, format, data }: Insertion) {
  if (settings !== undefined) await session.queryAsync(`SET ${settings}`)
  return session.insert({ table, values: data, format, ...(columns && { columns }) })
}

/** A server passes over blank lines; chDB ends the data at one and runs what follows as SQL. */
function withoutBlankLines(data: Buffer): Buffer {
  const text = data.toString('latin1')
  if (!/\n\s*\n|^\s*\n/.test(text)) return data
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Buffer.from(`${lines.join('\n')}\n`, 'latin1')
}
