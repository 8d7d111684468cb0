/** An answer of analysts' SQL, as it comes. */
import { fetchCall } from '../../api/client.ts'
import type { ResultColumn, Row } from '../../parts/result/rows.ts'
import { columnsOf, createLines, sqlFormat } from './sql-rows.ts'

export type SqlReader = {
  columns(columns: readonly ResultColumn[]): void
  /** False: the reader has as many as it wants, and the query is ended. */
  rows(rows: readonly Row[]): boolean
}

/** Reads the rows of a statement; resolves with whether the reader had them all. */
export async function askSql(text: string, reader: SqlReader, signal: AbortSignal): Promise<boolean> {
  const enough = new AbortController()
  const either = AbortSignal.any([signal, enough.signal])
  const response = await fetchCall('POST /sql', { body: { sql: text, format: sqlFormat }, signal: either })
  const body = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const lines = createLines()
  const heads: Row[] = []

  function hand(found: readonly Row[]): boolean {
    const rows = [...found]
    while (heads.length < 2 && rows.length > 0) {
      heads.push(rows.shift() ?? [])
      if (heads.length === 2) reader.columns(columnsOf(heads[0], heads[1]))
    }
    return rows.length === 0 || reader.rows(rows)
  }

  for (;;) {
    const next = await body?.read()
    if (!next || next.done) return hand(lines.end())
    if (hand(lines.take(next.value))) continue
    enough.abort()
    return false
  }
}

/** The answer in the format that the statement names, as text. */
export async function askSqlText(text: string, signal: AbortSignal): Promise<string> {
  return (await fetchCall('POST /sql', { body: { sql: text }, signal })).text()
}
