import type { Chain } from './chain.ts'

/** Below this a tag's weight at one token, as a share of the greatest, is no longer told apart: no sum becomes 0. */
const least = 1e-100

/**
 * The forward-backward sums of a chain (Rabiner 1989, section V-A: scaled at each token). All are `[tokens, tags]`,
 * row-major: `forward[t] * backward[t]` is the probability of a tag at a token.
 */
export type Sums = {
  readonly forward: Float64Array
  readonly backward: Float64Array
  /** exp of the emissions less their greatest at the token. */
  readonly emitted: Float64Array
  /** exp of the transitions. */
  readonly moved: Float64Array
  /** What each token's forward sums were divided by. */
  readonly scales: Float64Array
  /** The logarithm of the sum over all paths of exp(score). */
  readonly logSum: number
}

export function sumPaths(chain: Chain, emissions: Float64Array): Sums {
  const { tags, from, to } = chain
  const length = emissions.length / tags
  const moved = chain.transitions.map(Math.exp)
  const emitted = new Float64Array(emissions.length)
  const forward = new Float64Array(emissions.length)
  const backward = new Float64Array(emissions.length)
  const scales = new Float64Array(length)
  let logSum = 0

  for (let at = 0; at < length; at += 1) {
    const row = at * tags
    let greatest = -Infinity
    for (let tag = 0; tag < tags; tag += 1) greatest = Math.max(greatest, emissions[row + tag] ?? 0)
    if (at === 0) for (let tag = 0; tag < tags; tag += 1) forward[tag] = chain.starts[tag] ? 1 : 0
    for (let pair = 0; at > 0 && pair < from.length; pair += 1) {
      const cell = row + (to[pair] ?? 0)
      forward[cell] = (forward[cell] ?? 0) + (forward[row - tags + (from[pair] ?? 0)] ?? 0) * (moved[pair] ?? 0)
    }
    let scale = 0
    for (let tag = 0; tag < tags; tag += 1) {
      emitted[row + tag] = Math.max(least, Math.exp((emissions[row + tag] ?? 0) - greatest))
      if (at === length - 1 && !chain.ends[tag]) forward[row + tag] = 0
      forward[row + tag] = (forward[row + tag] ?? 0) * (emitted[row + tag] ?? 0)
      scale += forward[row + tag] ?? 0
    }
    for (let tag = 0; tag < tags; tag += 1) forward[row + tag] = (forward[row + tag] ?? 0) / scale
    scales[at] = scale
    logSum += Math.log(scale) + greatest
  }

  for (let tag = 0; tag < tags && length > 0; tag += 1) backward[(length - 1) * tags + tag] = chain.ends[tag] ? 1 : 0
  for (let at = length - 2; at >= 0; at -= 1) {
    const next = (at + 1) * tags
    for (let pair = 0; pair < from.length; pair += 1) {
      const [cell, following] = [at * tags + (from[pair] ?? 0), next + (to[pair] ?? 0)]
      const onward = (moved[pair] ?? 0) * (emitted[following] ?? 0) * (backward[following] ?? 0)
      backward[cell] = (backward[cell] ?? 0) + onward / (scales[at + 1] ?? 1)
    }
  }
  return { forward, backward, emitted, moved, scales, logSum }
}

/** The probability that the tokens from `first` have the tags of `path` up to `last`, whatever the others have. */
export function probabilityOfPart(chain: Chain, sums: Sums, path: Int32Array, first: number, last: number): number {
  const { tags } = chain
  let probability = sums.forward[first * tags + (path[first] ?? 0)] ?? 0
  for (let at = first + 1; at <= last; at += 1) {
    const [tag, following] = [path[at - 1] ?? 0, path[at] ?? 0]
    const pair = chain.from.findIndex((from, index) => from === tag && chain.to[index] === following)
    probability *= ((sums.moved[pair] ?? 0) * (sums.emitted[at * tags + following] ?? 0)) / (sums.scales[at] ?? 1)
  }
  return Math.min(1, probability * (sums.backward[last * tags + (path[last] ?? 0)] ?? 0))
}
