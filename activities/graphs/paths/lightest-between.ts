/**
 * The path of least weight between nodes that are not the same, by Dijkstra's algorithm from both ends at once (Nicholson,
 * "Finding the shortest route between two points in a network", 1966). Of paths of equal weight it is the one of
 * fewest relations: both together are the cost of a path.
 */
import type { NodeKey } from '../../../sql/graph/index.ts'
import { createBreath } from './breath.ts'
import { createHeap } from './heap.ts'
import { keyOf, type Path, type PathRelation, pathOf, type Relations } from './relations.ts'

type Cost = { readonly weight: number; readonly hops: number }

type Label = Cost & {
  readonly node: NodeKey
  readonly by?: { readonly relation: PathRelation; readonly before: Label }
}

/** Nodes whose relations are asked for at once: first few, then more and more, as a far end needs many. */
const firstBatch = 32
const greatestBatch = 8_192

const isLess = (left: Cost, right: Cost): boolean =>
  left.weight !== right.weight ? left.weight < right.weight : left.hops < right.hops
const sum = (left: Cost, right: Cost): Cost => ({ weight: left.weight + right.weight, hops: left.hops + right.hops })

/** `from` and `to` share no node. */
export async function findLightestBetween(
  { leaving, entering }: Relations,
  from: readonly NodeKey[],
  to: readonly NodeKey[],
): Promise<Path | undefined> {
  const begin = createSide(from, leaving, { near: ({ subject }) => subject, far: ({ object }) => object })
  const end = createSide(to, entering, { near: ({ object }) => object, far: ({ subject }) => subject })
  let met: { readonly before: Label; readonly behind: Label } | undefined

  for (;;) {
    const [before, behind] = [begin.next(), end.next()]
    if (before === undefined || behind === undefined) break
    // A path that is not found yet costs at least this much.
    if (met && !isLess(sum(before, behind), sum(met.before, met.behind))) break
    const isForward = isLess(before, behind)
    const [side, other] = isForward ? [begin, end] : [end, begin]
    for (const label of await side.settle(isForward ? before : behind)) {
      const there = other.labelOf(label.node)
      if (there === undefined || (met && !isLess(sum(label, there), sum(met.before, met.behind)))) continue
      met = isForward ? { before: label, behind: there } : { before: there, behind: label }
    }
  }
  return met && pathOf([...relationsTo(met.before).reverse(), ...relationsTo(met.behind)])
}

type Ends = {
  readonly near: (relation: PathRelation) => NodeKey
  readonly far: (relation: PathRelation) => NodeKey
}

function createSide(roots: readonly NodeKey[], expand: Relations['leaving'], { near, far }: Ends) {
  const queue = createHeap<Label>(isLess)
  const labels = new Map<string, Label>()
  const settled = new Set<string>()
  const known = new Map<string, PathRelation[]>()
  const breath = createBreath()
  let batch = firstBatch
  for (const node of roots) reach({ node, weight: 0, hops: 0 })

  function reach(label: Label): boolean {
    const key = keyOf(label.node)
    const before = labels.get(key)
    if (before && !isLess(label, before)) return false
    labels.set(key, label)
    queue.push(label)
    return true
  }

  /** The relations of a node, and of those that will most likely be next. */
  async function load(node: NodeKey): Promise<void> {
    const wanted = new Map([[keyOf(node), node]])
    for (const { node: next } of queue.items()) {
      if (wanted.size >= batch) break
      if (!known.has(keyOf(next))) wanted.set(keyOf(next), next)
    }
    for (const key of wanted.keys()) known.set(key, [])
    batch = Math.min(batch * 2, greatestBatch)
    for (const relation of await expand([...wanted.values()])) {
      const wait = breath()
      if (wait) await wait
      known.get(keyOf(near(relation)))?.push(relation)
    }
  }

  return {
    /** The nearest node that is not settled. */
    next(): Label | undefined {
      for (;;) {
        const label = queue.first()
        if (label === undefined || !settled.has(keyOf(label.node))) return label
        queue.pop()
      }
    },

    /** The nodes that are nearer now. */
    async settle(label: Label): Promise<readonly Label[]> {
      const key = keyOf(label.node)
      settled.add(key)
      if (!known.has(key)) await load(label.node)
      const nearer: Label[] = []
      for (const relation of known.get(key) ?? []) {
        const wait = breath()
        if (wait) await wait
        const next: Label = {
          node: far(relation),
          weight: label.weight + relation.weight,
          hops: label.hops + 1,
          by: { relation, before: label },
        }
        if (reach(next)) nearer.push(next)
      }
      return nearer
    },

    labelOf: (node: NodeKey): Label | undefined => labels.get(keyOf(node)),
  }
}

/** From a label back to its root. */
function relationsTo(label: Label): PathRelation[] {
  const relations: PathRelation[] = []
  for (let { by } = label; by; by = by.before.by) relations.push(by.relation)
  return relations
}
