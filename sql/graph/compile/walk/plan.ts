/** The order in which a walk takes its links: from the node that fewest relations are expected of, outwards. */
import type { Link, NodePattern, Pattern } from '../../ast.ts'
import type { StoredRows } from '../context.ts'

export type Step = {
  readonly link: Link
  /** The link's place in the pattern. */
  readonly index: number
  /** The node from which the step comes, and the one to which it leads. */
  readonly near: number
  readonly far: number
}

export type Side = 'subject' | 'object'

/** On which side of a link one of its nodes is. */
export const sideOf = ({ link }: Pick<Step, 'link'>, node: number): Side =>
  (link.edge.direction === 'out') === (link.from === node) ? 'subject' : 'object'

export type Plan = { readonly start: number; readonly steps: readonly Step[] }

export function planWalk(pattern: Pattern, sizes: ReadonlyMap<number, number> = new Map()): Plan {
  const start = startOf(pattern, sizes)
  const steps: Step[] = []
  const reached = new Set([start])
  const left = pattern.links.map((link, index) => ({ link, index }))
  while (left.length > 0) {
    const next = left.findIndex(({ link }) => reached.has(link.from) || reached.has(link.to))
    const [taken] = left.splice(next, 1)
    if (taken === undefined) break
    const { from, to } = taken.link
    const [near, far] = reached.has(from) ? [from, to] : [to, from]
    reached.add(far)
    steps.push({ ...taken, near, far })
  }
  return { start, steps }
}

/** The node to start from; of equals the subject of the first link, so that the rows of one relation come in its table's order. */
function startOf({ nodes, links }: Pattern, sizes: ReadonlyMap<number, number>): number {
  const [first] = links
  const order = nodes.map((_, index) => index)
  const preferred = first === undefined || first.edge.direction === 'out' ? order : [...order].sort(swapFirst)
  return preferred.reduce((best, index) =>
    expected(nodes[index], sizes.get(index)) < expected(nodes[best], sizes.get(best)) ? index : best,
  )
}

const swapFirst = (left: number, right: number): number => rank(left) - rank(right)
const rank = (index: number): number => (index === 0 ? 1 : index === 1 ? 0 : index)

/** How many relations are expected to begin or end at the nodes that match; the fewer are said, the better. */
function expected(node: NodePattern | undefined, size: number | undefined): number {
  if (size !== undefined) return size
  const byName = node?.name?.kind === 'is' ? 1 : node?.name?.kind === 'starts' ? 1e3 : 1e6
  const byFilter = node?.filter ? 1e4 : 1e6
  return Math.min(byName, byFilter) * (node?.label === undefined ? 10 : 1)
}

/** Whether a node has a name or a filter, so that few nodes are expected. */
export const isNarrow = ({ name, filter }: NodePattern): boolean => name !== undefined || filter !== undefined

/** Rows that are read for a node by its key: of relations a granule; properties are scanned, and merged where they are of the nodes. */
const rowsOfNode = { relations: 512, properties: 25 }
/** Relations that a node is taken to have. */
const degree = 10

/** How many nodes are taken to be reached at each place of a pattern, from a start that is narrow. */
export function expectedNodes({ nodes }: Pattern, { start, steps }: Plan): ReadonlyMap<number, number> {
  const expected = new Map([[start, nodes[start]?.name?.kind === 'is' ? 1 : 1e3]])
  for (const { near, far } of steps) expected.set(far, (expected.get(near) ?? 1) * degree)
  return expected
}

/** Whether it takes less to read a table by the keys of some nodes than all of it. One of unknown size is taken for large. */
export const isReadByKeys = (nodes: number, table: keyof StoredRows, stored: StoredRows | undefined): boolean =>
  stored === undefined || nodes * rowsOfNode[table] < stored[table]

/** Whether it matters how large the tables are: a walk of several steps from nodes of which only a filter is known. */
export const worthMeasuring = ({ nodes, links }: Pattern): boolean =>
  links.length > 1 && nodes.some(isNarrow) && nodes.every(({ name }) => name?.kind !== 'is')

/** The nodes of a pattern whose sizes decide where to start: those named, where there are several. */
export function worthCounting({ nodes, links }: Pattern): readonly number[] {
  const named = nodes.flatMap((node, index) => (node.name?.kind === 'is' ? [index] : []))
  return links.length > 1 && named.length > 1 ? named : []
}
