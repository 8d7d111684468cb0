/** Every simple path between two sets of nodes: depth first, through nodes alone from which an end can be reached. */
import { fault } from '../../../base/faults.ts'
import type { NodeKey } from '../../../sql/graph/index.ts'
import { createBreath } from './breath.ts'
import { keyOf, type Path, type PathRelation, pathOf, type Relations } from './relations.ts'

/** Steps of the search; in a dense graph there are more paths than a client can wait for. */
const maxSteps = 2_000_000
/** Relations of all paths together that an answer may have: some 40 MB of it. */
const maxOfPaths = 500_000

/** The shorter first; at most `max`, and of more than `maxPaths` none but a fault where `max` is absent. */
export async function findAll(
  relations: Relations,
  from: readonly NodeKey[],
  to: readonly NodeKey[],
  { max, maxPaths }: { readonly max: number | undefined; readonly maxPaths: number },
): Promise<readonly Path[]> {
  const useful = await reachBack(relations, to)
  const leaving = await reachFrom(relations, from, useful)
  const ends = new Set(to.map(keyOf))
  const paths: Path[] = []
  const breath = createBreath()
  let steps = 0
  let relationsOfPaths = 0

  for (const start of from) {
    const taken: PathRelation[] = []
    const onPath = new Set([keyOf(start)])
    let endsLeft = ends.size - (ends.has(keyOf(start)) ? 1 : 0)
    const branches = [(leaving.get(keyOf(start)) ?? []).values()]
    while (branches.length > 0) {
      const { value: relation, done } = branches.at(-1)?.next() ?? { value: undefined, done: true }
      if (done || relation === undefined) {
        branches.pop()
        const last = taken.pop()
        if (last) {
          const key = keyOf(last.object)
          onPath.delete(key)
          if (ends.has(key)) endsLeft++
        }
        continue
      }
      const wait = breath()
      if (wait) await wait
      if (++steps > maxSteps)
        throw fault(
          'invalid',
          `the search for all paths took ${maxSteps} steps; name a relation, or ask for the shortest`,
        )
      const key = keyOf(relation.object)
      if (onPath.has(key)) continue
      taken.push(relation)
      onPath.add(key)
      if (ends.has(key)) {
        endsLeft--
        relationsOfPaths += taken.length
        if (relationsOfPaths > maxOfPaths) {
          throw fault(
            'invalid',
            `the paths have more than ${maxOfPaths} relations together; ask for some of them, as s{DISTINCT, 100}=>...`,
          )
        }
        paths.push(pathOf([...taken]))
        if (paths.length === max) return byLength(paths)
        if (paths.length > maxPaths) {
          throw fault(
            'invalid',
            `there are more than ${maxPaths} paths; ask for some of them, as s{DISTINCT, 100}=>...`,
          )
        }
      }
      // Behind the last end there is nothing to find.
      branches.push((endsLeft === 0 ? [] : (leaving.get(key) ?? [])).values())
    }
  }
  return byLength(paths)
}

const byLength = (paths: readonly Path[]): readonly Path[] =>
  paths.toSorted((left, right) => left.relations.length - right.relations.length)

/** The nodes from which an end can be reached, by key. */
async function reachBack({ entering }: Relations, to: readonly NodeKey[]): Promise<ReadonlySet<string>> {
  const reached = new Set(to.map(keyOf))
  const breath = createBreath()
  for (let frontier = to; frontier.length > 0; ) {
    const next = new Map<string, NodeKey>()
    for (const { subject } of await entering(frontier)) {
      const wait = breath()
      if (wait) await wait
      const key = keyOf(subject)
      if (!reached.has(key)) next.set(key, subject)
    }
    for (const key of next.keys()) reached.add(key)
    frontier = [...next.values()]
  }
  return reached
}

/** The relations among useful nodes that can be reached, by the key of their subject. */
async function reachFrom(
  { leaving }: Relations,
  from: readonly NodeKey[],
  useful: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly PathRelation[]>> {
  const found = new Map<string, PathRelation[]>()
  const breath = createBreath()
  for (let frontier = from.filter((node) => useful.has(keyOf(node))); frontier.length > 0; ) {
    const next = new Map<string, NodeKey>()
    for (const node of frontier) found.set(keyOf(node), [])
    for (const relation of await leaving(frontier)) {
      const wait = breath()
      if (wait) await wait
      const key = keyOf(relation.object)
      if (!useful.has(key)) continue
      found.get(keyOf(relation.subject))?.push(relation)
      if (!found.has(key)) next.set(key, relation.object)
    }
    frontier = [...next.values()]
  }
  return found
}
