import { Tensor } from 'onnxruntime-node'
import { z } from 'zod'
import { Refusal } from '../../../base/refusal.ts'
import type { ModelDescription } from '../../description.ts'
import type { BrokenRow, Row } from '../../formats/row.ts'
import type { OutsideStep, OutsideSteps, Prediction } from '../../outside-step.ts'
import { encodeCounts } from './classes/encode.ts'
import { type Counts, countFeatures, type FeatureScheme } from './classes/features.ts'
import type { Chain } from './entities/chain.ts'
import { featuresPerToken, tokenBuckets } from './entities/features.ts'
import { chainOf, findEntities } from './entities/predict.ts'
import { tagNames } from './entities/tags.ts'
import { type Token, tokenize } from './tokens.ts'

const megabyte = 2 ** 20

/** Memory that one run of a graph takes, about: as many texts, or tokens of a text, are run at once. */
const run_bytes = 16 * megabyte
/** The bytes that one text may take: a run of its own for classes, the scores of its tokens for entities. */
const text_bytes = 128 * megabyte
/** Steps of the search for the best path of a text: some seconds. */
const maxSteps = 2 ** 31

export type TextLimits = { readonly maxTextKb: number }
export const usualTextLimits: TextLimits = { maxTextKb: 1024 }

/** The parameters of the training, which a model's description holds. */
const hashed = z.object({ hash_bits: z.int(), word_ngrams: z.int().default(0), char_ngrams: z.int().default(0) })

function schemeOf({ parameters }: ModelDescription): FeatureScheme {
  const parsed = hashed.safeParse(parameters)
  if (!parsed.success) throw new Refusal("the model's metadata do not tell how its texts are hashed")
  const { hash_bits, word_ngrams, char_ngrams } = parsed.data
  return { bits: hash_bits, wordNgrams: word_ngrams, charNgrams: char_ngrams }
}

const textOf = ({ cells }: Row): string => String(cells[0] ?? '')

/** Undefined for a text that may be predicted. */
function tooLong({ line }: Row, text: string, { maxTextKb }: TextLimits): BrokenRow | undefined {
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxTextKb * 1024) return undefined
  return { line, reason: `the text has ${Math.ceil(bytes / 1024)} KB; at most ${maxTextKb} are taken (MAX_TEXT_KB)` }
}

/** The graph looks up a number for each output, feature and text, its rows as wide as the text with the most features. */
function createClasses(limits: TextLimits): OutsideStep {
  return async ({ run, predictionsOf }, rows, description) => {
    const scheme = schemeOf(description)
    const { length: labels } = description.labels ?? []
    const perFeature = 12 * (labels === 2 ? 1 : labels) + 48
    const results = new Array<Prediction | BrokenRow>(rows.length)
    let batch: { readonly index: number; readonly counts: Counts }[] = []
    let width = 0

    const flush = async (): Promise<void> => {
      if (batch.length === 0) return
      const counted = batch.map(({ counts }) => counts)
      const { dims, buckets, counts } = encodeCounts(counted, scheme.bits)
      const feeds = { buckets: new Tensor('int32', buckets, dims), counts: new Tensor('float32', counts, dims) }
      const found = predictionsOf(await run(feeds), batch.length)
      for (const [place, { index }] of batch.entries()) {
        const prediction = found[place]
        if (prediction !== undefined) results[index] = prediction
      }
      batch = []
      width = 0
    }

    for (const [index, row] of rows.entries()) {
      const text = textOf(row)
      const broken = tooLong(row, text, limits)
      if (broken !== undefined) {
        results[index] = broken
        continue
      }
      const counts = countFeatures(text, scheme)
      const features = counts.buckets.length
      if (features * perFeature > text_bytes) {
        const reason = `the text has ${features} features, too many for a model of ${labels} labels`
        results[index] = { line: row.line, reason }
        continue
      }
      if ((batch.length + 1) * Math.max(width, features) * perFeature > run_bytes) await flush()
      batch.push({ index, counts })
      width = Math.max(width, features)
    }
    await flush()
    return results
  }
}

type Tagged = {
  readonly index: number
  readonly text: string
  readonly tokens: readonly Token[]
  readonly emissions: Float64Array
}
/** Some tokens of a text. */
type Piece = { readonly of: Tagged; readonly from: number; readonly to: number }

/**
 * The scores of a token's tags depend on it and its neighbours alone, so a text is cut anywhere; the path through
 * them and the probabilities are those of the whole text.
 */
function createEntities(limits: TextLimits): OutsideStep {
  return async ({ run }, rows, description) => {
    const { bits } = schemeOf(description)
    const labels = (description.labels ?? []).map(String)
    const { length: tags } = tagNames(labels)
    const max = Math.max(64, Math.floor(run_bytes / (featuresPerToken * tags * 12)))
    const results = new Array<Prediction | BrokenRow>(rows.length)
    let pieces: Piece[] = []
    let waiting = 0
    let chain: Chain | undefined

    const flush = async (): Promise<void> => {
      if (waiting === 0) return
      const buckets = new Int32Array(waiting * featuresPerToken)
      let at = 0
      for (const { of, from, to } of pieces) {
        buckets.set(tokenBuckets(of.tokens, bits, from, to), at * featuresPerToken)
        at += to - from
      }
      const outputs = await run({ buckets: new Tensor('int32', buckets, [waiting, featuresPerToken]) })
      chain ??= chainOf(labels, doublesOf(outputs.transitions))
      const emissions = doublesOf(outputs.emissions)
      at = 0
      for (const { of, from, to } of pieces) {
        of.emissions.set(emissions.subarray(at * tags, (at + to - from) * tags), from * tags)
        at += to - from
        if (to === of.tokens.length)
          results[of.index] = { label: findEntities(of.text, of.tokens, of.emissions, chain, labels) }
      }
      pieces = []
      waiting = 0
    }

    for (const [index, row] of rows.entries()) {
      const text = textOf(row)
      const tokens = tokenize(text)
      const broken = tooLong(row, text, limits) ?? tooMany(row, tokens.length, labels.length, tags)
      results[index] = broken ?? { label: [] }
      if (broken !== undefined || tokens.length === 0) continue
      const of = { index, text, tokens, emissions: new Float64Array(tokens.length * tags) }
      for (let from = 0; from < tokens.length; ) {
        const to = Math.min(tokens.length, from + max - waiting)
        pieces.push({ of, from, to })
        waiting += to - from
        from = to
        if (waiting >= max) await flush()
      }
    }
    await flush()
    return results
  }
}

/** Each token and tag has a score and the tag before, and each token as many steps as tags may follow each other. */
function tooMany({ line }: Row, tokens: number, labels: number, tags: number): BrokenRow | undefined {
  const follows = (2 * labels + 1) ** 2 + 4 * labels
  if (tokens * tags * 10 <= text_bytes && tokens * follows <= maxSteps) return undefined
  return { line, reason: `the text has ${tokens} words and signs, too many for a model of ${labels} labels` }
}

function doublesOf(tensor: Tensor | undefined): Float64Array {
  if (tensor?.data instanceof Float64Array) return tensor.data
  throw new Refusal("the model's outputs are not those of a tagger")
}

/** The steps that a model's description names in `outside`: 'text classes' or 'entities'. */
export const createTextSteps = (limits: TextLimits): OutsideSteps => ({
  'text classes': createClasses(limits),
  entities: createEntities(limits),
})
