import type { FormatName } from '../../../../learn/formats/index.ts'
import type { AttributeEntry, Layout } from '../../../../learn/layout.ts'
import type { Parameters } from '../../../../learn/parameters.ts'
import type { ModelKey } from '../../stores/training-record.ts'

/** Where the training data are. Keys of objects are as they lie in their bucket. */
export type TrainingSource =
  | { readonly type: 'FILE'; readonly bucket: string; readonly key: string }
  /** Every object whose key begins so. */
  | { readonly type: 'DIR'; readonly bucket: string; readonly prefix: string }
  | { readonly type: 'BUCKET'; readonly bucket: string }
  | { readonly type: 'STREAM'; readonly stream: string }

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
  readonly scale: boolean
  readonly tune: boolean
  /** 1 very fast to 5 very slow. */
  readonly speed: number
  readonly source: TrainingSource
  readonly input: FormatName
  readonly expected: FormatName
}
