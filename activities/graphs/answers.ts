import { Fault } from '../../base/faults.ts'
import { type ClickHouse, isAbsent } from '../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../infra/clock.ts'
import { compileGraphExists, type GraphChange, type GraphStatement } from '../../sql/graph/index.ts'
import { PlacedRefusal, withCaretOf } from '../../sql/query/placed-refusal.ts'
import { checkName } from '../../sql/schema/check/name.ts'
import { createMakesNone, missingGraph } from './absent.ts'
import { applyChange } from './changes/changes.ts'
import type { NodeChanges } from './changes/node-changes.ts'
import type { ReadingClickHouse } from './queries/answer-query.ts'
import type { GraphQueries } from './queries/graph-queries.ts'
import type { GraphWriters } from './writers.ts'

export type GraphRequest = {
  readonly graph: string
  readonly text: string
  /** The text, where it is parsed already. */
  readonly statement?: GraphStatement
  readonly levk?: string
}

export type GraphAnswersDeps = {
  readonly clickhouse: ClickHouse
  readonly clock: Clock
  readonly writers: Pick<GraphWriters, 'change' | 'remake'>
  readonly changes: NodeChanges
  readonly queries: GraphQueries
  /** Whether a schema's events bring triples into the graph. */
  readonly isFed: (graph: string) => boolean
}

const success = JSON.stringify({ msg: ['success'], errcode: 0 })

/** Answers statements on graphs, which ask or change. */
export function createGraphAnswers({ clickhouse, clock, writers, changes, queries, isFed }: GraphAnswersDeps) {
  async function change(graph: string, statement: GraphChange): Promise<void> {
    try {
      await writers.change(graph, (writer) => applyChange({ clickhouse, clock, writer, graph, changes }, statement))
    } catch (error) {
      const isMissing = error instanceof Fault && error.kind === 'missing'
      throw isMissing && statement.kind === 'create' ? createMakesNone(graph) : error
    }
  }

  const isThere = async (graph: string): Promise<boolean> =>
    (await clickhouse.rows(compileGraphExists(graph))).length > 0

  async function run({ graph, levk }: GraphRequest, statement: GraphStatement, on: ReadingClickHouse): Promise<string> {
    switch (statement.kind) {
      case 'query':
      case 'set':
        return queries.answer(graph, statement, levk, on)
      default:
        await change(graph, statement)
        return success
    }
  }

  /** A fault that only compiling finds is reported at its place. A schema that never had a relation has its graph, too. */
  return async function answer(
    request: GraphRequest,
    statement: GraphStatement,
    on: ReadingClickHouse,
  ): Promise<string> {
    const { graph, text } = request
    if (!isFed(graph) && !mayBeGraph(graph)) throw missingGraph(graph)
    try {
      return await run(request, statement, on).catch(async (error) => {
        if (!isAbsent(error)) throw error
        if (!isFed(graph)) throw missingGraph(graph)
        await writers.remake(graph)
        return run(request, statement, on)
      })
    } catch (error) {
      // A graph that is not there has no geo index either, which a statement would be refused for.
      if (error instanceof PlacedRefusal && !isFed(graph) && !(await isThere(graph))) throw missingGraph(graph)
      throw withCaretOf(text, error)
    }
  }
}

/** Whether a graph that belongs to no schema can have the name. */
const mayBeGraph = (graph: string): boolean => checkName(graph) === undefined
