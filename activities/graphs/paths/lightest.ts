/**
 * The path of least weight, by Dijkstra's algorithm ("A note on two problems in connexion with graphs", 1959), which
 * asks for relations as it comes to need them, many nodes at a time.
 *
 * A path needs a relation, so where a node is both a beginning and an end, another beginning may have to reach it: a node
 * is settled from two beginnings then.
 */
import type { NodeKey } from '../../../sql/graph/index.ts'
import { createBreath } from './breath.ts'
import { createHeap } from './heap.ts'
import { keyOf, type Path, type PathRelation, pathOf, type Relations } from './relations.ts'

type Label = {
  readonly node: NodeKey
  readonly root: string
  readonly weight: number
  readonly hops: number
  readonly by?: { readonly relation: PathRelation; readonly before: Label }
}

/** Nodes whose relations are asked for at once: first few, then more and more, as a far end needs many. */
const firstBatch = 64
const greatestBatch = 8_192

const isNearer = (left: Label, right: Label): boolean =>
  left.weight !== right.weight ? left.weight < right.weight : left.hops < right.hops

export async function findLightest(
  { leaving }: Pick<Relations, 'leaving'>,
  from: readonly NodeKey[],
  to: readonly NodeKey[],
): Promise<Path | undefined> {
  const ends = new Set(to.map(keyOf))
  const roots = from.length > 1 && from.some((node) => ends.has(keyOf(node))) ? 2 : 1
  const queue = createHeap(isNearer)
  const settled = new Map<string, string[]>()
  const known = new Map<string, PathRelation[]>()
  const breath = createBreath()
  let batch = firstBatch
  for (const node of from) queue.push({ node, root: keyOf(node), weight: 0, hops: 0 })

  for (let label = queue.pop(); label; label = queue.pop()) {
    const key = keyOf(label.node)
    const by = settled.get(key) ?? []
    if (by.length === roots || by.includes(label.root)) continue
    if (ends.has(key) && key !== label.root) return pathTo(label)
    settled.set(key, [...by, label.root])
    if (!known.has(key)) await load(label.node)
    for (const relation of known.get(key) ?? []) {
      const wait = breath()
      if (wait) await wait
      const { root, weight, hops } = label
      queue.push({
        node: relation.object,
        root,
        weight: weight + relation.weight,
        hops: hops + 1,
        by: { relation, before: label },
      })
    }
  }
  return undefined

  /** The relations of a node, and of those that will most likely be next. */
  async function load(node: NodeKey): Promise<void> {
    const wanted = new Map([[keyOf(node), node]])
    for (const { node: next } of queue.items()) {
      if (wanted.size >= batch) break
      const key = keyOf(next)
      if (!known.has(key) && !settled.has(key)) wanted.set(key, next)
    }
    for (const key of wanted.keys()) known.set(key, [])
    batch = Math.min(batch * 2, greatestBatch)
    for (const relation of await leaving([...wanted.values()])) {
      const wait = breath()
      if (wait) await wait
      known.get(keyOf(relation.subject))?.push(relation)
    }
  }
}

function pathTo(label: Label): Path {
  const relations: PathRelation[] = []
  for (let { by } = label; by; by = by.before.by) relations.push(by.relation)
  return pathOf(relations.reverse())
}
