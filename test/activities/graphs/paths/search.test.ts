/** The searches against an enumeration of every simple path, over random graphs in memory. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import test from 'ava'
import { findAll } from '../../../../activities/graphs/paths/all.ts'
import { findLightest } from '../../../../activities/graphs/paths/lightest.ts'
import { findLightestBetween } from '../../../../activities/graphs/paths/lightest-between.ts'
import { keyOf, type Path, type PathRelation, type Relations } from '../../../../activities/graphs/paths/relations.ts'
import { findShortest } from '../../../../activities/graphs/paths/shortest.ts'
import type { NodeKey } from '../../../../sql/graph/index.ts'
import type { Random } from '../../../support/random/random.ts'
import { randomFor } from '../../../support/random/seed.ts'

const cases = 2_000

function randomRelations(random: Random): readonly PathRelation[] {
  const nodes = Array.from({ length: random.whole(2, 7) }, (_, index): NodeKey => ({ label: 'N', name: `${index}` }))
  return Array.from({ length: random.whole(0, 14) }, (_, index) => ({
    subject: random.pick(nodes),
    relation: `r${index}`,
    object: random.pick(nodes),
    weight: random.pick([0, 1, 1, 2, 5]),
  }))
}

const portTo = (relations: readonly PathRelation[]): Relations => {
  const among = (nodes: readonly NodeKey[]) => new Set(nodes.map(keyOf))
  return {
    leaving: async (nodes) => relations.filter(({ subject }) => among(nodes).has(keyOf(subject))),
    entering: async (nodes) => relations.filter(({ object }) => among(nodes).has(keyOf(object))),
  }
}

/** Every simple path, by trying all. */
function everyPath(
  relations: readonly PathRelation[],
  from: readonly NodeKey[],
  to: readonly NodeKey[],
): PathRelation[][] {
  const ends = new Set(to.map(keyOf))
  const walk = (at: NodeKey, taken: readonly PathRelation[], seen: readonly string[]): PathRelation[][] =>
    relations
      .filter(({ subject, object }) => keyOf(subject) === keyOf(at) && !seen.includes(keyOf(object)))
      .flatMap((relation) => {
        const path = [...taken, relation]
        const longer = walk(relation.object, path, [...seen, keyOf(relation.object)])
        return ends.has(keyOf(relation.object)) ? [path, ...longer] : longer
      })
  return from.flatMap((start) => walk(start, [], [keyOf(start)]))
}

const namesOf = (path: Path): string => path.relations.map(({ relation }) => relation).join(' ')
const weightOf = (relations: readonly PathRelation[]): number => relations.reduce((sum, { weight }) => sum + weight, 0)
const isPath = ({ nodes, relations }: Path): boolean =>
  relations.every(
    ({ subject, object }, index) => nodes[index] === subject && keyOf(nodes[index + 1] ?? subject) === keyOf(object),
  )

const someEnds = (random: Random): NodeKey[] =>
  [...new Set(Array.from({ length: random.whole(1, 3) }, () => `${random.whole(0, 7)}`))].map((name) => ({
    label: 'N',
    name,
  }))

