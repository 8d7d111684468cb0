export type Size = {
  readonly rounds: number
  /** Seconds of a round of single events. */
  readonly seconds: number
  /** Orders loaded as history, all of them and in one round. */
  readonly events: number
  readonly batch: number
  /** How often a query is asked, a commit made, a process started. */
  readonly asks: number
  readonly commits: number
  readonly starts: number
  readonly schemas: number
  readonly records: number
  readonly upsertSeconds: number
  readonly objectMegabytes: number
  /** With ten relations each. */
  readonly people: number
  /** Of trainings. */
  readonly svmRows: readonly number[]
  readonly linearRows: number
  readonly fileRows: number
  readonly servedModels: number
}

export const full: Size = {
  rounds: 3,
  seconds: 4,
  events: 1_000_000,
  batch: 100_000,
  asks: 200,
  commits: 500,
  starts: 3,
  schemas: 100,
  records: 1_000_000,
  upsertSeconds: 10,
  objectMegabytes: 1024,
  people: 100_000,
  svmRows: [10_000, 50_000],
  linearRows: 50_000,
  fileRows: 1_000_000,
  servedModels: 200,
}

export const quick: Size = {
  rounds: 1,
  seconds: 1.5,
  events: 100_000,
  batch: 20_000,
  asks: 50,
  commits: 100,
  starts: 1,
  schemas: 10,
  records: 100_000,
  upsertSeconds: 3,
  objectMegabytes: 128,
  people: 10_000,
  svmRows: [2_000],
  linearRows: 10_000,
  fileRows: 100_000,
  servedModels: 20,
}
