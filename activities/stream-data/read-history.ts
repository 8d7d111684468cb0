import { type ClickHouse, ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import { compileHistory, type EventPosition, type HistoryRequest } from '../../sql/query/compile/rows.ts'
import type { StreamSource } from '../../sql/query/compile/source.ts'

/** The intended size of a page: it takes the event loop for some milliseconds. Past `maxBytes` it is read in parts. */
const pageBytes = 4 * 1024 * 1024
const maxBytes = 4 * pageBytes
const maxRows = 8192

/** Documents of a stream, one a line, oldest first, a page at a time; `counted` hears how many each page holds. */
export async function* readHistory(
  clickhouse: ClickHouse,
  source: StreamSource,
  span: Pick<HistoryRequest, 'from_us' | 'lastSeq'>,
  counted: (lines: number) => void,
): AsyncGenerator<Buffer> {
  let limit = 64
  let after: Required<EventPosition> | undefined
  for (;;) {
    const page = await readPage(clickhouse, source, { ...span, limit, ...(after && { after }) })
    if (page?.lines === 0) return
    if (page) {
      counted(page.lines)
      yield page.documents
      after = page.last && beyond(after, page.last)
    }
    const fitting = page ? (page.lines * pageBytes) / page.documents.length : limit / 8
    limit = Math.floor(Math.max(1, Math.min(fitting, 8 * limit, maxRows)))
  }
}

/** Undefined where `limit` events are too large to be one page. */
async function readPage(
  clickhouse: ClickHouse,
  source: StreamSource,
  request: HistoryRequest,
): Promise<DocumentPage | undefined> {
  const bound = request.limit > 1 ? { maxBytes } : {}
  try {
    return pageOf(await clickhouse.read(compileHistory(source, { ...request, ...bound }), 'TSVRaw'))
  } catch (error) {
    if (error instanceof ClickHouseError && request.limit > 1 && tooMuch.includes(error.code)) return undefined
    throw error
  }
}

/** ClickHouse's error codes for an answer, and for a query's memory, beyond their bounds. */
const tooMuch = [396, 241]

type DocumentPage = {
  readonly documents: Buffer
  readonly lines: number
  /** The last event's place, and how many of the page share it. */
  readonly last?: Required<EventPosition>
}

/** Where a page ends that began behind `before`: filters may bring one event into a stream on many ways. */
const beyond = (before: Required<EventPosition> | undefined, last: Required<EventPosition>): Required<EventPosition> =>
  before?.pk === last.pk && before.seq === last.seq ? { ...last, seen: before.seen + last.seen } : last

/** A line's `_pk` and `_seq`. A document holds no tab, so nothing inside of one looks like that. */
const position = /^(\d+)\t(\d+)\t/gm

/** Takes the positions off `pk \t seq \t document` lines. */
function pageOf(answer: Buffer): DocumentPage {
  let last: Required<EventPosition> | undefined
  let lines = 0
  const documents = answer.toString('utf8').replace(position, (_, pk: string, seq: string) => {
    last = { pk, seq, seen: last?.pk === pk && last.seq === seq ? last.seen + 1 : 1 }
    lines++
    return ''
  })
  return { documents: Buffer.from(documents), lines, ...(last && { last }) }
}
