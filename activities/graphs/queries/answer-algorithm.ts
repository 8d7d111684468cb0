/** Answers a query with an algorithm for its modifier: over the relations that the pattern matches. */
import { fault } from '../../../base/faults.ts'
import { compileQuery, type GraphContext, type GraphQuery, relatedPairs } from '../../../sql/graph/index.ts'
import { findAlgorithm } from '../algorithms/names.ts'
import type { GraphThreads } from '../threads/open-graph-threads.ts'
import { answerText, type QueryDeps } from './answer-query.ts'

export type AlgorithmQueryDeps = QueryDeps & { readonly threads: GraphThreads }

/** What a query takes; `POST /graph/G/algorithm/NAME` takes more. */
const mostPairs = 100_000

export async function answerAlgorithm(
  { clickhouse, settings, threads }: AlgorithmQueryDeps,
  query: GraphQuery,
  context: GraphContext,
): Promise<string> {
  const { algorithm, returning } = query
  const name = findAlgorithm(algorithm?.kind ?? '')
  if (algorithm === undefined || name === undefined) throw new Error('the query has no algorithm')
  const { statement } = compileQuery(relatedPairs(query), context, { settings, rows: mostPairs + 1 })
  const pairs = await clickhouse.read(statement, 'TSVRaw')
  const count = pairs.reduce((lines, byte) => (byte === 10 ? lines + 1 : lines), 0)
  if (count > mostPairs) {
    throw fault(
      'invalid',
      `${algorithm.kind} in a query takes at most ${mostPairs} pairs of related nodes; give names or filters, or POST /graph/${context.graph}/algorithm/${name}`,
    )
  }
  const most = Math.min(algorithm.most ?? Number.POSITIVE_INFINITY, returning?.limit ?? Number.POSITIVE_INFINITY)
  const order = {
    ...(returning?.sort && { sort: { column: returning.sort.column.name, descending: returning.sort.descending } }),
    ...(Number.isFinite(most) && { most }),
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
