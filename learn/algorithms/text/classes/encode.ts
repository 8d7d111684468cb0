import { type Counts, countFeatures, type FeatureScheme } from './features.ts'

/** The graph's inputs for some texts: `[texts, width]`, row-major. */
export type EncodedTexts = {
  readonly dims: readonly [number, number]
  readonly buckets: Int32Array
  readonly counts: Float32Array
}

/** Rows are as wide as the text with the most features: encode texts of about one length together. */
export const encodeTexts = (texts: readonly string[], scheme: FeatureScheme): EncodedTexts =>
  encodeCounts(
    texts.map((text) => countFeatures(text, scheme)),
    scheme.bits,
  )

export function encodeCounts(counted: readonly Counts[], bits: number): EncodedTexts {
  const width = Math.max(1, ...counted.map((text) => text.buckets.length))
  const buckets = new Int32Array(counted.length * width).fill(2 ** bits)
  const counts = new Float32Array(counted.length * width).fill(1)
  for (const [index, text] of counted.entries()) {
    buckets.set(text.buckets, index * width)
    counts.set(text.counts, index * width)
  }
  return { dims: [counted.length, width], buckets, counts }
}