test('paths are the shortest, the lightest and all that there are', async (t) => {
  const random = randomFor(t)
  let found = 0
  for (let number = 0; number < cases; number++) {
    const relations = randomRelations(random)
    const port = portTo(relations)
    const [from, to] = [someEnds(random), someEnds(random)]
    const every = everyPath(relations, from, to)
    const about = JSON.stringify({ from, to, relations })
    if (every.length > 0) found++

    const all = await findAll(port, from, to, { max: undefined, maxPaths: 100_000 })
    t.deepEqual(
      all.map(namesOf).toSorted(),
      every.map((path) => path.map(({ relation }) => relation).join(' ')).toSorted(),
      about,
    )
    t.true(all.every(isPath), about)

    const lightest = await findLightest(port, from, to)
    t.is(
      lightest && weightOf(lightest.relations),
      every.length === 0 ? undefined : Math.min(...every.map(weightOf)),
      about,
    )
    t.true(lightest === undefined || isPath(lightest), about)

    if (from.some((node) => to.some((other) => keyOf(node) === keyOf(other)))) continue
    const shortest = await findShortest(port, from, to)
    t.is(
      shortest?.relations.length,
      every.length === 0 ? undefined : Math.min(...every.map((path) => path.length)),
      about,
    )
    t.true(shortest === undefined || isPath(shortest), about)

    const between = await findLightestBetween(port, from, to)
    t.is(between && weightOf(between.relations), lightest && weightOf(lightest.relations), about)
    t.is(between?.relations.length, lightest?.relations.length, about)
    t.true(between === undefined || isPath(between), about)
  }
  t.true(found > cases / 8)
})

test('a bounded search for all paths ends there, an unbounded one says so', async (t) => {
  const nodes = Array.from({ length: 12 }, (_, index): NodeKey => ({ label: 'N', name: `${index}` }))
  const relations = nodes.flatMap((subject) => nodes.map((object) => ({ subject, relation: 'R', object, weight: 1 })))
  const [from, to] = [nodes.slice(0, 1), nodes.slice(1, 2)]
  t.is((await findAll(portTo(relations), from, to, { max: 5, maxPaths: 100 })).length, 5)
  await t.throwsAsync(findAll(portTo(relations), from, to, { max: undefined, maxPaths: 100 }), {
    message: /more than 100 paths/,
  })
})

const node = (name: string): NodeKey => ({ label: 'N', name })
const related = (from: string, to: string): PathRelation => ({
  subject: node(from),
  relation: 'r',
  object: node(to),
  weight: 1,
})
/** By the key of their near end, as ClickHouse would find them. */
function indexed(all: readonly PathRelation[]): Relations {
  const by = (of: (relation: PathRelation) => NodeKey) => {
    const groups = new Map<string, PathRelation[]>()
    for (const relation of all) {
      const key = keyOf(of(relation))
      const group = groups.get(key)
      if (group) group.push(relation)
      else groups.set(key, [relation])
    }
    return async (nodes: readonly NodeKey[]) => nodes.flatMap((each) => groups.get(keyOf(each)) ?? [])
  }
  return { leaving: by(({ subject }) => subject), entering: by(({ object }) => object) }
}

/** A chain of nodes, each with two relations to the next: twice as many paths a node. */
const doubled = (length: number): readonly PathRelation[] =>
  Array.from({ length }, (_, i) => [related(`${i}`, `${i + 1}`), related(`${i}`, `${i + 1}`)]).flat()

test.serial('a search with ten thousand ends lets others have the event loop', async (t) => {
  const ends = Array.from({ length: 10_000 }, (_, i) => node(`end${i}`))
  const relations = [...doubled(18), ...ends.map(({ name }) => related('0', name))]
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const search = findAll(indexed(relations), [node('0')], [...ends, node('18')], { max: undefined, maxPaths: 9_999 })
  await t.throwsAsync(search, { message: /^there are more than 9999 paths/ })
  const steps = findAll(indexed([...doubled(15), related('15', 'end0')]), [node('0')], [...ends], {
    max: 30_000,
    maxPaths: 40_000,
  })
  t.is((await steps).length, 30_000)
  delay.disable()
  t.true(delay.max / 1e6 < 300, `it stood still for ${delay.max / 1e6} ms`)
})

test('paths that are too long together are refused', async (t) => {
  const long = Array.from({ length: 300 }, (_, i) => related(`tail${i}`, `tail${i + 1}`))
  const relations = [...doubled(12), related('12', 'tail0'), ...long]
  const search = findAll(indexed(relations), [node('0')], [node('tail300')], { max: undefined, maxPaths: 10_000 })
  await t.throwsAsync(search, { message: /^the paths have more than 500000 relations together/ })
})
