/**
 * The path of fewest relations, by breadth-first search from both ends at once: the smaller frontier goes on (Pohl,
 * "Bi-directional search", 1971). Level by level, so that each step asks once for the relations of a whole frontier.
 */
import type { NodeKey } from '../../../sql/graph/index.ts'
import { createBreath } from './breath.ts'
import { keyOf, type Path, type PathRelation, pathOf, type Relations } from './relations.ts'

type Side = {
  readonly reached: Map<string, PathRelation | undefined>
  frontier: readonly NodeKey[]
}

const sideFrom = (nodes: readonly NodeKey[]): Side => ({
  reached: new Map(nodes.map((node) => [keyOf(node), undefined])),
  frontier: nodes,
})

/** `from` and `to` share no node. */
export async function findShortest(
  relations: Relations,
  from: readonly NodeKey[],
  to: readonly NodeKey[],
): Promise<Path | undefined> {
  const [begin, end] = [sideFrom(from), sideFrom(to)]
  while (begin.frontier.length > 0 && end.frontier.length > 0) {
    const isForward = begin.frontier.length <= end.frontier.length
    const met = isForward
      ? await advance(begin, end, await relations.leaving(begin.frontier), ({ object }) => object)
      : await advance(end, begin, await relations.entering(end.frontier), ({ subject }) => subject)
    if (met !== undefined) return pathOf([...back(begin, met), ...forth(end, met)])
  }
  return undefined
}

/** One level further; the node where the sides meet, if they do. All of a level are equally far, so any is as good. */
async function advance(
  side: Side,
  other: Side,
  found: readonly PathRelation[],
  far: (relation: PathRelation) => NodeKey,
): Promise<NodeKey | undefined> {
  const next: NodeKey[] = []
  const breath = createBreath()
  for (const relation of found) {
    const wait = breath()
    if (wait) await wait
    const node = far(relation)
    const key = keyOf(node)
    if (side.reached.has(key)) continue
    side.reached.set(key, relation)
    if (other.reached.has(key)) return node
    next.push(node)
  }
  side.frontier = next
  return undefined
}

function back({ reached }: Side, met: NodeKey): PathRelation[] {
  const relations: PathRelation[] = []
  for (let relation = reached.get(keyOf(met)); relation; relation = reached.get(keyOf(relation.subject))) {
    relations.push(relation)
  }
  return relations.reverse()
}

function forth({ reached }: Side, met: NodeKey): PathRelation[] {
  const relations: PathRelation[] = []
  for (let relation = reached.get(keyOf(met)); relation; relation = reached.get(keyOf(relation.object))) {
    relations.push(relation)
  }
  return relations
}
