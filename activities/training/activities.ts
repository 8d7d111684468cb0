import { clearTraining } from '../models/publish.ts'
import type { TrainingKey } from '../models/stores/training-record.ts'
import { isUnderWay, trainingState } from '../models/training-states.ts'
import type { TrainingDeps } from './deps.ts'
import { createFitting } from './fit/fitting.ts'
import { createGathering } from './gathering.ts'
import { asStopped } from './journal.ts'
import { createPublishing } from './publishing.ts'
import { shortReason } from './refusals.ts'
import { createStep, type StepDone } from './step.ts'

/** The steps of a training, in the order in which `trainModel` calls them. */
export function createTrainingActivities(deps: TrainingDeps) {
  const { trainings } = deps
  const gathering = createGathering(deps)
  const fitting = createFitting(deps)
  const publishing = createPublishing(deps)
  return {
    verifyTraining: createStep(trainings, gathering.verify),
    gatherData: createStep(trainings, gathering.gather),
    reformatData: createStep(trainings, gathering.reformat),
    tuneParameters: createStep(trainings, fitting.tune),
    fitModel: createStep(trainings, fitting.fit),
    measureModel: createStep(trainings, fitting.measure),
    checkModel: createStep(trainings, publishing.check),
    publishModel: createStep(trainings, publishing.publish),

    /**
     * After a failure or a stop: the record says how it ended, and the files that the steps handed on are removed. Another
     * process may have completed the training while this one stood still.
     */
    async endTraining({ stopped, reason, why, ...key }: TrainingKey & Ending): Promise<StepDone | undefined> {
      await trainings.update(key, (record) => {
        if (!isUnderWay(record.state)) return record
        if (stopped) return asStopped(record, why)
        const end_us = Date.now() * 1000
        const short = shortReason(reason)
        const log = [...record.log, `${end_us} : training failed: ${short}`]
        return { ...record, state: trainingState.training, reason: short, end_us, log }
      })
      await clearTraining(deps, key)
      const record = await trainings.find(key)
      return record && { state: record.state, log: record.log.slice(-1) }
    },
  }
}

/** `why` a training was stopped; absent where its user stopped it. */
type Ending = { readonly stopped: boolean; readonly reason: string; readonly why?: string }

export type TrainingActivities = ReturnType<typeof createTrainingActivities>
