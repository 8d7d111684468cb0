/** `train_req_state`: below 20 a final error. Decisions 7. */
export const trainingState = {
  badInput: 10,
  sourceAbsent: 11,
  parse: 12,
  format: 13,
  objectStore: 14,
  tuning: 15,
  training: 16,
  badTestData: 17,
  badTrainingData: 18,
  stopped: 19,
  fetching: 20,
  fetched: 21,
  reformatted: 22,
  tuned: 23,
  uploadPending: 24,
  done: 25,
  superseded: 26,
} as const

export type TrainingState = (typeof trainingState)[keyof typeof trainingState]

/** Whether a training in this state goes on. */
export const isUnderWay = (state: number): boolean => state >= trainingState.fetching && state < trainingState.done
