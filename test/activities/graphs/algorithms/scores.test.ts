/** The algorithms against graphology's, over random graphs, and by hand. */
import { createRequire } from 'node:module'
import test from 'ava'
import type { DirectedGraph } from 'graphology'
import { communities } from '../../../../activities/graphs/algorithms/communities.ts'
import { components } from '../../../../activities/graphs/algorithms/components.ts'
import { degrees } from '../../../../activities/graphs/algorithms/degree.ts'
import { pageRanks } from '../../../../activities/graphs/algorithms/page-rank.ts'
import { type Related, readRelated } from '../../../../activities/graphs/algorithms/related.ts'
import { similarNodes } from '../../../../activities/graphs/algorithms/similarity.ts'
import { Refusal } from '../../../../base/refusal.ts'
import { createRandom } from '../../../support/random/random.ts'
import { seed } from '../../../support/random/seed.ts'

const require = createRequire(import.meta.url)
const graphology: { readonly DirectedGraph: typeof DirectedGraph } = require('graphology')
const pagerank: (
  graph: object,
  options: object,
) => Record<string, number> = require('graphology-metrics/centrality/pagerank')
const { connectedComponents }: { connectedComponents(graph: object): string[][] } = require('graphology-components')

function randomGraph(number: number): Related {
  const random = createRandom(seed + number)
  const size = random.whole(2, 41)
  const pairs = new Map<string, number>()
  for (let i = random.whole(0, 3 * size); i > 0; i--) {
    pairs.set(`${random.whole(0, size - 1)} ${random.whole(0, size - 1)}`, random.whole(1, 3))
  }
  const ends = [...pairs.keys()].map((pair) => pair.split(' ').map(Number))
  return {
    nodes: Array.from({ length: size }, (_, node) => ({ label: 'L', name: `${node}` })),
    from: Uint32Array.from(ends, ([from = 0]) => from),
    to: Uint32Array.from(ends, ([, to = 0]) => to),
    count: Float64Array.from(pairs.values()),
  }
}

function asGraphology({ nodes, from, to, count }: Related) {
  const graph = new graphology.DirectedGraph()
  for (const node of nodes.keys()) graph.addNode(node)
  for (const [index, subject] of from.entries()) graph.addEdge(subject, to[index], { weight: count[index] })
  return graph
}

test('ranks, components and degrees are those that graphology finds', (t) => {
  for (let number = 0; number < 200; number++) {
    const related = randomGraph(number)
    const graph = asGraphology(related)
    const found = pageRanks(related)
    const wanted = pagerank(graph, { getEdgeWeight: 'weight', tolerance: 1e-12, maxIterations: 1000 })
    for (const [node, rank] of found.entries()) {
      t.true(Math.abs(rank - (wanted[node] ?? 0)) < 1e-8, `seed ${seed}, graph ${number}, node ${node}`)
    }
    const { numbers, count } = components(related)
    const groups = connectedComponents(graph)
    t.is(count, groups.length)
    for (const group of groups) t.is(new Set(group.map((node) => numbers[Number(node)])).size, 1)
    const weights = graph.mapNodes((node) =>
      graph.reduceEdges(
        node,
        (sum: number, _, { weight }, from, to) => sum + (from === to ? 2 : 1) * Number(weight),
        0,
      ),
    )
    t.deepEqual([...degrees(related)], weights)
  }
})

test('similar nodes are those of a naive comparison of neighbours', (t) => {
  for (let number = 0; number < 50; number++) {
    const related = randomGraph(number)
    const sets = related.nodes.map(() => new Set<number>())
    for (const [index, one] of related.from.entries()) {
      const other = related.to[index] ?? 0
      if (one !== other) sets[one]?.add(other)
      if (one !== other) sets[other]?.add(one)
    }
    for (const [node, similar] of [...similarNodes(related, 1e9)].entries()) {
      const own = sets[node] ?? new Set()
      const naive = sets
        .map((others, other) => {
          const both = [...others].filter((each) => own.has(each)).length
          return { node, other, similarity: both / (own.size + others.size - both) }
        })
        .filter(({ other, similarity }) => other !== node && similarity > 0)
        .sort((one, two) => two.similarity - one.similarity || one.other - two.other)
      t.deepEqual(similar, naive, `seed ${seed}, graph ${number}`)
    }
  }
})

test('neighbours that are too many to compare are refused, and the bound is named', (t) => {
  const related = readRelated({ pairs: lines(clique('abcdef')) })
  t.is([...similarNodes(related, 150)].length, 6)
  t.throws(() => [...similarNodes(related, 149)], { instanceOf: Refusal, message: /at most 149 pairs .* here are 150/ })
})

const clique = (names: string) =>
  [...names].flatMap((s) => [...names].filter((o) => o > s).map((o) => ({ sl: 'L', s, ol: 'L', o, c: 1 })))
const lines = (rows: readonly object[]) => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

test('communities are dense parts, the largest first, and the same for the same seed', (t) => {
  const related = readRelated({
    pairs: lines([...clique('abcd'), ...clique('wxyz5'), { sl: 'L', s: 'd', ol: 'L', o: 'w', c: 1 }]),
  })
  const { numbers, count, modularity } = communities(related, 7)
  const byName = Object.fromEntries(related.nodes.map(({ name }, node) => [name, numbers[node]]))
  t.deepEqual(byName, { a: 1, b: 1, c: 1, d: 1, w: 0, x: 0, y: 0, z: 0, 5: 0 })
  t.is(count, 2)
  t.true(modularity > 0.3)
  t.deepEqual(communities(related, 7).numbers, numbers)
  const alone = readRelated({
    nodes: lines([
      { l: 'L', n: 'a' },
      { l: 'L', n: 'b' },
    ]),
    pairs: lines([]),
  })
  t.deepEqual([...communities(alone, 1).numbers], [0, 1])
})

test('a relation whose node has gone meanwhile is passed over', (t) => {
  const related = readRelated({
    nodes: lines([{ l: 'L', n: 'a' }]),
    pairs: lines([{ sl: 'L', s: 'a', ol: 'L', o: 'gone', c: 1 }]),
  })
  t.deepEqual([related.nodes.length, related.from.length], [1, 0])
})
