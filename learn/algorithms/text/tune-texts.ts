import { numberOf, type Parameters } from '../../parameters.ts'
import type { Point } from '../../tuning/choose.ts'
import { judgeLabels, type Tunable } from '../../tuning/cross-validate.ts'
import { gridOf, powersOfTwo } from '../../tuning/grid.ts'
import { byCrossValidation, type Tuning } from '../../tuning/tuning.ts'
import { fitTextClasses, type TextClassesModel } from './classes/fit.ts'
import { predictTextClasses } from './classes/predict.ts'
import { type EntitiesModel, fitEntities } from './entities/fit.ts'
import { countErrors, measureEntities } from './entities/measure.ts'
import { predictEntities } from './entities/predict.ts'
import type { TaggedText } from './entities/tagged-text.ts'

const maxTexts = 2000

/** 2^-1 .. 2^7. */
const costExponents = { from: -1, to: 7 } as const
/** 2^-13 .. 2^-5. */
const pullExponents = { from: -13, to: -5 } as const

const ofClasses: Tunable<TextClassesModel, readonly string[]> = {
  fitModel: (texts, target, parameters, watch) => {
    if (target.kind !== 'classes') throw new TypeError('texts are learnt with their labels')
    return fitTextClasses(texts, target, parameters, watch)
  },
  judge: (model, texts, truth) => judgeLabels(predictTextClasses(model, texts), truth),
}

/** Single words, the runs of words that the parameters have, and those of characters too; each with every cost. */
function classesCandidates(parameters: Parameters, trainSpeed: number): readonly Point[] {
  const [words, characters] = [numberOf(parameters, 'word_ngrams'), numberOf(parameters, 'char_ngrams')]
  const schemes: readonly Point[] = [
    { word_ngrams: words, char_ngrams: characters },
    { word_ngrams: 1, char_ngrams: 0 },
    { word_ngrams: words, char_ngrams: 0 },
  ]
  const seen = new Map(schemes.map((scheme) => [JSON.stringify(scheme), scheme]))
  const costs = gridOf({ C: powersOfTwo(costExponents, trainSpeed) })
  return costs.flatMap((cost) => [...seen.values()].map((scheme) => ({ ...scheme, ...cost })))
}

/** The kinds of features before the cost, of which there is less than 100. */
const classesComplexity = ({ word_ngrams = 0, char_ngrams = 0, C = 1 }: Point): number =>
  100 * (word_ngrams + char_ngrams) + Math.log2(C)

/** Undefined where no text that is learnt from has an entity. */
const ofEntities: Tunable<EntitiesModel | undefined, readonly TaggedText[]> = {
  fitModel: (texts, _, parameters, watch) =>
    texts.some(({ spans }) => spans.length > 0) ? fitEntities(texts, parameters, watch) : undefined,
  judge: (model, texts) => {
    const found = texts.map(model === undefined ? () => [] : predictEntities(model))
    return {
      losses: texts.map((text, index) => countErrors(text, found[index] ?? [])),
      measure: measureEntities(texts, found).f1,
    }
  },
}

/** How often a feature is seen at least, and how strongly weights are drawn to 0. */
const entitiesCandidates = (parameters: Parameters, trainSpeed: number): readonly Point[] => {
  const min = numberOf(parameters, 'min_count')
  return gridOf({ min_count: [min, min + 1], l2: powersOfTwo(pullExponents, trainSpeed) })
}

const entitiesComplexity = ({ min_count = 1, l2 = 1 }: Point): number => -100 * min_count - Math.log2(l2)

export const textClassesTuning: Tuning<readonly string[]> = {
  maxRows: maxTexts,
  candidates: classesCandidates,
  ...byCrossValidation(ofClasses, classesComplexity),
}

export const entitiesTuning: Tuning<readonly TaggedText[]> = {
  maxRows: maxTexts,
  candidates: entitiesCandidates,
  ...byCrossValidation(ofEntities, entitiesComplexity),
}
