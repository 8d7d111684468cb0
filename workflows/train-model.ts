import type { TrainingActivities } from '../activities/training/activities.ts'
import type { StepDone } from '../activities/training/step.ts'
import type { Workflow } from '../infra/orchestration/workflow.ts'
import { ids, type ModelKey } from './ids.ts'

export type TrainModelRequest = ModelKey & {
  /** Which training of the model: its `train_start_ts`. Its record holds the request. */
  readonly training: number
  /** For people: `SVM on orders.csv`. */
  readonly about: string
}

export type TrainModelProgress = { readonly state: number; readonly log: readonly string[] }

const name = ({ schema, model }: ModelKey) => `${model} of ${schema}`

/**
 * Trains a model: the one that is there serves until the new one is complete and checked. Every step finds the work of
 * an earlier try of it, and hands its results on by the object store.
 */
export const trainModel: Workflow<
  TrainingActivities,
  ModelKey,
  TrainModelRequest,
  TrainModelProgress,
  TrainModelProgress
> = {
  id: ids.trainModel,
  title: (request) => `Train model ${name(request)}: ${request.about}`,
  steps: {
    verifyTraining: (request) => `look whether the data for ${name(request)} are there`,
    gatherData: (request) => `gather the data for ${name(request)}`,
    reformatData: (request) => `read and check the data for ${name(request)}`,
    tuneParameters: (request) => `scale, and choose the parameters of ${name(request)}`,
    fitModel: (request) => `fit ${request.about ?? name(request)}`,
    measureModel: (request) => `fit ${name(request)} without the rows held out, and measure it on them`,
    checkModel: (request) => `check the file of ${name(request)}`,
    publishModel: (request) => `publish ${name(request)}`,
    endTraining: (request) => `take away what was begun for ${name(request)}`,
  },
  marks: ({ schema, model }, progress) => ({ schema, model, state: progress?.state ?? 20 }),
  attempts: 30,
  givesUp: { deaths: 3, what: 'this training' },
  details: ({ log }) => log.map((line) => `- ${line}`).join('\n'),

  async run({ activities, report, cleanUp, wasCancelled, wasGivenUp }, { schema, model, training }) {
    const key = { schema, model, training }
    let progress: TrainModelProgress = { state: 20, log: [] }
    const reached = ({ state, log }: StepDone) => {
      progress = { state, log: [...progress.log, ...log] }
      report(progress)
    }
    try {
      reached(await activities.verifyTraining(key))
      reached(await activities.gatherData(key))
      reached(await activities.reformatData(key))
      const tuned = await activities.tuneParameters(key)
      reached(tuned)
      const fit = { ...key, ...(tuned.about !== undefined && { about: tuned.about }) }
      const [fitted] = await Promise.all([activities.fitModel(fit), activities.measureModel(key)])
      reached(fitted)
      reached(await activities.checkModel(key))
      reached(await activities.publishModel(key))
      return progress
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      await cleanUp(async () => {
        const stopped = wasCancelled(error) || wasGivenUp(error)
        const ended = await activities.endTraining({
          ...key,
          stopped,
          reason,
          ...(wasGivenUp(error) && { why: reason }),
        })
        // A training that was removed meanwhile reaches no state.
        if (ended) reached(ended)
      })
      throw error
    }
  },
}
