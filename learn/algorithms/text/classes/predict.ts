import { pickClasses } from '../../labels.ts'
import { countFeatures } from './features.ts'
import type { TextClassesModel } from './fit.ts'
import { weigh } from './weigh.ts'

/** The label of each text, as the model's graph gives it. */
export function predictTextClasses(model: TextClassesModel, texts: readonly string[]): (number | string)[] {
  const { scheme, weighing, outputs, weights, intercepts, labels } = model
  const scores = new Float64Array(texts.length * outputs)
  for (const [text, words] of texts.entries()) {
    const own = scores.subarray(text * outputs, (text + 1) * outputs)
    own.set(intercepts)
    for (const { row, value } of weigh(countFeatures(words, scheme), weighing)) {
      for (const [output, score] of own.entries()) own[output] = score + value * (weights[row * outputs + output] ?? 0)
    }
  }
  return Array.from(pickClasses(scores, outputs), (index) => labels[index] ?? index)
}
