import type { Catalogue } from '../../infra/catalogue/catalogue.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import {
  compileOpenCount,
  compileOpenSessions,
  fedBy,
  type OpenQuestion,
} from '../../sql/query/compile/open-sessions.ts'
import { queueName } from '../../sql/schema/names.ts'
import { now_us } from '../pages/continuation.ts'
import { type Page, rawNumber } from '../pages/page.ts'
import type { RegisteredStream } from '../registry/registry.ts'

/** Open sessions of an answer, which has no page behind it. */
const maxOpen = 10_000

const wayOut = (shown: number): string =>
  `${shown < maxOpen ? `a larger limit shows more, up to ${maxOpen}; ` : ''}name a key in where, or count them`

/** Answers questions for the sessions that are open. */
export function createOpenSessions(catalogue: Pick<Catalogue, 'sessionsSince'>) {
  async function targetOf({ schema, stream, columns }: RegisteredStream) {
    const since = new Map<string, number>()
    for (const { from } of fedBy({ schema, stream })) {
      const noted = await catalogue.sessionsSince(queueName(schema.name, from.name))
      if (noted !== undefined) since.set(from.name, noted)
    }
    return { schema, stream, columns, now_us: now_us(), since }
  }

  return {
    /** The sessions of a stream that are open, the latest first. */
    async rows(
      target: RegisteredStream,
      question: OpenQuestion,
      limit: number | undefined,
      on: QueryClickHouse,
    ): Promise<Page> {
      const most = Math.min(limit ?? maxOpen, maxOpen)
      const found = await on.rows<{ readonly v: string }>(
        compileOpenSessions(await targetOf(target), question, most + 1),
      )
      const shown = found.slice(0, most).map(({ v }) => v)
      return {
        rows: shown.map((v, index) => ({ k: rawNumber(index), v })),
        more: false,
        switchDone: 0,
        plainRows: () => shown,
        ...(found.length > most && {
          notes: [`more sessions are open than the latest ${most}, which are shown: ${wayOut(most)}`],
        }),
      }
    },

    async count(target: RegisteredStream, question: OpenQuestion, on: QueryClickHouse): Promise<number> {
      const [row] = await on.rows<{ readonly count: number }>(compileOpenCount(await targetOf(target), question))
      return Number(row?.count ?? 0)
    },
  }
}
