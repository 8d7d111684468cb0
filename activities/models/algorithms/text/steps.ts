import { Tensor } from 'onnxruntime-node'
import { z } from 'zod'
import { Refusal } from '../../../../sql/refusal.ts'
import type { ModelDescription } from '../../description.ts'
import type { Row } from '../../formats/row.ts'
import type { OutsideStep, OutsideSteps, Prediction } from '../../predict/run-model.ts'
import { encodeTexts } from './classes/encode.ts'
import type { FeatureScheme } from './classes/features.ts'
import { encodeTokens } from './entities/encode.ts'
import { chainOf, findEntities } from './entities/predict.ts'
import { tokenize } from './tokens.ts'

/** The parameters of the training, which a model's description holds. */
const hashed = z.object({ hash_bits: z.int(), word_ngrams: z.int().default(0), char_ngrams: z.int().default(0) })

function schemeOf({ parameters }: ModelDescription): FeatureScheme {
  const parsed = hashed.safeParse(parameters)
  if (!parsed.success) throw new Refusal("the model's metadata do not tell how its texts are hashed")
  const { hash_bits, word_ngrams, char_ngrams } = parsed.data
  return { bits: hash_bits, wordNgrams: word_ngrams, charNgrams: char_ngrams }
}

const textsOf = (rows: readonly Row[]): readonly string[] => rows.map(({ cells }) => String(cells[0] ?? ''))

const classes: OutsideStep = {
  feeds: (rows, description) => {
    const { dims, buckets, counts } = encodeTexts(textsOf(rows), schemeOf(description))
    return { buckets: new Tensor('int32', buckets, dims), counts: new Tensor('float32', counts, dims) }
  },
}

const entities: OutsideStep = {
  feeds: (rows, description) => {
    const { dims, buckets } = encodeTokens(textsOf(rows), schemeOf(description).bits)
    return { buckets: new Tensor('int32', buckets, dims) }
  },
  predictions: ({ emissions, transitions }, rows, { labels = [] }): readonly Prediction[] => {
    const texts = textsOf(rows)
    const names = labels.map(String)
    const chain = chainOf(names, doublesOf(transitions))
    const found = findEntities(texts, texts.map(tokenize), doublesOf(emissions), chain, names)
    return found.map((label) => ({ label }))
  },
}

function doublesOf(tensor: Tensor | undefined): Float64Array {
  if (tensor?.data instanceof Float64Array) return tensor.data
  throw new Refusal("the model's outputs are not those of a tagger")
}

/** What a model's description names in `outside`: 'text classes' or 'entities'. */
export const textSteps: OutsideSteps = { 'text classes': classes, entities }
