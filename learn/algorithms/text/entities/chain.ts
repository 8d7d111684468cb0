import { mayEnd, mayFollow, mayStart } from './tags.ts'

/**
 * A linear chain over tags. Only some tags may start, end, or follow each other; `from[p]` to `to[p]` are the pairs
 * that may, and `transitions[p]` is the score of one. A path's score sums these and the emissions of its tags.
 */
export type Chain = {
  readonly tags: number
  readonly from: Int32Array
  readonly to: Int32Array
  readonly starts: readonly boolean[]
  readonly ends: readonly boolean[]
  readonly transitions: Float64Array
}

export function createChain(tags: number): Chain {
  const all = Array.from({ length: tags }, (_, tag) => tag)
  const pairs = all.flatMap((from) => all.filter((to) => mayFollow(from, to)).map((to) => [from, to] as const))
  return {
    tags,
    from: Int32Array.from(pairs, ([from]) => from),
    to: Int32Array.from(pairs, ([, to]) => to),
    starts: all.map(mayStart),
    ends: all.map(mayEnd),
    transitions: new Float64Array(pairs.length),
  }
}

/** The path with the greatest score (Viterbi 1967). */
export function bestPath(chain: Chain, emissions: Float64Array): Int32Array {
  const { tags, from, to, starts, ends, transitions } = chain
  const length = emissions.length / tags
  // The largest array of a long text: two bytes do for any number of tags that can be learned.
  const came = tags < 2 ** 16 ? new Uint16Array(emissions.length) : new Int32Array(emissions.length)
  let scores = Float64Array.from({ length: tags }, (_, tag) => (starts[tag] ? (emissions[tag] ?? 0) : -Infinity))
  for (let at = 1; at < length; at += 1) {
    const next = new Float64Array(tags).fill(-Infinity)
    for (let pair = 0; pair < from.length; pair += 1) {
      const [tag, following] = [from[pair] ?? 0, to[pair] ?? 0]
      const score = (scores[tag] ?? 0) + (transitions[pair] ?? 0)
      if (score <= (next[following] ?? 0)) continue
      next[following] = score
      came[at * tags + following] = tag
    }
    for (let tag = 0; tag < tags; tag += 1) next[tag] = (next[tag] ?? 0) + (emissions[at * tags + tag] ?? 0)
    scores = next
  }
  const path = new Int32Array(length)
  if (length === 0) return path
  let best = -1
  for (let tag = 0; tag < tags; tag += 1) {
    if (ends[tag] && (best < 0 || (scores[tag] ?? 0) > (scores[best] ?? 0))) best = tag
  }
  for (let at = length - 1; at >= 0; at -= 1) {
    path[at] = best
    best = came[at * tags + best] ?? 0
  }
  return path
}
