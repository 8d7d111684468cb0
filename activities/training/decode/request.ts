import type { Scale } from '../../../learn/encoding/numbers.ts'
import type { FormatName } from '../../../learn/formats/index.ts'
import type { HoldoutRule } from '../../../learn/holdout/rule.ts'
import type { AttributeEntry, Kind, Layout } from '../../../learn/layout.ts'
import type { Parameters } from '../../../learn/parameters.ts'
import type { SeriesRule } from '../../../learn/series/rule.ts'
import type { Condition as RowCondition } from '../../../sql/query/index.ts'
import type { Condition } from '../../models/comparison.ts'
import type { ModelKey } from '../../models/stores/training-record.ts'

/** The rows that a training takes of a stream, or of a table; an absent member leaves none out. */
export type Taking = {
  readonly where?: { readonly text: string; readonly condition: RowCondition }
  /** Microseconds since 1970: the first time that is taken, and the first one behind. */
  readonly from_us?: number
  readonly to_us?: number
  /** The latest of the rows. */
  readonly limit?: number
  /** A share of the rows, or so many, chosen by hash. */
  readonly sample?: { readonly share: number } | { readonly rows: number }
}

/** The place of the training data. Keys of objects are as they lie in their bucket. */
export type TrainingSource =
  | { readonly type: 'FILE'; readonly bucket: string; readonly key: string }
  /** Every object whose key begins so. */
  | { readonly type: 'DIR'; readonly bucket: string; readonly prefix: string }
  | { readonly type: 'BUCKET'; readonly bucket: string }
  | StreamOfTraining
  | TableOfTraining

export type StreamOfTraining = { readonly type: 'STREAM'; readonly stream: string; readonly taking: Taking }
export type TableOfTraining = {
  readonly type: 'TABLE'
  readonly database: string
  readonly table: string
  readonly taking: Taking
}

/** A source in ClickHouse, and in no bucket: its rows are lines of JSON, which the training gathers first. */
export const isGathered = (source: TrainingSource): source is StreamOfTraining | TableOfTraining =>
  source.type === 'STREAM' || source.type === 'TABLE'

/** How the cells of the data are read. */
export type ReadingRules = {
  /** Whether the first row of a CSV is a header; absent: the data show it. */
  readonly header?: 'present' | 'absent'
  /** Whether a row that cannot be taken fails the training or is left out. */
  readonly badRows: 'fail' | 'skip'
  readonly maxBadShare: number
  /** The task that the request asks for; absent: the type and the values of the target decide. */
  readonly task?: 'classes' | 'numbers'
  /** Words are hashed into so many places. */
  readonly buckets?: number
}

/** The attributes are named by the data, the header of a CSV, the members of JSON and KV: all but those `without`. */
export type NamedByData = {
  readonly kind: Kind | 'hybrid'
  readonly target?: string
  /** A key, which is none to learn from. */
  readonly without?: readonly string[]
  /** Answers of models, which are none to learn from. */
  readonly predicted?: readonly string[]
}

/** The rows that a model is measured on. `file` is where the rows lie that a rule by file holds out. */
export type Holdout = {
  readonly rule: HoldoutRule
  readonly file?: { readonly bucket: string; readonly key: string }
}

/** Whether the version that a training makes becomes current: on no condition, never, or where it is better. */
export type Activation = 'always' | 'never' | Condition

/** The decoded body of `POST /ml/train`. */
export type TrainingRequest = ModelKey & {
  readonly algorithm: string
  /** Decoded by the algorithm's table; a script's own members are as they came. */
  readonly parameters: Parameters
  readonly raw: Readonly<Record<string, unknown>>
  readonly layout: Layout
  /** `attr_list` in its order, with the types that it leaves to `attr_type`. */
  readonly attributes: readonly AttributeEntry[]
  /** LIBSVM data without an `attr_list`: whatever features come. */
  readonly isSparse: boolean
  /** Absent where `attr_list` names the attributes. */
  readonly namedByData?: NamedByData
  /** Rows are windows of series, of which the layout has the time, the uid and the quantity. */
  readonly series?: SeriesRule
  readonly reading: ReadingRules
  /** Absent: a fifth of the rows, by chance. */
  readonly holdout?: Holdout
  readonly scale: Scale
  /** The request does not say how numbers are scaled: its algorithm needs it. */
  readonly scaledByDefault?: true
  readonly tune: boolean
  /** The most seconds that tuning takes. */
  readonly tuneBudget_s: number
  /** 1 very fast to 5 very slow. */
  readonly speed: number
  readonly source: TrainingSource
  readonly activation: Activation
  readonly input: FormatName
  readonly expected: FormatName
}
