import type { Json } from '../base/json.ts'

/**
 * A question that something answers, with the statements that ask it. A client copies a statement and changes it, so each runs as
 * it is.
 */
export type Question = {
  readonly asks: string
  /** Analysts' SQL. */
  readonly sql?: string
  /** Weir's language. */
  readonly query?: string
  /** A pattern of the graph language. */
  readonly graph_query?: string
  /** The graph that the pattern asks. */
  readonly graph?: string
}

/** A value that an event of the stream has, by name. */
export type Sample = { readonly [name: string]: Json }
