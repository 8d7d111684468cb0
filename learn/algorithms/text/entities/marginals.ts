import type { Chain } from './chain.ts'

/** Below this a tag's weight at one token, as a share of the greatest, is no longer told apart: no sum becomes 0. */
const min = 1e-100

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
  /** The divisors of each token's forward sums. */
  readonly scales: Float64Array
  /** The logarithm of the sum over all paths of exp(score). */
  readonly logSum: number
}

export function sumPaths(chain: Chain, emissions: Float64Array): Sums {
  const { tags } = chain
  const length = emissions.length / tags
  const moved = chain.transitions.map(Math.exp)
  const emitted = new Float64Array(emissions.length)
  const forward = new Float64Array(emissions.length)
  const backward = new Float64Array(emissions.length)
  const scales = new Float64Array(length)
  let logSum = 0

  for (let at = 0; at < length; at += 1) {
    const { scale, greatest } = advance(chain, moved, emissions, at, { forward, emitted, before: at - 1, row: at })
    scales[at] = scale
    logSum += Math.log(scale) + greatest
  }

  for (let tag = 0; tag < tags && length > 0; tag += 1) backward[(length - 1) * tags + tag] = chain.ends[tag] ? 1 : 0
  for (let at = length - 2; at >= 0; at -= 1) {
    retreat(chain, moved, backward, at, { emitted, row: at + 1, scale: scales[at + 1] ?? 1 })
  }
  return { forward, backward, emitted, moved, scales, logSum }
}

/** Where a token's forward sums and emissions go: into row `row`, from the token before it in row `before`. */
type Step = {
  readonly forward: Float64Array
  readonly emitted: Float64Array
  readonly before: number
  readonly row: number
}

/** The forward sums of the token `at`, scaled. */
function advance(
  chain: Chain,
  moved: Float64Array,
  emissions: Float64Array,
  at: number,
  { forward, emitted, before, row }: Step,
): { readonly scale: number; readonly greatest: number } {
  const { tags, from, to } = chain
  const [here, there, cells] = [row * tags, before * tags, at * tags]
  const isLast = cells + tags === emissions.length
  let greatest = -Infinity
  for (let tag = 0; tag < tags; tag += 1) {
    greatest = Math.max(greatest, emissions[cells + tag] ?? 0)
    forward[here + tag] = at === 0 && chain.starts[tag] ? 1 : 0
  }
  for (let pair = 0; at > 0 && pair < from.length; pair += 1) {
    const cell = here + (to[pair] ?? 0)
    forward[cell] = (forward[cell] ?? 0) + (forward[there + (from[pair] ?? 0)] ?? 0) * (moved[pair] ?? 0)
  }
  let scale = 0
  for (let tag = 0; tag < tags; tag += 1) {
    emitted[here + tag] = Math.max(min, Math.exp((emissions[cells + tag] ?? 0) - greatest))
    if (isLast && !chain.ends[tag]) forward[here + tag] = 0
    forward[here + tag] = (forward[here + tag] ?? 0) * (emitted[here + tag] ?? 0)
    scale += forward[here + tag] ?? 0
  }
  for (let tag = 0; tag < tags; tag += 1) forward[here + tag] = (forward[here + tag] ?? 0) / scale
  return { scale, greatest }
}

/** The backward sums of row `at` from those of the next one, whose emissions stand in `row`. */
function retreat(
  { tags, from, to }: Chain,
  moved: Float64Array,
  backward: Float64Array,
  at: number,
  { emitted, row, scale }: { readonly emitted: Float64Array; readonly row: number; readonly scale: number },
): void {
  const [here, next, cells] = [at * tags, (at + 1) * tags, row * tags]
  for (let pair = 0; pair < from.length; pair += 1) {
    const cell = here + (from[pair] ?? 0)
    const following = to[pair] ?? 0
    const onward = (moved[pair] ?? 0) * (emitted[cells + following] ?? 0) * (backward[next + following] ?? 0)
    backward[cell] = (backward[cell] ?? 0) + onward / scale
  }
}

/** Tokens of which the sums are held at a time. */
const block = 256

/**
 * The probability of each of some parts of a path, in their order: that its tokens have the tags that they have there,
 * whatever the others have. Holds the sums of one block of tokens, and the forward sums at the end of each: they are made anew from
 * there, as the backward sums come to the block.
 */
export function probabilitiesOfParts(
  chain: Chain,
  emissions: Float64Array,
  path: Int32Array,
  parts: readonly { readonly first: number; readonly last: number }[],
): number[] {
  const { tags } = chain
  const { length } = path
  const moved = chain.transitions.map(Math.exp)
  const scales = new Float64Array(length)
  const blocks = Math.ceil(length / block)
  const ends = new Float64Array(blocks * tags)
  // Row 0 holds the last token of the block before.
  const [forward, emitted] = [new Float64Array((block + 1) * tags), new Float64Array((block + 1) * tags)]

  const run = (index: number): void => {
    if (index > 0) forward.set(ends.subarray((index - 1) * tags, index * tags))
    for (let at = index * block; at < Math.min(length, (index + 1) * block); at += 1) {
      const row = at - index * block + 1
      scales[at] = advance(chain, moved, emissions, at, { forward, emitted, before: row - 1, row }).scale
    }
  }
  for (let index = 0; index < blocks; index += 1) {
    run(index)
    const last = Math.min(length - index * block, block)
    ends.set(forward.subarray(last * tags, (last + 1) * tags), index * tags)
  }

  const results = new Array<number>(parts.length).fill(0)
  const backward = new Float64Array(2 * tags)
  let next = parts.length - 1
  let probability = 0
  for (let index = blocks - 1; index >= 0; index -= 1) {
    run(index)
    for (let at = Math.min(length, (index + 1) * block) - 1; at >= index * block; at -= 1) {
      const row = at - index * block + 1
      if (at === length - 1) for (let tag = 0; tag < tags; tag += 1) backward[tag] = chain.ends[tag] ? 1 : 0
      const tag = path[at] ?? 0
      const part = parts[next]
      if (part !== undefined && at <= part.last) {
        if (at === part.last) probability = backward[tag] ?? 0
        if (at > part.first) {
          const pair = pairOf(chain, path[at - 1] ?? 0, tag)
          probability *= ((moved[pair] ?? 0) * (emitted[row * tags + tag] ?? 0)) / (scales[at] ?? 1)
        } else {
          results[next] = Math.min(1, probability * (forward[row * tags + tag] ?? 0))
          next -= 1
        }
      }
      // Row 1 is this token's, row 0 becomes that of the one before it.
      backward.copyWithin(tags, 0, tags)
      backward.fill(0, 0, tags)
      if (at > 0) retreat(chain, moved, backward, 0, { emitted, row, scale: scales[at] ?? 1 })
    }
  }
  return results
}

const pairOf = ({ from, to }: Chain, tag: number, following: number): number =>
  from.findIndex((each, index) => each === tag && to[index] === following)
