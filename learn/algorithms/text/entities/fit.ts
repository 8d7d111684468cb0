import { Refusal } from '../../../../base/refusal.ts'
import type { FitWatch } from '../../../dataset.ts'
import { numberOf, type Parameters } from '../../../parameters.ts'
import { createRandom } from '../../../random.ts'
import { isBalanced } from '../../class-weights.ts'
import { usualEps } from '../parameters.ts'
import { numberRows, type Rows } from '../rows.ts'
import { type Chain, createChain } from './chain.ts'
import { createDescent, type Learner, type Sequence } from './descent.ts'
import { featuresPerToken, tokenBuckets } from './features.ts'
import type { TaggedText } from './tagged-text.ts'
import { tagNames, tagsOf } from './tags.ts'

/** Plain data: it crosses from a worker thread as it is. */
export type EntitiesModel = {
  readonly labels: readonly string[]
  readonly rows: Rows
  readonly chain: Chain
  /** `[rows, tags]`; row 0 is zero. */
  readonly weights: Float32Array
}

/** `parameters` are decoded by `entitiesParameters`, or by `textParameters`. */
export function fitEntities(texts: readonly TaggedText[], parameters: Parameters, watch: FitWatch): EntitiesModel {
  const labels = [...new Set(texts.flatMap(({ spans }) => spans.map(({ label }) => label)))]
  if (labels.length === 0) throw new Refusal('no text has an entity; there is nothing to learn')
  if (isBalanced(parameters)) watch.log('class_weight does nothing: the data hold entities, and texts have no classes')
  const bits = numberOf(parameters, 'hash_bits')
  const buckets = texts.map(({ tokens }, index) => {
    if (index % 256 === 0) watch.beat(0, 'counting words')
    return tokenBuckets(tokens, bits)
  })
  const rows = numberRows(countBuckets(buckets, bits), bits, numberOf(parameters, 'min_count'))
  const sequences: readonly Sequence[] = texts.map(({ tokens, spans }, index) => ({
    rows: (buckets[index] ?? new Int32Array()).map((bucket) => rows.ofBucket[bucket] ?? 0),
    tags: tagsOf(
      spans.map(({ label, ...span }) => ({ ...span, label: labels.indexOf(label) })),
      tokens.length,
    ),
  }))
  const tags = tagNames(labels).length
  const learner = { chain: createChain(tags), weights: new Float64Array(rows.count * tags) }
  watch.log(`${texts.length} texts, ${rows.count - 1} features, labels ${labels.join(', ')}`)
  descend(learner, sequences, parameters, watch)
  const transitions = Float64Array.from(learner.chain.transitions, Math.fround)
  return { labels, rows, chain: { ...learner.chain, transitions }, weights: Float32Array.from(learner.weights) }
}

function countBuckets(buckets: readonly Int32Array[], bits: number): Int32Array {
  const seen = new Int32Array(2 ** bits)
  for (const ofText of buckets) for (const bucket of ofText) seen[bucket] = (seen[bucket] ?? 0) + 1
  return seen
}

function descend(learner: Learner, sequences: readonly Sequence[], parameters: Parameters, watch: FitWatch): void {
  const passes = numberOf(parameters, 'max_iter')
  const min = numberOf(parameters, 'eps', usualEps.ofEntities)
  const descent = createDescent(learner, sequences, {
    features: featuresPerToken,
    rate: numberOf(parameters, 'rate'),
    l2: numberOf(parameters, 'l2'),
    random: createRandom(numberOf(parameters, 'seed')),
  })
  let earlier = Number.POSITIVE_INFINITY
  for (let pass = 0; pass < passes; pass += 1) {
    const loss = descent.pass((share) => watch.beat((pass + share) / passes, `pass ${pass + 1} of at most ${passes}`))
    if (earlier - loss < min * earlier && pass > 0) {
      watch.log(`the tagger settled after ${pass + 1} passes, loss ${loss.toPrecision(4)} a token`)
      return
    }
    earlier = loss
  }
  watch.log(`the tagger ended its ${passes} passes at a loss of ${earlier.toPrecision(4)} a token`)
}
