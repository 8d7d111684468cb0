import type { Token } from '../tokens.ts'
import { bestPath, type Chain, createChain } from './chain.ts'
import { emit } from './descent.ts'
import { featuresPerToken, tokenBuckets } from './features.ts'
import type { EntitiesModel } from './fit.ts'
import { probabilitiesOfParts } from './marginals.ts'
import type { TaggedText } from './tagged-text.ts'
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

/** The entities of a text; `emissions` is `[tokens, tags]`. */
export function findEntities(
  text: string,
  tokens: readonly Token[],
  emissions: Float64Array,
  chain: Chain,
  labels: readonly string[],
): readonly FoundEntity[] {
  const path = bestPath(chain, emissions)
  const spans = spansOf(path)
  if (spans.length === 0) return []
  const scores = probabilitiesOfParts(chain, emissions, path, spans)
  return spans.map(({ first, last, label }, index) => {
    const [start, end] = [tokens[first]?.start ?? 0, tokens[last]?.end ?? 0]
    return { text: text.slice(start, end), tag: labels[label] ?? '', offset: start, score: scores[index] ?? 0 }
  })
}

/** The entities of some tokens' text, as the model's graph and the step behind it give them. */
export function predictEntities({ labels, rows, chain, weights }: EntitiesModel) {
  const learner = { chain, weights: Float64Array.from(weights) }
  return ({ text, tokens }: Pick<TaggedText, 'text' | 'tokens'>): readonly FoundEntity[] => {
    if (tokens.length === 0) return []
    const ofTokens = tokenBuckets(tokens, rows.bits).map((bucket) => rows.ofBucket[bucket] ?? 0)
    return findEntities(text, tokens, emit(learner, ofTokens, featuresPerToken), chain, labels)
  }
}
