/** `pred_req_state`, the numbers of a training's states: below 20 a final error. Decisions 7. */
export const fileState = {
  sourceAbsent: 11,
  failed: 18,
  stopped: 19,
  fetching: 20,
  fetched: 21,
  written: 24,
  done: 25,
} as const

/** Whether a prediction in this state goes on. */
export const isUnderWay = (state: number): boolean => state >= fileState.fetching && state < fileState.done
