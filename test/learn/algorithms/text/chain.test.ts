import test from 'ava'
import fc from 'fast-check'
import { bestPath, type Chain, createChain } from '../../../../learn/algorithms/text/entities/chain.ts'
import { gradientOf } from '../../../../learn/algorithms/text/entities/descent.ts'
import { probabilitiesOfParts, sumPaths } from '../../../../learn/algorithms/text/entities/marginals.ts'
import { spansOf, tagNames, tagsOf } from '../../../../learn/algorithms/text/entities/tags.ts'
import { createRandom } from '../../../../learn/random.ts'
import { seed } from '../../../support/random/seed.ts'
import { everyPath } from './paths.ts'

/** Tags of one or two labels, one to five tokens, scores from mild to extreme. */
const scored = fc
  .record({
    labels: fc.constantFrom(['A'], ['A', 'B']),
    length: fc.integer({ min: 1, max: 4 }),
    size: fc.constantFrom(0.1, 3, 60),
    scores: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 160, maxLength: 160 }),
  })
  .map(({ labels, length, size, scores }) => {
    const chain = createChain(tagNames(labels).length)
    const emissions = Float64Array.from(scores.slice(0, length * chain.tags), (score) => score * size)
    const transitions = chain.transitions.map((_, pair) => (scores[pair + 36] ?? 0) * size)
    return { chain: { ...chain, transitions } satisfies Chain, emissions }
  })

const near = (actual: number, expected: number): boolean =>
  Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected))

function holds(t: { log: (line: string) => void }, property: fc.IRawProperty<unknown>): void {
  t.log(`WEIR_SEED=${seed}`)
  fc.assert(property, { seed, numRuns: 150 })
}

test('the best path has the greatest score of all paths that may be', (t) => {
  holds(
    t,
    fc.property(scored, ({ chain, emissions }) => {
      const all = everyPath(chain, emissions)
      const found = bestPath(chain, emissions)
      const mine = all.find(({ path }) => path.join() === found.join())
      return mine !== undefined && near(mine.score, Math.max(...all.map(({ score }) => score)))
    }),
  )
  t.pass()
})

test('sums over paths, and the probability of a part, are those of all paths added up', (t) => {
  holds(
    t,
    fc.property(scored, fc.nat(), fc.nat(), ({ chain, emissions }, a, b) => {
      const all = everyPath(chain, emissions)
      const greatest = Math.max(...all.map(({ score }) => score))
      const weight = (some: typeof all): number => some.reduce((sum, { score }) => sum + Math.exp(score - greatest), 0)
      const sums = sumPaths(chain, emissions)
      const length = emissions.length / chain.tags
      const [first = 0, last = 0] = [a % length, b % length].sort((x, y) => x - y)
      const path = all[(a * 31 + b) % all.length]?.path ?? []
      const same = all.filter(
        (other) => path.slice(first, last + 1).join() === other.path.slice(first, last + 1).join(),
      )
      const [part = 0] = probabilitiesOfParts(chain, emissions, Int32Array.from(path), [{ first, last }])
      return near(sums.logSum, greatest + Math.log(weight(all))) && Math.abs(part - weight(same) / weight(all)) < 1e-9
    }),
  )
  t.pass()
})

test('the gradient is how the loss changes, by the definition of the loss over all paths', (t) => {
  const lossOf = (chain: Chain, emissions: Float64Array, path: readonly number[]): number => {
    const all = everyPath(chain, emissions)
    const score = all.find((other) => other.path.join() === path.join())?.score ?? Number.NaN
    return Math.log(all.reduce((sum, other) => sum + Math.exp(other.score), 0)) - score
  }
  const nudged = (values: Float64Array, cell: number, by: number): Float64Array =>
    values.map((value, index) => (index === cell ? value + by : value))
  const small = 1e-5

  holds(
    t,
    fc.property(
      scored.filter(({ emissions }) => emissions.every((score) => Math.abs(score) <= 3)),
      fc.nat(),
      ({ chain, emissions }, pick) => {
        const all = everyPath(chain, emissions)
        const path = all[pick % all.length]?.path ?? []
        const { byEmission, byTransition, loss } = gradientOf(chain, emissions, Int32Array.from(path))
        const cell = pick % emissions.length
        const slope =
          (lossOf(chain, nudged(emissions, cell, small), path) - lossOf(chain, nudged(emissions, cell, -small), path)) /
          (2 * small)
        const pair = pick % chain.transitions.length
        const withMove = (by: number): Chain => ({ ...chain, transitions: nudged(chain.transitions, pair, by) })
        const move =
          (lossOf(withMove(small), emissions, path) - lossOf(withMove(-small), emissions, path)) / (2 * small)
        return (
          near(loss, lossOf(chain, emissions, path)) &&
          Math.abs(slope + (byEmission[cell] ?? 0)) < 1e-6 &&
          Math.abs(move + (byTransition[pair] ?? 0)) < 1e-6
        )
      },
    ),
  )
  t.pass()
})

