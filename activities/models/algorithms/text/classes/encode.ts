import { countFeatures, type FeatureScheme } from './features.ts'

/** The graph's inputs for some texts: `[texts, width]`, row-major. */
export type EncodedTexts = {
  readonly dims: readonly [number, number]
  readonly buckets: Int32Array
  readonly counts: Float32Array
}

/** Rows are as wide as the text with the most features: encode texts of about one length together. */
export function encodeTexts(texts: readonly string[], scheme: FeatureScheme): EncodedTexts {
  const counted = texts.map((text) => countFeatures(text, scheme))
  const width = Math.max(1, ...counted.map((text) => text.buckets.length))
  const buckets = new Int32Array(texts.length * width).fill(2 ** scheme.bits)
  const counts = new Float32Array(texts.length * width).fill(1)
  for (const [index, text] of counted.entries()) {
    buckets.set(text.buckets, index * width)
    counts.set(text.counts, index * width)
  }
  return { dims: [texts.length, width], buckets, counts }
}
