/**
 * A workflow and its activities, as both runtimes see them. Requests and results are JSON, and refer to data: they hold
 * none.
 */

/** Reports the progress of an activity to watchers outside. */
export type Pulse = (details: unknown) => void

/**
 * One slow or fallible step, which may be run again at any point; `signal` aborts once no run waits for it any more.
 */
export type Activities = Readonly<
  Record<string, (request: never, signal: AbortSignal, pulse?: Pulse) => Promise<unknown>>
>

/** Activities as a workflow calls them: each is tried again until it succeeds, fails for good, or attempts run out. */
export type Calls<Of extends Activities> = {
  readonly [Name in keyof Of]: (request: Parameters<Of[Name]>[0]) => ReturnType<Of[Name]>
}

/** All that a workflow has of the world: it runs the same on Temporal and in process. */
export type Runtime<Of extends Activities, Progress> = {
  readonly activities: Calls<Of>
  /** Publishes its progress, for status calls. */
  report(progress: Progress): void
  /** Calls of activities in `work` are made even after the workflow was cancelled. */
  cleanUp(work: () => Promise<void>): Promise<void>
  /** Whether an activity threw since the workflow was cancelled. */
  wasCancelled(error: unknown): boolean
  /** Whether it threw since too many processes ended amid the run. */
  wasGivenUp(error: unknown): boolean
}

/** The attributes by which people find runs. The state may change with each report, the rest stays. */
export type Marks = { readonly schema?: string; readonly model?: string; readonly state?: number }

export type Workflow<Of extends Activities, Key, Request extends Key, Progress, Result> = {
  /** The id of a run: one run at a time has it. */
  id(key: Key): string
  /** A line for people, beside the lines of its activities. */
  title(request: Request): string
  readonly steps: { readonly [Name in keyof Of]: (request: Parameters<Of[Name]>[0]) => string }
  /** How often an activity is tried. */
  readonly attempts: number
  /** Outside of Temporal: amid which a process may end so often; of another kind a run is begun anew as often as it takes. */
  readonly givesUp?: { readonly deaths: number; readonly what: string }
  marks(request: Request, progress?: Progress): Marks
  /** A report for people, in Markdown. */
  details?(progress: Progress): string
  run(runtime: Runtime<Of, Progress>, request: Request): Promise<Result>
}

/** A workflow whose types are forgotten, for the runtimes. It has methods, so that any workflow is one. */
export type AnyWorkflow = {
  id(key: unknown): string
  title(request: unknown): string
  readonly steps: Readonly<Record<string, (request: never) => string>>
  readonly attempts: number
  readonly givesUp?: { readonly deaths: number; readonly what: string }
  marks(request: unknown, progress?: unknown): Marks
  details?(progress: unknown): string
  run(runtime: AnyRuntime, request: unknown): Promise<unknown>
}
export type AnyRuntime = {
  readonly activities: Readonly<Record<string, (request: never) => Promise<unknown>>>
  report(progress: unknown): void
  cleanUp(work: () => Promise<void>): Promise<void>
  wasCancelled(error: unknown): boolean
  wasGivenUp(error: unknown): boolean
}
export type Workflows = Readonly<Record<string, AnyWorkflow>>

/** The pauses between two attempts at an activity. */
export const pauses = { first_ms: 1_000, factor: 2, longest_ms: 30_000 } as const
