export type QueryLimits = {
  /** Queries at a time. */
  readonly max: number
  /** How long a query may wait for its place, and how long it may run from then on. */
  readonly time_s: number
  /** Max rows that a statement may read; 0 for no limit. */
  readonly rows: number
  /** Max bytes of memory that a statement may take; undefined leaves it to the server. */
  readonly bytes?: number | undefined
}
