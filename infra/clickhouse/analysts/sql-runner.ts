import type { Reach } from '../../../sql/analysts/tables.ts'

/** A statement as it came over ClickHouse's HTTP protocol. */
export type SqlQuery = {
  /** Names the query in answers and logs. */
  readonly id: string
  /** The `query` parameter of the URL: the statement, or its beginning. */
  readonly text: string
  /** The rest of the statement, or the data of an insert. */
  readonly body: Buffer
  readonly database?: string
  /** The format of an answer to a statement that names none. */
  readonly format: string
  readonly params: Readonly<Record<string, string>>
  readonly settings: Readonly<Record<string, string>>
  /** Whether it sees all that this process acknowledged before it, and waits for that. */
  readonly waits?: boolean
  /** Absent for all that analysts see. */
  readonly reach?: Reach
  /** The key that it came with, or the address: callers share the places of queries. */
  readonly caller?: string
  /** The key that it came with; a query can be ended by another one of the same owner. */
  readonly owner?: string
}

/** Embedded ClickHouse reports the rows of an answer, not the rows that it read. */
export type SqlSummary = {
  readonly resultRows: number
  readonly resultBytes: number
  readonly elapsed_ns: number
}

export type SqlAnswer = {
  readonly format: string
  /** Throws a `ClickHouseError` where the statement fails, perhaps after some of its output. */
  readonly output: AsyncIterable<Uint8Array>
  /** Counts of the query, complete once the output has ended. */
  summary(): SqlSummary
}

/** Runs statements one by one; settings, parameters and the database of one never reach another. */
export type SqlRunner = {
  /** An abort ends the query, wherever it is; a query that waits to begin is rejected with the signal's reason. */
  query(query: SqlQuery, signal?: AbortSignal): Promise<SqlAnswer>
  /** The time zone in which ClickHouse shows times. */
  timezone(): Promise<string>
  version(): Promise<string>
  close(): Promise<void>
}
