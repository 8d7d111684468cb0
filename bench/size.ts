export type Splits = { readonly usual: number; readonly tuned: number }

/** Devices that each send a beat in turn, and of which some fall silent. */
export type Beats = {
  readonly devices: number
  readonly perSecond: number
  /** Beats of a request. */
  readonly body: number
  /** The silence that makes a row: longer than a round over all devices takes. */
  readonly silent_s: number
  /** How long the others go on once rows are due. */
  readonly more_s: number
  /** Devices that are not heard of again after their first beat; they are in the first request. */
  readonly dying: number
  /** How long the processor is watched at rest. */
  readonly watch_s: number
  /** How long is waited, at most, until the service has come to rest before that. */
  readonly rest_s: number
}

export type Size = {
  /** Of a part's sections one in so many, the first of them `taken`. Absent: all of them. */
  readonly share?: { readonly taken: number; readonly of: number }
  readonly rounds: number
  /** Seconds of a round of single events. */
  readonly seconds: number
  /** How long is waited, at most, until a service has come to rest between rounds. */
  readonly restSeconds: number
  /** Orders loaded as history, all of them and in one round. */
  readonly events: number
  readonly batch: number
  /** How often a query is asked, a commit made, a process started. */
  readonly asks: number
  readonly beats: Beats
  readonly commits: number
  readonly starts: number
  /** Readers of a live stream at once, and how long they are watched. */
  readonly readers: number
  readonly liveSeconds: number
  readonly schemas: number
  /** The wait until a service with many schemas has come to rest, and how long it is then watched. */
  readonly settleSeconds: number
  readonly idleSeconds: number
  /** Watches that are evaluated, and how often. */
  readonly watches: number
  readonly watchSeconds: number
  readonly records: number
  /** Reads of records by key. */
  readonly reads: number
  readonly upsertSeconds: number
  readonly objectMegabytes: number
  /** People of the graph, with ten relations each. */
  readonly people: number
  /** The wait until a graph of `people` is one part a table. */
  readonly compactSeconds: number
  /** How often each fit is made, at most twice where the rows are many. */
  readonly fits: number
  readonly svmRows: readonly number[]
  readonly linearRows: number
  readonly fileRows: number
  readonly servedModels: number
  /** The quality of models: so many splits of each data set, by defaults and tuned, and so many rows of it at most. */
  readonly splits: Splits
  /** Of data sets of few rows, of which one split tells little. */
  readonly smallSplits: Splits
  readonly qualityRows: number
  /** Absent: all data sets. */
  readonly qualityData?: readonly string[]
  /** Rows of made data that fits and trainings cost. */
  readonly costRows: number
  /** `train_speed` of the tuning that goes beside GridSearchCV: 1 is 25 points, 2 is 42. */
  readonly tuneSpeed: number
  /** Processes of GridSearchCV; starting one more takes seconds. */
  readonly tuneProcesses: number
}

/** A device is silent only for longer than a round over all of them takes: a short run has no fewer. */
const beats: Beats = {
  devices: 100_000,
  perSecond: 5_000,
  body: 1_000,
  silent_s: 45,
  more_s: 10,
  dying: 1_000,
  watch_s: 8,
  rest_s: 10,
}

export const full: Size = {
  rounds: 5,
  seconds: 4,
  restSeconds: 20,
  events: 1_000_000,
  batch: 100_000,
  asks: 200,
  beats,
  commits: 500,
  starts: 3,
  readers: 1000,
  liveSeconds: 15,
  schemas: 100,
  settleSeconds: 20,
  idleSeconds: 10,
  reads: 1_000,
  fits: 5,
  watches: 1_000,
  watchSeconds: 60,
  records: 1_000_000,
  upsertSeconds: 5,
  objectMegabytes: 1024,
  people: 100_000,
  compactSeconds: 45,
  svmRows: [10_000, 50_000],
  linearRows: 50_000,
  fileRows: 1_000_000,
  servedModels: 200,
  splits: { usual: 3, tuned: 1 },
  smallSplits: { usual: 10, tuned: 3 },
  qualityRows: 100_000,
  costRows: 1_000_000,
  tuneSpeed: 2,
  tuneProcesses: 2,
}

export const quick: Size = {
  rounds: 1,
  seconds: 1.5,
  restSeconds: 5,
  events: 100_000,
  batch: 20_000,
  asks: 50,
  beats,
  commits: 100,
  starts: 1,
  readers: 1000,
  liveSeconds: 5,
  schemas: 10,
  settleSeconds: 20,
  idleSeconds: 10,
  reads: 1_000,
  fits: 5,
  watches: 200,
  watchSeconds: 20,
  records: 100_000,
  upsertSeconds: 3,
  objectMegabytes: 128,
  people: 10_000,
  compactSeconds: 15,
  svmRows: [2_000],
  linearRows: 10_000,
  fileRows: 100_000,
  servedModels: 20,
  splits: { usual: 1, tuned: 1 },
  smallSplits: { usual: 1, tuned: 1 },
  qualityRows: 5_000,
  costRows: 100_000,
  tuneSpeed: 2,
  tuneProcesses: 2,
}

/** Shows that every part runs; its figures mean nothing. */
export const smoke: Size = {
  rounds: 1,
  seconds: 0.05,
  restSeconds: 0,
  events: 2_000,
  batch: 1_000,
  asks: 3,
  beats: { devices: 500, perSecond: 500, body: 100, silent_s: 2, more_s: 1, dying: 10, watch_s: 0.5, rest_s: 0 },
  commits: 5,
  starts: 1,
  readers: 5,
  liveSeconds: 0.5,
  schemas: 2,
  settleSeconds: 0.5,
  idleSeconds: 0.5,
  reads: 20,
  fits: 1,
  watches: 10,
  watchSeconds: 2,
  records: 2_000,
  upsertSeconds: 0.05,
  objectMegabytes: 2,
  people: 100,
  compactSeconds: 0,
  svmRows: [200],
  linearRows: 500,
  fileRows: 1_000,
  servedModels: 3,
  splits: { usual: 1, tuned: 1 },
  smallSplits: { usual: 1, tuned: 1 },
  qualityRows: 60,
  qualityData: ['iris', '1 % positives'],
  costRows: 2_000,
  tuneSpeed: 1,
  tuneProcesses: 1,
}
