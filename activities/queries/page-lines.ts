import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Statement } from '../../sql/query/index.ts'
import type { Continuation, StreamQuery } from '../pages/continuation.ts'
import type { Answer } from '../pages/page.ts'
import { plainLines } from '../pages/plain.ts'
import { placeBehind } from '../pages/plain-cursor.ts'

/** A part of an answer in lines; `isLast`: no other follows. */
export type LinesPart = {
  readonly lines: Buffer
  readonly isLast: boolean
  readonly notes: readonly string[]
  /** Where the rows begin that the statement's limit left. */
  readonly place?: Continuation
}

/** Parts are asked for one by one, and none behind the last. */
export type LineReader = { next(on: QueryClickHouse): Promise<LinesPart> }

export type PageLinesRequest = {
  readonly statement: Statement
  readonly query: StreamQuery
  readonly answer: (statement: Statement, query: StreamQuery, on: QueryClickHouse) => Promise<Answer>
}

/** Rows of a page where the statement bounds them: a page without such a bound ends by its size. */
const pageRows = 5_000

/** Reads an answer of any kind page by page. */
export function createPageLines({ statement, query, answer }: PageLinesRequest): LineReader {
  const limit = 'limit' in statement ? statement.limit : undefined
  let left = limit ?? Number.POSITIVE_INFINITY
  let asked = query
  return {
    async next(on) {
      const bounded = limit === undefined ? statement : { ...statement, limit: Math.min(left, pageRows) }
      const found = await answer(bounded, asked, on)
      const lines = Buffer.from(plainLines(found))
      const notes = asked === query ? notesOf(found) : []
      const place = found.kind === 'rows' ? placeBehind(found.page) : undefined
      if (found.kind !== 'rows' || place === undefined) return { lines, notes, isLast: true }
      left -= found.page.rows.length
      if (left <= 0) return { lines, notes, place, isLast: true }
      const { lastKey: _key, cursor: _cursor, ...unplaced } = query
      asked = { ...unplaced, ...place, eventual: true }
      return { lines, notes, isLast: false }
    },
  }
}

const notesOf = (answer: Answer): readonly string[] => (answer.kind === 'rows' ? answer.page.notes : answer.notes) ?? []
