export type QueryLimits = {
  /** Queries at a time. */
  readonly most: number
  /** How long a query may wait for its place, and how long it may run from then on. */
  readonly time_s: number
  /** That a statement may read; 0 for any number. */
  readonly rows: number
  /** Of memory that a statement may take; undefined leaves it to the server. */
  readonly bytes?: number | undefined
}
