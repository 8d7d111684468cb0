import { numberOf, type Parameters } from '../../parameters.ts'
import { countFeatures } from './classes/features.ts'
import { featuresPerToken } from './entities/features.ts'
import type { TaggedText } from './entities/tagged-text.ts'
import { tagNames } from './entities/tags.ts'

/** Bytes of JavaScript's heap for a text, and for a token of it. */
export const textBytes = (text: string): number => 64 + 2 * text.length
export const tokenBytes = 100

/** A feature of a text, with its count, its weight, and lists that grow. */
const featureBytes = 48
/** A weight in its solver, in the model and in the model's file. */
const weightBytes = 32
const bucketBytes = 16

const sampledTexts = 500
const sampledLength = 20_000

/** Bytes that text classes take, at most; how many features texts have is judged by a sample of them. */
export function memoryOfClasses(texts: readonly string[], labels: number, parameters: Parameters): number {
  const scheme = {
    bits: numberOf(parameters, 'hash_bits'),
    wordNgrams: numberOf(parameters, 'word_ngrams'),
    charNgrams: numberOf(parameters, 'char_ngrams'),
  }
  const step = Math.max(1, Math.floor(texts.length / sampledTexts))
  let [length, found] = [0, 0]
  const seen = new Set<number>()
  for (let at = 0; at < texts.length; at += step) {
    const part = (texts[at] ?? '').slice(0, sampledLength)
    length += part.length
    const { buckets } = countFeatures(part, scheme)
    found += buckets.length
    for (const bucket of buckets) seen.add(bucket)
  }
  const total = texts.reduce((sum, text) => sum + text.length, 0)
  const features = Math.ceil((found * total) / Math.max(1, length))
  // Different ones grow slower than the text, so that this is more than there are.
  const different = Math.ceil((seen.size * total) / Math.max(1, length))
  const outputs = labels > 2 ? labels : 1
  return (
    2 * bytesOf(texts) +
    featureBytes * features +
    bucketBytes * 2 ** scheme.bits +
    weightBytes * outputs * Math.min(2 ** scheme.bits, different)
  )
}

export function memoryOfEntities(texts: readonly TaggedText[], parameters: Parameters): number {
  const bits = numberOf(parameters, 'hash_bits')
  const labels = new Set(texts.flatMap(({ spans }) => spans.map(({ label }) => label)))
  const tokens = texts.reduce((sum, text) => sum + text.tokens.length, 0)
  const features = tokens * featuresPerToken
  const weights = Math.min(2 ** bits, features) * tagNames([...labels]).length
  return (
    2 * bytesOf(texts.map(({ text }) => text)) +
    2 * tokenBytes * tokens +
    8 * features +
    bucketBytes * 2 ** bits +
    weightBytes * weights
  )
}

const bytesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + textBytes(text), 0)
