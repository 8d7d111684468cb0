/** Answers a query for paths: the ends that match, the search, and the answer's text. */
import { setImmediate as breathe } from 'node:timers/promises'
import { fault } from '../../../base/faults.ts'
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
import { createBreath } from './breath.ts'
import { findLightest } from './lightest.ts'
import { findLightestBetween } from './lightest-between.ts'
import { keyOf, type Path, type PathRelation, type Relations } from './relations.ts'
import { findShortest } from './shortest.ts'

export type PathLimits = {
  /** Nodes that may match an end. */
  readonly ends: number
  /** Relations that a search may read. */
  readonly relations: number
  readonly paths: number
}

const pathLimits: PathLimits = { ends: 10_000, relations: 2_000_000, paths: 10_000 }

/** Nodes in one question, and bytes of its answer that are read before others have the event loop. */
const nodesAtOnce = 5_000
const bytesAtOnce = 256 * 1024

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
  const { nodeOf, wordOf } = createShared()

  const expand = async (direction: 'out' | 'in', among: readonly NodeKey[]) => {
    const found: PathRelation[] = []
    for (let start = 0; start < among.length; start += nodesAtOnce) {
      const some = among.slice(start, start + nodesAtOnce)
      const max = limits.relations - read + 1
      const expansion = { nodes: some, direction, edge, max, ...(weight && { weight }) }
      const lines = await clickhouse.read(compileExpansion(context, expansion), 'JSONEachRow')
      for (const chunk of chunksOf(lines)) {
        const rows: readonly Row[] = JSON.parse(`[${chunk.trimEnd().replaceAll('\n', ',')}]`)
        read += rows.length
        if (read > limits.relations) {
          throw fault('invalid', `the search read more than ${limits.relations} relations; name a relation`)
        }
        for (const { sl, s, r, ol, o, w } of rows)
          found.push({ subject: nodeOf(sl, s), relation: wordOf(r), object: nodeOf(ol, o), weight: w ?? 1 })
        await breathe()
      }
    }
    return found
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
    const max = query.modifier?.max
    const paths = await findAll(relations, begin, end, { max, maxPaths: limits.paths })
    const texts: string[] = []
    const breath = createBreath()
    for (const path of paths) {
      const wait = breath()
      if (wait) await wait
      texts.push(JSON.stringify(shown(path)))
    }
    return `{"paths":[${texts.join(',')}],"path_count":${paths.length}}`
  }
  const ends = new Set(end.map(keyOf))
  const areApart = !begin.some((node) => ends.has(keyOf(node)))
  const between = weight === undefined ? findShortest : findLightestBetween
  const path = await (areApart ? between : findLightest)(relations, begin, end)
  return JSON.stringify(path ? { ...shown(path), path_count: 1 } : { nodes: [], edges: [], path_count: 0 })
}

/** Texts of some lines each, which take a few milliseconds to read. */
function* chunksOf(lines: Buffer): Iterable<string> {
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(10, start + bytesAtOnce) + 1 || lines.length
    yield lines.toString('utf8', start, end)
    start = end
  }
}

/** Keeps one object for equal nodes, and one for equal names of relations, however many relations have them. */
function createShared() {
  const labels = new Map<string, Map<string, NodeKey>>()
  const words = new Map<string, string>()
  return {
    nodeOf(label: string, name: string): NodeKey {
      const names = labels.get(label) ?? new Map<string, NodeKey>()
      labels.set(label, names)
      const node = names.get(name) ?? { label, name }
      names.set(name, node)
      return node
    },
    wordOf(text: string): string {
      const word = words.get(text) ?? text
      words.set(text, word)
      return word
    },
  }
}

const shown = ({ nodes, relations }: Path) => ({
  nodes: nodes.map(({ label, name }) => ({ label, name })),
  edges: relations.map(({ relation }) => ({ rel: relation })),
})
