import { hint } from '../../../base/suggest.ts'
import {
  compileKnownNames,
  compileNamesThere,
  countsNothing,
  filteredProperties,
  type GraphName,
  type GraphQuery,
  type GraphSet,
  namesIn,
  returnedProperties,
} from '../../../sql/graph/index.ts'
import type { ReadingClickHouse } from './answer-query.ts'

/** How long a name that was found counts as there: meanwhile queries that find nothing do not look for it. */
const remembered_ms = 10_000
const maxGraphs = 100
/** Names of a statement that are looked for, the first ones. */
const maxSought = 20
const maxNames = 1_000

type Remembered = { readonly names: Set<string>; readonly until_ms: number }

/**
 * Notes on labels, relations and properties that a statement names and its graph has not. They are looked for only behind an
 * answer of nothing, or with a column of nothing, and behind sets, whose rows do not tell: other queries cost what they cost
 * without them.
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
      const absent = async (names: readonly GraphName[]): Promise<readonly string[]> => {
        if (names.length === 0) return []
        const there = remembered(graph)
        const sought = names.filter((name) => !there.has(keyOf(name))).slice(0, maxSought)
        if (sought.length === 0) return []
        for (const name of await on.rows<GraphName>(compileNamesThere(graph, sought))) there.add(keyOf(name))
        const gone = sought.filter((name) => !there.has(keyOf(name)))
        const kinds = [...new Set(gone.map(({ kind }) => kind))]
        const known = new Map(
          await Promise.all(kinds.map(async (kind) => [kind, await knownNames(graph, kind, on)] as const)),
        )
        return gone.map((name) => noteOn(graph, name, known.get(name.kind) ?? []))
      }
      const notes = isOfNothing(statement, answer) ? await absent(namesIn(statement)) : []
      if (notes.length > 0 || statement.kind === 'set') return notes
      // A graph may be too large to look for a property.
      return absent(propertiesIn(statement, answer)).catch(() => [])
    },
  }
}

const keyOf = ({ kind, name }: GraphName): string => `${kind}:${name}`

const empty = /^\{"(?:rows|triple|nodes|paths)":\[\]/
const oneRow = /^\{"rows":\[(\{[^{}]*\})\],"num_items":1\b/

function isOfNothing(statement: GraphQuery | GraphSet, answer: string): boolean {
  if (statement.kind === 'set' || empty.test(answer)) return true
  return countsNothing(statement) && /:0[,}]/.test(oneRow.exec(answer)?.[1] ?? '')
}

/** The properties that a label or relation of the same statement does not explain: a query's, whose answer has no value of them. */
const propertiesIn = (query: GraphQuery, answer: string): readonly GraphName[] => [
  ...(isOfNothing(query, answer) ? filteredProperties(query) : []),
  ...returnedProperties(query, (column) => hasValue(answer, column)),
]

/** Whether a row has the column, with another value than aggregates of nothing and groups without a value have. */
function hasValue(answer: string, column: string): boolean {
  const name = JSON.stringify(column).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`${name}:(?!(?:"NULL"|0)[,}])`).test(answer)
}

const subjects = {
  label: (graph: string, name: string) => `no node of the graph ${graph} has the label ${name}`,
  relation: (graph: string, name: string) => `no relation of the graph ${graph} is called ${name}`,
  property: (graph: string, name: string) => `no node of the graph ${graph} has the property ${name}`,
  'relation property': (graph: string, name: string) => `no relation of the graph ${graph} has the property ${name}`,
}
const owners = { label: 'nodes', relation: 'relations', property: 'properties', 'relation property': 'properties' }

async function knownNames(graph: string, kind: GraphName['kind'], on: ReadingClickHouse): Promise<readonly string[]> {
  const rows = await on.rows<{ name: string }>(compileKnownNames(graph, kind))
  return rows.map(({ name }) => name).toSorted()
}

function noteOn(graph: string, { kind, name }: GraphName, known: readonly string[]): string {
  const says = subjects[kind](graph, name)
  return known.length === 0 ? `${says}: it has no ${owners[kind]} yet` : says + hint(name, known)
}
