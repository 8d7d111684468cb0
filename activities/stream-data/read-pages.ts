import { type ClickHouse, ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import type { SqlStatement } from '../../sql/statement.ts'

/** The intended size of a page: it takes the event loop for some milliseconds. Past `maxBytes` it is read in parts. */
const pageBytes = 4 * 1024 * 1024
const maxBytes = 4 * pageBytes
const maxRows = 8192

export type PageRequest<Place> = { readonly limit: number; readonly after?: Place; readonly maxBytes?: number }

export type LinePage<Place> = {
  readonly text: Buffer
  readonly lines: number
  /** The place of the last line, behind which the next page begins. */
  readonly last?: Place
}

/** A statement for each page, and the reading of its answer in the format; absent: TSVRaw. */
export type Pages<Place> = {
  readonly format?: string
  readonly statement: (request: PageRequest<Place>) => SqlStatement
  readonly read: (answer: string, before: Place | undefined) => LinePage<Place>
}

/** The lines of all pages, or of those behind a place, a page at a time; `counted` hears how many each page holds. */
export async function* readPages<Place>(
  clickhouse: ClickHouse,
  { statement, read, format = 'TSVRaw' }: Pages<Place>,
  counted: (lines: number) => void,
  begin?: Place,
): AsyncGenerator<Buffer> {
  let limit = 64
  let after = begin
  for (;;) {
    const answer = await answerOf(clickhouse, statement, format, { limit, ...(after !== undefined && { after }) })
    const page = answer && read(answer.toString('utf8'), after)
    if (page?.lines === 0) return
    if (page) {
      counted(page.lines)
      yield page.text
      after = page.last
    }
    const fitting = page ? (page.lines * pageBytes) / page.text.length : limit / 8
    limit = Math.floor(Math.max(1, Math.min(fitting, 8 * limit, maxRows)))
  }
}

/** Undefined where `limit` lines are too large to be one page. */
async function answerOf<Place>(
  clickhouse: ClickHouse,
  statement: Pages<Place>['statement'],
  format: string,
  request: PageRequest<Place>,
): Promise<Buffer | undefined> {
  const bound = request.limit > 1 ? { maxBytes } : {}
  try {
    return await clickhouse.read(statement({ ...request, ...bound }), format)
  } catch (error) {
    if (error instanceof ClickHouseError && request.limit > 1 && tooMuch.includes(error.code)) return undefined
    throw error
  }
}

/** ClickHouse's error codes for an answer, and for a query's memory, beyond their bounds. */
const tooMuch = [396, 241]