test('a long text with extreme scores has finite sums', (t) => {
  const chain = createChain(tagNames(['A', 'B']).length)
  const emissions = Float64Array.from({ length: 5000 * chain.tags }, (_, cell) => (cell % 7 === 0 ? 2000 : -2000))
  const sums = sumPaths(chain, emissions)
  t.true(Number.isFinite(sums.logSum))
  t.true(sums.forward.every(Number.isFinite) && sums.backward.every(Number.isFinite))
})

test('the probabilities of parts of a long text are those of its sums, where parts cross blocks too', (t) => {
  const chain = createChain(tagNames(['A', 'B']).length)
  const { tags } = chain
  const random = createRandom(7)
  const emissions = Float64Array.from({ length: 1500 * tags }, () => 4 * random.uniform() - 2)
  const path = bestPath(chain, emissions)
  const parts = Array.from({ length: 250 }, (_, index) => ({ first: 6 * index, last: 6 * index + (index % 5) }))
  const { forward, backward, emitted, moved, scales } = sumPaths(chain, emissions)
  const cell = (at: number): number => at * tags + (path[at] ?? 0)
  const found = probabilitiesOfParts(chain, emissions, path, parts)
  for (const [index, { first, last }] of parts.entries()) {
    let expected = (forward[cell(first)] ?? 0) * (backward[cell(last)] ?? 0)
    for (let at = first + 1; at <= last; at += 1) {
      const pair = chain.from.findIndex((from, p) => from === path[at - 1] && chain.to[p] === path[at])
      expected *= ((moved[pair] ?? 0) * (emitted[cell(at)] ?? 0)) / (scales[at] ?? 1)
    }
    t.true(near(found[index] ?? Number.NaN, expected), `part ${index}`)
  }
})

test('tags of spans lead back to the spans, and only to paths that may be', (t) => {
  const labels = ['A', 'B', 'C']
  const chain = createChain(tagNames(labels).length)
  const spans = fc
    .array(fc.record({ gap: fc.nat(2), length: fc.integer({ min: 1, max: 4 }), label: fc.nat(2) }), { maxLength: 6 })
    .map((parts) => {
      let at = 0
      return parts.map(({ gap, length, label }) => {
        const first = at + gap
        at = first + length
        return { first, last: at - 1, label }
      })
    })
  holds(
    t,
    fc.property(spans, (given) => {
      const tags = tagsOf(given, 40)
      const isPossible = tags.every(
        (tag, at) => at === 0 || chain.from.some((from, pair) => from === tags[at - 1] && chain.to[pair] === tag),
      )
      return JSON.stringify(spansOf(tags)) === JSON.stringify(given) && isPossible
    }),
  )
  t.pass()
})

test('which tags may start, end and follow each other is BILOU', (t) => {
  const names = tagNames(['X', 'Y'])
  const { from, to, starts, ends } = createChain(names.length)
  t.deepEqual(names, ['O', 'B-X', 'I-X', 'L-X', 'U-X', 'B-Y', 'I-Y', 'L-Y', 'U-Y'])
  const named = (marks: readonly boolean[]): string => names.filter((_, tag) => marks[tag]).join(' ')
  t.is(named(starts), 'O B-X U-X B-Y U-Y')
  t.is(named(ends), 'O L-X U-X L-Y U-Y')
  const after = (name: string): string =>
    Array.from(to)
      .filter((_, pair) => names[from[pair] ?? 0] === name)
      .map((tag) => names[tag])
      .join(' ')
  for (const name of ['O', 'L-X', 'U-X', 'L-Y', 'U-Y']) t.is(after(name), 'O B-X U-X B-Y U-Y')
  for (const name of ['B-X', 'I-X']) t.is(after(name), 'I-X L-X')
  for (const name of ['B-Y', 'I-Y']) t.is(after(name), 'I-Y L-Y')
})
