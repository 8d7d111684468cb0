import { identifier } from '../../identifier.ts'
import { stateColumn } from '../names.ts'
import type { Attribute, AttributeType, Statistics } from '../schema.ts'

/** Statistics over `input`, kept under the name `result`. Of an attribute's own statistics both are the attribute. */
export type Measure = {
  readonly result: string
  /** How the columns that analysts see begin, where they do not begin with `result`. */
  readonly shown?: string
  readonly input: Pick<Attribute, 'name' | 'type'>
  readonly statistics: Statistics
  /** A part of a measure whose number of values stands in the table already, or comes by another part. */
  readonly isUncounted?: true
}

/** A column that analysts see. `about` says what it holds of the statistic's input, and when it is NULL. */
export type ReadableColumn = {
  readonly value: string
  readonly type: string
  readonly about: string
  /** The statistic has a table of its own, which the query joins. */
  readonly isJoined?: true
}

/** One statistic beside the number of values, which each measure keeps. */
export type StatisticSql = {
  /** Columns of the aggregate table, as `name type`. */
  columns(measure: Measure): string[]
  /** The expressions that a view selects from the Null table for those columns. */
  feed(measure: Measure): string[]
  /** Merged states under any GROUP BY, as one value that `statistic-values.ts` finishes. */
  states(measure: Measure): string
  /** Merges states under any GROUP BY; the members refer to these by alias. */
  merge(measure: Measure): string[]
  /** Members of an answer's value object that conditions compare, over the aliases of `merge`. */
  members(measure: Measure): Readonly<Record<string, string>>
  /** Columns that analysts see, by suffix. */
  readable(measure: Measure): Readonly<Record<string, ReadableColumn>>
  /** The part of a state that `states` leaves out and a reference needs to go on with it, as text. */
  sketch?(measure: Measure): string
  /**
   * The states that analysts merge over rows, under any GROUP BY, where the readable columns cannot be; by suffix. Over the
   * aliases of `merge`.
   */
  shownStates?(measure: Measure): Readonly<Record<string, ReadableColumn>>
  /** How analysts merge what they see, by the names of the results: `of` gives the column of a suffix. */
  asked(of: (suffix: string) => string, measure: Measure): Readonly<Record<string, string>>
  /**
   * The same, of what takes a longer statement: the `WITH` of it, and the results. Names there begin with an underscore, as no
   * attribute's does.
   */
  askedAtLength?(of: (suffix: string) => string): {
    readonly withs: readonly string[]
    readonly results: Readonly<Record<string, string>>
  }
  /** Merging the states of all groups would take much more memory than those of a page. */
  hasLargeStates: boolean
}

export const column = (result: string, part: string): string => identifier(stateColumn(result, part))

/** How many values an aggregate has seen. */
export const mergedTotal = (result: string): string => `sum(${column(result, 'cnt')})`

export const numericType: Readonly<Record<AttributeType, string>> = {
  LONG: 'Nullable(Int64)',
  DOUBLE: 'Nullable(Float64)',
  STRING: 'Nullable(Float64)',
  BOOL: 'Nullable(Float64)',
  OBJECT: 'Nullable(Float64)',
}
