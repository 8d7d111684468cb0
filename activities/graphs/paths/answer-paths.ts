/** Answers a query for paths: the ends that match, the search, and the answer's text. */

import { fault } from '../../../infra/faults.ts'
import {
  compileExpansion,
  compileMatching,
  type GraphContext,
  type GraphQuery,
  type NodeKey,
  type NodePattern,
} from '../../../sql/graph/index.ts'
import type { ReadingClickHouse } from '../queries/answer-query.ts'
import { findAll } from './all.ts'
import { findLightest } from './lightest.ts'
import { findLightestBetween } from './lightest-between.ts'
import { keyOf, type Path, type Relations } from './relations.ts'
import { findShortest } from './shortest.ts'

export type PathLimits = {
  /** Nodes that may match an end. */
  readonly ends: number
  /** Relations that a search may read. */
  readonly relations: number
  readonly paths: number
}

const pathLimits: PathLimits = { ends: 10_000, relations: 2_000_000, paths: 10_000 }

/** Nodes in one question. */
const nodesAtOnce = 5_000

type Row = {
  readonly sl: string
  readonly s: string
  readonly r: string
  readonly ol: string
  readonly o: string
  readonly w?: number
}

export async function answerPaths(
  clickhouse: ReadingClickHouse,
  query: GraphQuery,
  context: GraphContext,
  limits: PathLimits = pathLimits,
): Promise<string> {
  const { nodes, links } = query.pattern
  const [link] = links
  const call = link?.edge.call
  const [left, right] = nodes
  if (link === undefined || call === undefined || left === undefined || right === undefined) {
    throw new Error('a query for paths has one link with a function')
  }
  const { edge } = link
  const weight = call.kind === 'shortest' ? call.weight : undefined
  let read = 0

  const expand = async (direction: 'out' | 'in', among: readonly NodeKey[]) => {
    const found: Row[] = []
    for (let start = 0; start < among.length; start += nodesAtOnce) {
      const some = among.slice(start, start + nodesAtOnce)
      const most = limits.relations - read + 1
      const expansion = { nodes: some, direction, edge, most, ...(weight && { weight }) }
      const rows = await clickhouse.rows<Row>(compileExpansion(context, expansion))
      read += rows.length
      if (read > limits.relations) {
        throw fault('invalid', `the search read more than ${limits.relations} relations; name a relation`)
      }
      for (const row of rows) found.push(row)
    }
    return found.map(({ sl, s, r, ol, o, w }) => ({
      subject: { label: sl, name: s },
      relation: r,
      object: { label: ol, name: o },
      weight: w ?? 1,
    }))
  }
  const relations: Relations = {
    leaving: (among) => expand('out', among),
    entering: (among) => expand('in', among),
  }

  const matching = async (node: NodePattern): Promise<readonly NodeKey[]> => {
    const found = await clickhouse.rows<NodeKey>(compileMatching(node, context, limits.ends + 1))
    if (found.length <= limits.ends) return found
    throw fault('invalid', `more than ${limits.ends} nodes match an end of the path; give its name or a filter`)
  }
  const [from, to] = edge.direction === 'out' ? [left, right] : [right, left]
  const [begin, end] = await Promise.all([matching(from), matching(to)])
  if (call.kind === 'all') {
    const most = query.modifier?.most
    const paths = await findAll(relations, begin, end, { most, mostPaths: limits.paths })
    return JSON.stringify({ paths: paths.map(shown), path_count: paths.length })
  }
  const ends = new Set(end.map(keyOf))
  const areApart = !begin.some((node) => ends.has(keyOf(node)))
  const between = weight === undefined ? findShortest : findLightestBetween
  const path = await (areApart ? between : findLightest)(relations, begin, end)
  return JSON.stringify(path ? { ...shown(path), path_count: 1 } : { nodes: [], edges: [], path_count: 0 })
}

const shown = ({ nodes, relations }: Path) => ({
  nodes: nodes.map(({ label, name }) => ({ label, name })),
  edges: relations.map(({ relation }) => ({ rel: relation })),
})
