import { fault } from '../../../base/faults.ts'
import { ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import {
  compilePlaces,
  compileQuery,
  compileSizes,
  compileStored,
  type GraphContext,
  type GraphQuery,
  type GraphSet,
  hasAggregates,
  loneCount,
  notesOn,
  relatedPairs,
  type StoredRows,
  shownColumns,
  worthCounting,
  worthMeasuring,
} from '../../../sql/graph/index.ts'
import { findAlgorithm } from '../algorithms/names.ts'
import { answerPaths } from '../paths/answer-paths.ts'
import type { GraphThreads } from '../threads/open-graph-threads.ts'
import { createAbsentNames } from './absent-names.ts'
import {
  answerText,
  type QueryDeps,
  type ReadingClickHouse,
  readLines,
  readRows,
  refuseContinuation,
  rowsText,
} from './answer-query.ts'
import { combined, greatestSize, type SetHead } from './sets.ts'

/** Answers the statements that read a graph: queries for patterns and for paths, and sets of queries. */

const maxBytes = 64 * 1024 * 1024

/** A set of answers that are larger together, or come to more rows, is combined in a thread: these sizes take some 30 ms. */
const maxAtOnce = 512 * 1024
const maxRowsAtOnce = 5_000

/** An answer beyond its bound is ClickHouse's error 396. */
const bounds = {
  max_bytes_to_sort: maxBytes * 4,
  sort_overflow_mode: "'throw'",
  max_result_bytes: maxBytes,
  result_overflow_mode: "'throw'",
  max_bytes_in_join: maxBytes * 16,
  join_overflow_mode: "'throw'",
}

const tooMuch = 396
const tooMuchJoined = 191

export type GraphQueriesDeps = Omit<AlgorithmQueryDeps, 'settings' | 'clickhouse'> & {
  readonly isCluster: boolean
  /** Searches for paths keep what they read, and go on for a while without their client: the number at a time is limited. */
  readonly searches: { use<Result>(work: () => Promise<Result>): Promise<Result> }
}

export function createGraphQueries({ seal, isCluster, threads, searches }: GraphQueriesDeps) {
  const absentNames = createAbsentNames()
  /** An answer is good without its notes. */
  const absent: typeof absentNames.notes = (...asked) => absentNames.notes(...asked).catch(() => [])

  const depsOn = (clickhouse: ReadingClickHouse, settings = bounds): AlgorithmQueryDeps => {
    return { clickhouse, seal, settings, threads }
  }

  /** The facts about its graph by which a query is compiled. */
  async function contextOf(graph: string, query: GraphQuery, on: ReadingClickHouse): Promise<GraphContext> {
    const { pattern } = query
    const usesPlaces = pattern.links.some(({ edge }) => edge.call?.kind === 'radius')
    const places = usesPlaces
      ? await on.rows<{ label: string; latitude: string; longitude: string }>(compilePlaces(graph))
      : []
    const named = worthCounting(pattern).flatMap((place) => {
      const node = pattern.nodes[place]
      return node ? [{ place, node }] : []
    })
    const sizes = named.length > 0 ? await on.rows<{ place: number; size: number }>(compileSizes(graph, named)) : []
    const isMeasured = !isCluster && hasAggregates(query) && worthMeasuring(pattern)
    const [stored] = isMeasured ? await on.rows<StoredRows>(compileStored(graph)) : []
    return {
      graph,
      now_us: Date.now() * 1000,
      isCluster,
      places: new Map(places.map(({ label, ...names }) => [label, names])),
      sizes: new Map(sizes.map(({ place, size }) => [place, size])),
      ...(stored && { stored }),
    }
  }

  async function query(
    graph: string,
    question: GraphQuery,
    levk: string | undefined,
    on: ReadingClickHouse,
  ): Promise<string> {
    const context = await contextOf(graph, question, on)
    const call = question.pattern.links[0]?.edge.call?.kind
    const isOfPaths = call === 'shortest' || call === 'all'
    if (question.algorithm || isOfPaths) refuseContinuation(levk)
    if (question.algorithm) return answerAlgorithm(depsOn(on), question, context)
    if (isOfPaths) return searches.use(() => answerPaths(on, question, context))
    return rowsText(question, await readRows(depsOn(on), question, context, levk))
  }

  async function set(
    graph: string,
    combination: GraphSet,
    levk: string | undefined,
    on: ReadingClickHouse,
  ): Promise<string> {
    refuseContinuation(levk)
    const deps = depsOn(on, { ...bounds, max_result_bytes: maxBytesOf(combination) })
    const each = await Promise.all(
      combination.queries.map(async (query) => {
        const lines = await readLines(deps, query, await contextOf(graph, query, on))
        return { lines, names: shownColumns(query) }
      }),
    )
    const { set: kind, column, sort, limit } = combination
    const head: SetHead = { set: kind, column, ...(sort && { sort }), ...(limit !== undefined && { limit }) }
    const size = each.reduce((bytes, { lines }) => bytes + lines.length, 0)
    if (size <= maxAtOnce && greatestSize(kind, each) <= maxRowsAtOnce) return answerText('rows', combined(head, each))
    const answer = await threads.run({ kind: 'set', head, each })
    if (!('text' in answer)) throw new Error('the thread answered another task')
    return Buffer.from(answer.text).toString('utf8')
  }

  return {
    async answer(
      graph: string,
      statement: GraphQuery | GraphSet,
      levk: string | undefined,
      on: ReadingClickHouse,
    ): Promise<string> {
      try {
        const answered = await (statement.kind === 'set'
          ? set(graph, statement, levk, on)
          : query(graph, statement, levk, on))
        const notes = [...notesOn(statement), ...(await absent(graph, statement, answered, on))]
        return withNotes(answered, statement, notes)
      } catch (error) {
        throw clientErrorOf(error, maxBytesOf(statement))
      }
    },
  }
}

/** A lone count that is called like a member of these keeps its name to itself. */
function withNotes(answer: string, statement: GraphQuery | GraphSet, notes: readonly string[]): string {
  const count = statement.kind === 'query' ? loneCount(statement) : undefined
  if (notes.length === 0 || count === 'error' || count === 'errcode') return answer
  return `${answer.slice(0, -1)},"errcode":0,"error":${JSON.stringify(notes)}}`
}

/** The max bytes of one query's answer: the answers of a set are in memory together. */
const maxBytesOf = (statement: GraphQuery | GraphSet): number =>
  statement.kind === 'set' ? Math.floor((2 * maxBytes) / statement.queries.length) : maxBytes

/** ClickHouse's bounds as faults of the query; all else stays. */
function clientErrorOf(error: unknown, max: number): unknown {
  const code = error instanceof ClickHouseError ? error.code : 0
  if (code === tooMuch) {
    return fault('invalid', `the answer exceeds ${Math.floor(max / 1024 / 1024)} MB; give names, filters or a LIMIT`)
  }
  if (code === tooMuchJoined) {
    return fault('invalid', 'the walk joins more relations than fit in memory; give a name or a filter')
  }
  return error
}

/** Answers a query with an algorithm for its modifier: over the relations that the pattern matches. */

export type AlgorithmQueryDeps = QueryDeps & { readonly threads: GraphThreads }

/** The max pairs of an algorithm in a query; `POST /graph/G/algorithm/NAME` takes more. */
const maxPairs = 100_000

async function answerAlgorithm(
  { clickhouse, settings, threads }: AlgorithmQueryDeps,
  query: GraphQuery,
  context: GraphContext,
): Promise<string> {
  const { algorithm, returning } = query
  const name = findAlgorithm(algorithm?.kind ?? '')
  if (algorithm === undefined || name === undefined) throw new Error('the query has no algorithm')
  const { statement } = compileQuery(relatedPairs(query), context, { settings, rows: maxPairs + 1 })
  const pairs = await clickhouse.read(statement, 'TSVRaw')
  const count = pairs.reduce((lines, byte) => (byte === 10 ? lines + 1 : lines), 0)
  if (count > maxPairs) {
    throw fault(
      'invalid',
      `${algorithm.kind} in a query takes at most ${maxPairs} pairs of related nodes; give names or filters, or POST /graph/${context.graph}/algorithm/${name}`,
    )
  }
  const max = Math.min(algorithm.max ?? Number.POSITIVE_INFINITY, returning?.limit ?? Number.POSITIVE_INFINITY)
  const order = {
    ...(returning?.sort && { sort: { column: returning.sort.column.name, descending: returning.sort.descending } }),
    ...(Number.isFinite(max) && { max }),
  }
  const answer = await threads.run({
    kind: 'rows',
    algorithm: name,
    lines: { pairs, withoutLoops: query.pattern.links.length > 1 },
    order,
  })
  if (!('rows' in answer)) throw new Error('the thread answered another task')
  return answerText('rows', answer.rows)
}

export type GraphQueries = ReturnType<typeof createGraphQueries>
