import type { Stream } from '../../../sql/schema/schema.ts'
import type { SplitCondition } from './pair.ts'

/** Rows of a stream that are remembered. References that agree in it share them. */
export type IndexDefinition = {
  readonly stream: Stream
  readonly keys: readonly string[]
  readonly fixed: SplitCondition['fixed']
  /** Whether rows are searched for more than their key. */
  readonly isSearched: boolean
  /** Rows are found by their times. */
  readonly isByTime: boolean
  /** The attributes with which they are compared then. */
  readonly searchedBy: readonly string[]
  /** The attributes that are remembered. */
  readonly attributes: readonly string[]
}
