import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { compileHistory, type EventPosition } from '../../sql/query/compile/rows.ts'
import type { StreamSource } from '../../sql/query/compile/source.ts'
import type { EventsTaken } from '../../sql/query/compile/taken.ts'
import { type LinePage, type PageRequest, readPages } from './read-pages.ts'

export type Place = Required<EventPosition>

/** Documents of a stream, one a line, oldest first, a page at a time; `counted` hears how many each page holds. */
export const readHistory = (
  clickhouse: ClickHouse,
  source: StreamSource,
  taken: EventsTaken,
  counted: (lines: number) => void,
  begin?: Place,
): AsyncGenerator<Buffer> =>
  readPages(
    clickhouse,
    { statement: (page: PageRequest<Place>) => compileHistory(source, { ...taken, ...page }), read: pageOf },
    counted,
    begin,
  )

/** Where a page ends that began behind `before`: filters may bring one event into a stream on many ways. */
const beyond = (before: Place | undefined, last: Place): Place =>
  before?.pk === last.pk && before.seq === last.seq ? { ...last, seen: before.seen + last.seen } : last

/** A line's `_pk` and `_seq`. A document holds no tab, so nothing inside of one looks like that. */
const position = /^(\d+)\t(\d+)\t/gm

/** Takes the positions off `pk \t seq \t document` lines. */
function pageOf(answer: string, before: Place | undefined): LinePage<Place> {
  let last: Place | undefined
  let lines = 0
  const documents = answer.replace(position, (_, pk: string, seq: string) => {
    last = { pk, seq, seen: last?.pk === pk && last.seq === seq ? last.seen + 1 : 1 }
    lines++
    return ''
  })
  return { text: Buffer.from(documents), lines, ...(last && { last: beyond(before, last) }) }
}
