/** Answers a query for a pattern, as JSON text in the shapes that docs/graph-language.md shows. */
import { createHash } from 'node:crypto'
import { fault } from '../../../base/faults.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import {
  compileQuery,
  type GraphContext,
  type GraphQuery,
  hasAggregates,
  loneCount,
  type Page,
  printGraph,
  type RowPlace,
  rowPlace,
  type Shape,
} from '../../../sql/graph/index.ts'

/** Seals a text that goes to a client and comes back; `open` gives undefined for a text that was not sealed here about this. */
export type Seal = {
  seal(text: string, about: string): string
  open(sealed: string, about: string): string | undefined
}

/** The ClickHouse that a query reads; a request brings its own, with its limits. */
export type ReadingClickHouse = Pick<ClickHouse, 'read' | 'rows'>

export type QueryDeps = {
  readonly clickhouse: ReadingClickHouse
  readonly seal: Seal
  readonly settings: NonNullable<Page['settings']>
}

export type Rows = { readonly shape: Shape; readonly rows: readonly string[]; readonly next?: string }

/** Where a page ended, and how many rows there were by then. A place that is too long for an address stands there as its SHA-256. */
type Continuation =
  | { readonly place: unknown; readonly taken: number }
  | { readonly at: string; readonly taken: number }

/** The longest text that goes into an address beside other things: Node takes 16 KB of them with all headers. */
const longestContinuation = 6_000

/** The rows of a query, each as JSON text. A page goes on behind `levk`. */
export async function readRows(
  { clickhouse, seal, settings }: QueryDeps,
  query: GraphQuery,
  context: GraphContext,
  levk?: string,
): Promise<Rows> {
  const about = `${context.graph}\n${printGraph(query)}`
  const limit = query.returning?.limit
  const max = query.modifier?.max ?? Number.POSITIVE_INFINITY
  const isPaged = limit !== undefined && !hasAggregates(query)
  const before = levk === undefined ? undefined : continuation(seal, levk, about)
  if (before && !isPaged) refuseContinuation(levk)
  const taken = before?.taken ?? 0
  const wanted = Math.min(limit ?? Number.POSITIVE_INFINITY, max - taken)
  const mayGoOn = isPaged && taken + wanted < max
  const after = before && (await placeOf(before))
  const { shape, statement } = compileQuery(query, context, {
    settings,
    ...(Number.isFinite(wanted) && { rows: mayGoOn ? wanted + 1 : wanted }),
    ...(isPaged && { places: true }),
    ...(after && { after }),
  })
  const text = (await clickhouse.read(statement, 'TSVRaw')).toString('utf8')
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  if (!isPaged) return { shape, rows: lines }
  const pairs = lines.slice(0, wanted).map((line) => line.split('\t'))
  const rows = pairs.map(([row = '']) => row)
  const place = pairs.at(-1)?.[1]
  if (lines.length <= wanted || place === undefined) return { shape, rows }
  return { shape, rows, next: sealed(place, taken + rows.length) }

  function sealed(place: string, taken: number): string {
    const write = (next: Continuation): string => seal.seal(JSON.stringify(next), about)
    const whole = write({ place: JSON.parse(place), taken })
    if (whole.length <= longestContinuation) return whole
    return write({ at: createHash('sha256').update(place).digest('hex').toUpperCase(), taken })
  }

  async function placeOf(before: Continuation): Promise<RowPlace> {
    if ('place' in before) return rowPlace.parse(before.place)
    const found = compileQuery(query, context, { settings, rows: 1, places: true, at: before.at })
    const text = (await clickhouse.read(found.statement, 'TSVRaw')).toString('utf8')
    const [, place] = text.replace(/\n$/, '').split('\t')
    if (place === undefined)
      throw fault('invalid', '_levk: the last row of that page has changed since; ask from the beginning')
    return rowPlace.parse(JSON.parse(place))
  }
}

/** All rows of a query, a line of JSON text each. */
export function readLines(
  { clickhouse, settings }: QueryDeps,
  query: GraphQuery,
  context: GraphContext,
): Promise<Buffer> {
  const max = Math.min(
    query.returning?.limit ?? Number.POSITIVE_INFINITY,
    query.modifier?.max ?? Number.POSITIVE_INFINITY,
  )
  const { statement } = compileQuery(query, context, { settings, ...(Number.isFinite(max) && { rows: max }) })
  return clickhouse.read(statement, 'TSVRaw')
}

/** Refuses to go on with an answer that has no pages: paths, scores, sets. */
export function refuseContinuation(levk: string | undefined): void {
  if (levk === undefined) return
  throw fault('invalid', '_levk goes with a query of a pattern with LIMIT and without aggregates, and with no other')
}

function continuation(seal: Seal, levk: string, about: string): Continuation {
  const text = seal.open(levk, about)
  if (text === undefined) throw fault('invalid', '_levk: this service made no such text for this query')
  return JSON.parse(text)
}

export function rowsText(query: GraphQuery, { shape, rows, next }: Rows): string {
  const count = loneCount(query)
  return answerText(shape, rows, [
    ...(next === undefined ? [] : ['"more_data_to_come":1', `"_levk":${JSON.stringify(next)}`]),
    ...(count === undefined ? [] : [(rows[0] ?? '{}').slice(1, -1)].filter((member) => member !== '')),
  ])
}

export const answerText = (shape: Shape, rows: readonly string[], more: readonly string[] = []): string =>
  `{${[`"${shape}":[${rows.join(',')}]`, `"num_items":${rows.length}`, ...more].join(',')}}`
