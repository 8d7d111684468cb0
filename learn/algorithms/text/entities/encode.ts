import { type Token, tokenize } from '../tokens.ts'
import { featuresPerToken, tokenBuckets } from './features.ts'

/** The graph's input for some texts, their tokens one after the other: `[tokens, features]`, row-major. */
export type EncodedTokens = {
  readonly tokens: readonly (readonly Token[])[]
  readonly dims: readonly [number, number]
  readonly buckets: Int32Array
}

export function encodeTokens(texts: readonly string[], bits: number): EncodedTokens {
  const tokens = texts.map(tokenize)
  const total = tokens.reduce((sum, ofText) => sum + ofText.length, 0)
  const buckets = new Int32Array(total * featuresPerToken)
  let at = 0
  for (const ofText of tokens) {
    buckets.set(tokenBuckets(ofText, bits), at * featuresPerToken)
    at += ofText.length
  }
  return { tokens, dims: [total, featuresPerToken], buckets }
}
