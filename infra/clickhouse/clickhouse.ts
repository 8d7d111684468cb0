import { cutMiddle } from '../../base/cut-middle.ts'
import type { SqlStatement } from '../../sql/statement.ts'

export type Insertion = {
  /** Quoted by `qualified()`. */
  readonly table: string
  /** JSONEachRow: one object a line, never a blank line (it would end the data, and what follows would run as SQL). */
  readonly rows: Buffer
  /** A repeat under the same token changes nothing, in the table and in every view that hangs off it. */
  readonly token?: string
  /** A text that views read as the `log_comment` of the insert that they see. */
  readonly comment?: string
}

/** ClickHouse's codes: no such table, no such database. */
const absent = [60, 81]

/** Whether ClickHouse refused a statement since it names a thing that is not there. */
export const isAbsent = (error: unknown): boolean => error instanceof ClickHouseError && absent.includes(error.code)

/** The limits of a statement, and the signal that ends it. */
export type Bounds = {
  readonly signal: AbortSignal
  readonly time_s: number
  /** Max rows that it may read; 0 for no limit. */
  readonly rows: number
  readonly bytes?: number | undefined
}

/** A statement `within` bounds is a client's: it has connections apart from the service's own statements. */
export type Question<Row = unknown> = SqlStatement<Row> & { readonly within?: Bounds }

/** The port to ClickHouse, embedded or a server. Settings stand in a statement's own SETTINGS clause. */
export type ClickHouse = {
  /** The answer's bytes in `format`. */
  read(statement: Question, format: string): Promise<Buffer>
  /** Rows as objects; 64-bit integers beyond 2^53 have to be selected as text. */
  rows<Row>(statement: Question<Row>): Promise<Row[]>
  /** A statement without an answer, such as DDL. */
  run(statement: Question | string): Promise<void>
  insert(insertion: Insertion): Promise<void>
  close(): Promise<void>
}

/** Statements one after the other, up to the first that fails. */
export async function runAll(
  clickhouse: Pick<ClickHouse, 'run'>,
  statements: readonly (Question | string)[],
): Promise<void> {
  for (const statement of statements) await clickhouse.run(statement)
}

const statementsAtOnce = 4

/**
 * Runs one step after the other, the statements of a step beside each other. Rejects at the first failure once no
 * statement runs any more; no later step begins.
 */
export async function runSteps(
  clickhouse: Pick<ClickHouse, 'run'>,
  steps: readonly (readonly string[])[],
): Promise<void> {
  for (const step of steps) {
    const waiting = [...step]
    const runNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await clickhouse.run(next).catch((error: unknown) => {
          waiting.length = 0
          throw error
        })
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: statementsAtOnce }, runNext))
    for (const each of ended) if (each.status === 'rejected') throw each.reason
  }
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

/** Characters of a message: a statement's author writes as much of it as he likes, and many patterns look through it. */
export const maxMessage = 8192

/** ClickHouse says `Code: 60. DB::Exception: ... (UNKNOWN_TABLE)`; the client libraries pass that text on. */
export function clickHouseError(error: unknown): ClickHouseError {
  const message = cutMiddle(error instanceof Error ? error.message : String(error), maxMessage)
  const inText = /Code: (\d+)/.exec(message)?.[1]
  const own = typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : Number.NaN
  return new ClickHouseError(Number(inText ?? (Number.isFinite(own) ? own : 0)), message, error)
}

/** A grouping that takes more than this part of the memory goes on by the disk. */
const groupedInMemory = 1 / 4
/** The disk limit of a query, in multiples of its memory limit. */
export const onDisk = 8
export const diskBytes = (bytes: number): number => onDisk * bytes

/** The settings of a statement within bounds; `comment` finds it among the running statements. */
export const boundSettings = ({ time_s, rows, bytes }: Bounds, comment: string): Record<string, string | number> => ({
  max_execution_time: Math.ceil(time_s * 1000) / 1000,
  timeout_overflow_mode: 'throw',
  ...(rows > 0 && { max_rows_to_read: rows, read_overflow_mode: 'throw' }),
  ...(bytes !== undefined && {
    max_memory_usage: bytes,
    max_bytes_before_external_group_by: Math.floor(bytes * groupedInMemory),
    max_temporary_data_on_disk_size_for_query: diskBytes(bytes),
  }),
  log_comment: comment,
})

/** The settings under which a repeated insert is recognised in every target; parallel parsing would cut blocks by chance. */
export const insertSettings = ({ token, comment }: Insertion): Record<string, string | number> => ({
  async_insert: 0,
  input_format_parallel_parsing: 0,
  input_format_skip_unknown_fields: 1,
  max_partitions_per_insert_block: 0,
  // Where memory runs out a query is stopped for it, never an insert.
  memory_overcommit_ratio_denominator: 0,
  ...(comment !== undefined && { log_comment: comment }),
  ...(token === undefined
    ? {}
    : { insert_deduplication_token: token, deduplicate_blocks_in_dependent_materialized_views: 1 }),
})

export const jsonLines = <Row>(answer: Buffer): Row[] => {
  const text = answer.toString('utf8').trim()
  // Parsing one text takes less time than parsing its lines one by one; a line feed within a line is escaped.
  return JSON.parse(`[${text.replaceAll('\n', ',')}]`) as Row[]
}
