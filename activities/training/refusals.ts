import { Refusal } from '../../base/refusal.ts'
import type { Target } from '../../learn/dataset.ts'
import type { Held, Holder } from '../../learn/holdout/holder.ts'
import { type TrainingState, trainingState } from '../models/training-states.ts'

/** Training that cannot go on: why, in words, and the state that it ends in. It is final. */
export class TrainingFailure extends Error {
  readonly state: TrainingState

  constructor(state: TrainingState, message: string) {
    super(message)
    this.name = 'TrainingFailure'
    this.state = state
  }
}

/** Data that the expected format cannot hold. */
export class UnfitFormat extends Refusal {}

/** Data that training has not the memory for. */
export class TooLarge extends Refusal {}

/** A target that nothing can be learnt of. */
export class TargetRefusal extends Refusal {}

/** Data that leave nothing to be held out as the request asks. */
export class HoldoutRefusal extends Refusal {}

/** The rows held out; throws a `HoldoutRefusal` where there are none. */
export function finishHolder(holder: Pick<Holder, 'finish'>, target: Target): Held {
  try {
    return holder.finish(target)
  } catch (error) {
    throw error instanceof Refusal ? new HoldoutRefusal(error.message) : error
  }
}

/** The state that a refusal of the data means. */
export function stateOfData(error: Refusal): TrainingState {
  if (error instanceof UnfitFormat) return trainingState.format
  if (error instanceof HoldoutRefusal) return trainingState.badTestData
  return error instanceof TargetRefusal || error instanceof TooLarge
    ? trainingState.badTrainingData
    : trainingState.parse
}

/** Why something failed, for a training's log: ClickHouse quotes the statement, of which its error's code and name are left. */
export function shortReason(message: string): string {
  const code = /Code: (\d+)\. DB::Exception/.exec(message)?.[1]
  if (code === undefined) return message
  const name = [...message.matchAll(/\(([A-Z][A-Z_]+)\)/g)].at(-1)?.[1]
  return `ClickHouse could not answer: its error ${code}${name === undefined ? '' : `, ${name}`}`
}
