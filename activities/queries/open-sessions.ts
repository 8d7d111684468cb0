import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import { compileOpenCount, compileOpenSessions, type OpenQuestion } from '../../sql/query/compile/open-sessions.ts'
import { now_us } from '../pages/continuation.ts'
import { type Page, rawNumber } from '../pages/page.ts'
import type { RegisteredStream } from '../registry/registry.ts'

/** Open sessions of an answer, which has no page behind it. */
const maxOpen = 10_000

/** The sessions of a stream that are open, the latest first. */
export async function openSessions(
  { schema, stream, columns }: RegisteredStream,
  question: OpenQuestion,
  limit: number | undefined,
  on: QueryClickHouse,
): Promise<Page> {
  const most = Math.min(limit ?? maxOpen, maxOpen)
  const compiled = compileOpenSessions({ schema, stream, columns, now_us: now_us() }, question, most + 1)
  const found = await on.rows<{ readonly v: string }>(compiled)
  const shown = found.slice(0, most).map(({ v }) => v)
  const isCut = found.length > most && limit === undefined
  return {
    rows: shown.map((v, index) => ({ k: rawNumber(index), v })),
    more: false,
    switchDone: 0,
    plainRows: () => shown,
    ...(isCut && {
      notes: [
        `more than ${maxOpen} sessions are open, and the ${maxOpen} latest are shown: name a key in where, or count them`,
      ],
    }),
  }
}

export async function countOpenSessions(
  { schema, stream, columns }: RegisteredStream,
  question: OpenQuestion,
  on: QueryClickHouse,
): Promise<number> {
  const [row] = await on.rows<{ readonly count: number }>(
    compileOpenCount({ schema, stream, columns, now_us: now_us() }, question),
  )
  return Number(row?.count ?? 0)
}
