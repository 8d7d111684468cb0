import { Refusal } from '../../base/refusal.ts'
import type { ModelDescription } from '../../learn/description.ts'
import type { Prediction } from '../../learn/outside-step.ts'

/**
 * Decides between two classes by a probability: the one whose label is the greater (1 of 0 and 1, `yes` of `no` and
 * `yes`) is predicted where its probability is at least the threshold. Throws a `Refusal` for other models.
 */
export function createThreshold(
  threshold: number | undefined,
  { labels = [], task }: ModelDescription,
): (prediction: Prediction) => Prediction {
  if (threshold === undefined) return (prediction) => prediction
  const [first, second] = labels
  if (task !== 'classes' || first === undefined || second === undefined || labels.length > 2) {
    throw new Refusal(
      `threshold decides between two classes, and the model has ${task === 'classes' ? labels.length : task}`,
    )
  }
  const positive = isGreater(first, second) ? 0 : 1
  const [yes, no] = positive === 0 ? [first, second] : [second, first]
  return (prediction) => {
    const share = prediction.probabilities?.[positive]
    if (share === undefined) {
      throw new Refusal(
        'threshold needs probabilities, which the model does not give: train it so that it does (SVM: probability 1)',
      )
    }
    return { ...prediction, label: share >= threshold ? yes : no }
  }
}

const isGreater = (one: number | string, other: number | string): boolean =>
  typeof one === 'number' && typeof other === 'number' ? one > other : String(one) > String(other)
