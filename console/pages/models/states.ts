/** `train_req_state`, in words. */

const under = new Map([
  [20, 'fetching the data'],
  [21, 'reading the data'],
  [22, 'scaling and tuning'],
  [23, 'training'],
  [24, 'publishing'],
])

const failed = new Map([
  [10, 'the request does not fit'],
  [11, 'the data are not there'],
  [12, 'the data cannot be read'],
  [13, 'the data have another format'],
  [14, 'the object store failed'],
  [15, 'tuning failed'],
  [16, 'training failed'],
  [17, 'the rows held out do not serve'],
  [18, 'the data do not serve for training'],
  [19, 'stopped'],
])

export const isUnderWay = (state: number | undefined): boolean => state !== undefined && state >= 20 && state < 25
export const isFailed = (state: number | undefined): boolean => state !== undefined && state < 20

export function stateText(state: number | undefined): string {
  if (state === undefined) return 'never trained'
  if (state === 25) return 'trained'
  if (state === 26) return 'superseded'
  return under.get(state) ?? failed.get(state) ?? `state ${state}`
}

export const stateTone = (state: number | undefined): '' | 'good' | 'bad' | 'accent' => {
  if (isUnderWay(state)) return 'accent'
  if (isFailed(state)) return 'bad'
  return state === 25 ? 'good' : ''
}
