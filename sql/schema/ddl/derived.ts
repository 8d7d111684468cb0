import type { Aggregate, AggregateSource, View } from './aggregate.ts'

/** An aggregate table with all that hangs on it: the feeds that fill it, and the views by which analysts read it. */
export type DerivedTable = {
  readonly aggregate: Aggregate
  readonly sources: readonly AggregateSource[]
  readonly views: readonly View[]
}
