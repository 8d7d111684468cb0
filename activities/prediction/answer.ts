import { addAgreement, agreementOf, noAgreement } from '../../learn/agreement.ts'
import type { ModelDescription } from '../../learn/description.ts'
import type { Cell } from '../../learn/formats/row.ts'
import type { Prediction } from '../../learn/outside-step.ts'
import { sharesOf } from './write-predictions.ts'

/** The answer of `POST /ml/pred/2`. Only predicted numbers have errors above 0, and only labels have an accuracy. */
export type LineAnswer = {
  readonly predict_labels: Prediction['label']
  readonly probabilities?: Readonly<Record<string, number>>
  readonly mean_sq_err: number
  readonly sq_cor_coef: number
  readonly user_pred_accuracy?: number
  /** Words that training did not see, and what else may be meant otherwise than it is predicted. */
  readonly notes?: readonly string[]
  readonly errorcode: 0
}

export function answerOf(prediction: Prediction, target: Cell, description: ModelDescription): LineAnswer {
  const { task } = description
  const { label } = prediction
  const sums = typeof label === 'object' ? noAgreement : addAgreement(noAgreement, label, target)
  const { user_pred_accuracy, mean_sq_err, sq_cor_coef } = agreementOf(sums)
  const error =
    task === 'numbers' ? { mean_sq_err, sq_cor_coef } : { user_pred_accuracy, mean_sq_err: 0, sq_cor_coef: 0 }
  return { predict_labels: label, ...error, ...sharesOf(prediction, description), errorcode: 0 }
}
