import type { Token } from '../tokens.ts'
import { bestPath, type Chain, createChain } from './chain.ts'
import { probabilityOfPart, sumPaths } from './marginals.ts'
import { spansOf, tagNames } from './tags.ts'

/** As `predict_labels` shows it; `offset` in UTF-16 code units, `score` the probability that exactly this is an entity. */
export type FoundEntity = {
  readonly text: string
  readonly tag: string
  readonly offset: number
  readonly score: number
}

/** The chain of a model as its graph gives it: `transitions` is `[tags, tags]`. */
export function chainOf(labels: readonly string[], transitions: Float64Array): Chain {
  const { length } = tagNames(labels)
  const chain = createChain(length)
  return {
    ...chain,
    transitions: chain.transitions.map((_, pair) => {
      return transitions[(chain.from[pair] ?? 0) * length + (chain.to[pair] ?? 0)] ?? 0
    }),
  }
}

/** The entities of each text; `emissions` is `[tokens, tags]`, the tokens of all texts one after the other. */
export function findEntities(
  texts: readonly string[],
  tokens: readonly (readonly Token[])[],
  emissions: Float64Array,
  chain: Chain,
  labels: readonly string[],
): readonly (readonly FoundEntity[])[] {
  let at = 0
  return texts.map((text, index) => {
    const ofText = tokens[index] ?? []
    const from = at
    at += ofText.length * chain.tags
    return findInText(text, ofText, emissions.subarray(from, at), chain, labels)
  })
}

function findInText(
  text: string,
  tokens: readonly Token[],
  emissions: Float64Array,
  chain: Chain,
  labels: readonly string[],
): readonly FoundEntity[] {
  const path = bestPath(chain, emissions)
  const spans = spansOf(path)
  if (spans.length === 0) return []
  const sums = sumPaths(chain, emissions)
  return spans.map(({ first, last, label }) => {
    const [start, end] = [tokens[first]?.start ?? 0, tokens[last]?.end ?? 0]
    const score = probabilityOfPart(chain, sums, path, first, last)
    return { text: text.slice(start, end), tag: labels[label] ?? '', offset: start, score }
  })
}
