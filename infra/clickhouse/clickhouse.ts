import type { SqlStatement } from '../../sql/statement.ts'

export type Insertion = {
  /** Quoted by `qualified()`. */
  readonly table: string
  /** JSONEachRow: one object a line, never a blank line (it would end the data, and what follows would run as SQL). */
  readonly rows: Buffer
  /** A repeat under the same token changes nothing, in the table and in every view that hangs off it. */
  readonly token?: string
}

/** What Weir asks of ClickHouse, embedded or served. Settings stand in a statement's own SETTINGS clause. */
export type ClickHouse = {
  /** The answer's bytes in `format`. */
  read(statement: SqlStatement, format: string): Promise<Buffer>
  /** Rows as objects; 64-bit integers beyond 2^53 have to be selected as text. */
  rows<Row>(statement: SqlStatement): Promise<Row[]>
  /** A statement without an answer, such as DDL. */
  run(statement: SqlStatement | string): Promise<void>
  insert(insertion: Insertion): Promise<void>
  close(): Promise<void>
}

/** A statement that ClickHouse refused or could not finish; `code` is ClickHouse's own error code, 0 if there was none. */
export class ClickHouseError extends Error {
  readonly code: number

  constructor(code: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ClickHouseError'
    this.code = code
  }
}

/** ClickHouse says `Code: 60. DB::Exception: ... (UNKNOWN_TABLE)`; the client libraries pass that text on. */
export function clickHouseError(error: unknown): ClickHouseError {
  const message = error instanceof Error ? error.message : String(error)
  const inText = /Code: (\d+)/.exec(message)?.[1]
  const own = typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : Number.NaN
  return new ClickHouseError(Number(inText ?? (Number.isFinite(own) ? own : 0)), message, error)
}

/** The settings under which a repeated insert is recognised in every target; parallel parsing would cut blocks by chance. */
export const insertSettings = (token: string | undefined): Record<string, string | number> => ({
  async_insert: 0,
  input_format_parallel_parsing: 0,
  input_format_skip_unknown_fields: 1,
  max_partitions_per_insert_block: 0,
  ...(token === undefined
    ? {}
    : { insert_deduplication_token: token, deduplicate_blocks_in_dependent_materialized_views: 1 }),
})

export const jsonLines = <Row>(answer: Buffer): Row[] => {
  const text = answer.toString('utf8').trim()
  // One text is parsed in less time than its lines; a line feed within a line is escaped.
  return JSON.parse(`[${text.replaceAll('\n', ',')}]`) as Row[]
}
