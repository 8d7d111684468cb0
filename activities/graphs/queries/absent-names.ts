import { hint } from '../../../base/suggest.ts'
import {
  compileKnownNames,
  compileNamesThere,
  countsNothing,
  type GraphName,
  type GraphQuery,
  type GraphSet,
  namesIn,
} from '../../../sql/graph/index.ts'
import type { ReadingClickHouse } from './answer-query.ts'

/** How long a name that was found counts as there: meanwhile queries that find nothing do not look for it. */
const remembered_ms = 10_000
const maxGraphs = 100
const maxNames = 1_000

type Remembered = { readonly names: Set<string>; readonly until_ms: number }

/**
 * Notes on labels and relations that a statement names and its graph has not. They are looked for only behind an answer of
 * nothing, and behind sets, whose rows do not tell: other queries cost what they cost without them.
 */
export function createAbsentNames(now_ms: () => number = () => performance.now()) {
  const graphs = new Map<string, Remembered>()

  function remembered(graph: string): Set<string> {
    const known = graphs.get(graph)
    if (known && known.until_ms > now_ms() && known.names.size < maxNames) return known.names
    if (graphs.size >= maxGraphs) graphs.clear()
    const names = new Set<string>()
    graphs.set(graph, { names, until_ms: now_ms() + remembered_ms })
    return names
  }

  return {
    async notes(
      graph: string,
      statement: GraphQuery | GraphSet,
      answer: string,
      on: ReadingClickHouse,
    ): Promise<readonly string[]> {
      if (!isOfNothing(statement, answer)) return []
      const there = remembered(graph)
      const sought = namesIn(statement).filter((name) => !there.has(keyOf(name)))
      if (sought.length === 0) return []
      const found = await on.rows<GraphName>(compileNamesThere(graph, sought))
      for (const name of found) there.add(keyOf(name))
      return Promise.all(sought.filter((name) => !there.has(keyOf(name))).map((name) => noteOn(graph, name, on)))
    },
  }
}

const keyOf = ({ kind, name }: GraphName): string => `${kind}:${name}`

const empty = /^\{"(?:rows|triple|nodes|paths)":\[\]/
const oneRow = /^\{"rows":\[\{[^{}]*:0[,}][^{}]*\}?\],"num_items":1\b/

function isOfNothing(statement: GraphQuery | GraphSet, answer: string): boolean {
  if (statement.kind === 'set' || empty.test(answer)) return true
  return countsNothing(statement) && oneRow.test(answer)
}

async function noteOn(graph: string, { kind, name }: GraphName, on: ReadingClickHouse): Promise<string> {
  const known = await on.rows<{ name: string }>(compileKnownNames(graph, kind))
  const says =
    kind === 'label'
      ? `no node of the graph ${graph} has the label ${name}`
      : `no relation of the graph ${graph} is called ${name}`
  if (known.length === 0) return `${says}: it has no ${kind === 'label' ? 'nodes' : 'relations'} yet`
  return says + hint(name, known.map((each) => each.name).toSorted())
}
