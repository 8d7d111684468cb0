import { type Random, shuffle } from '../../../random.ts'
import type { Chain } from './chain.ts'
import { sumPaths } from './marginals.ts'

/** A text to learn from: `rows` is `[tokens, features]` of weight rows, row-major; `tags` one a token. */
export type Sequence = { readonly rows: Int32Array; readonly tags: Int32Array }

/** Weights `[rows, tags]`, row 0 always zero; those of the transitions are the chain's. */
export type Learner = { readonly chain: Chain; readonly weights: Float64Array }

/** The emissions `[tokens, tags]` of a text: the sum of the weights of each token's features. */
export function emit({ chain: { tags }, weights }: Learner, rows: Int32Array, features: number): Float64Array {
  const emissions = new Float64Array((rows.length / features) * tags)
  for (let cell = 0; cell < rows.length; cell += 1) {
    const to = Math.floor(cell / features) * tags
    const from = (rows[cell] ?? 0) * tags
    for (let tag = 0; tag < tags; tag += 1)
      emissions[to + tag] = (emissions[to + tag] ?? 0) + (weights[from + tag] ?? 0)
  }
  return emissions
}

/** How a text's log-likelihood grows with its emissions and with the transitions, and its loss: minus that logarithm. */
export function gradientOf(chain: Chain, emissions: Float64Array, path: Int32Array) {
  const { tags, from, to } = chain
  const { forward, backward, emitted, moved, scales, logSum } = sumPaths(chain, emissions)
  const byEmission = forward.map((value, cell) => -value * (backward[cell] ?? 0))
  const byTransition = new Float64Array(from.length)
  let score = 0
  for (let at = 0; at < path.length; at += 1) {
    const cell = at * tags + (path[at] ?? 0)
    byEmission[cell] = (byEmission[cell] ?? 0) + 1
    score += emissions[cell] ?? 0
    for (let pair = 0; at > 0 && pair < from.length; pair += 1) {
      const [tag, following] = [from[pair] ?? 0, to[pair] ?? 0]
      const next = at * tags + following
      const onward = (moved[pair] ?? 0) * (emitted[next] ?? 0) * (backward[next] ?? 0)
      const probability = ((forward[(at - 1) * tags + tag] ?? 0) * onward) / (scales[at] ?? 1)
      const isTaken = path[at - 1] === tag && path[at] === following
      byTransition[pair] = (byTransition[pair] ?? 0) + (isTaken ? 1 : 0) - probability
      if (isTaken) score += chain.transitions[pair] ?? 0
    }
  }
  return { byEmission, byTransition, loss: logSum - score }
}

/** A probability that is off by less moves no weight: most tags of most tokens are soon settled. */
const negligible = 1e-6

export type Descent = {
  readonly features: number
  readonly rate: number
  readonly l2: number
  readonly random: Random
}

/**
 * Passes of stochastic gradient ascent over the likelihood of a conditional random field (Lafferty, McCallum and
 * Pereira 2001), each weight with its own shrinking step (AdaGrad: Duchi, Hazan and Singer 2011). A pass returns the
 * loss a token as it was met on the way.
 */
export function createDescent(learner: Learner, sequences: readonly Sequence[], descent: Descent) {
  const { chain, weights } = learner
  const { features, rate, l2, random } = descent
  const squares = new Float64Array(weights.length)
  const transitionSquares = new Float64Array(chain.transitions.length)
  const order = Int32Array.from(sequences.keys())
  const tokens = sequences.reduce((sum, { tags }) => sum + tags.length, 0)

  const step = (values: Float64Array, sums: Float64Array, cell: number, gradient: number): void => {
    if (Math.abs(gradient) < negligible) return
    const pull = gradient - l2 * (values[cell] ?? 0)
    const sum = (sums[cell] ?? 0) + pull * pull
    sums[cell] = sum
    values[cell] = (values[cell] ?? 0) + (rate * pull) / Math.sqrt(sum)
  }
  const learn = ({ rows, tags: path }: Sequence): number => {
    const { byEmission, byTransition, loss } = gradientOf(chain, emit(learner, rows, features), path)
    for (const [pair, gradient] of byTransition.entries()) step(chain.transitions, transitionSquares, pair, gradient)
    for (let cell = 0; cell < rows.length; cell += 1) {
      const row = (rows[cell] ?? 0) * chain.tags
      if (row === 0) continue
      const from = Math.floor(cell / features) * chain.tags
      for (let tag = 0; tag < chain.tags; tag += 1) step(weights, squares, row + tag, byEmission[from + tag] ?? 0)
    }
    return loss
  }

  return {
    pass(visit: (share: number) => void): number {
      shuffle(order, random)
      let loss = 0
      for (const [done, index] of order.entries()) {
        const sequence = sequences[index]
        if (sequence !== undefined) loss += learn(sequence)
        if (done % 64 === 0) visit(done / order.length)
      }
      return loss / tokens
    },
  }
}
