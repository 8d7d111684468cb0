import type { Features, FitWatch, Target } from '../dataset.ts'
import type { WordColumns } from '../encoding/encoding.ts'
import type { Task } from '../encoding/target.ts'
import type { GraphFeatures } from '../onnx/features.ts'
import type { Graph, Outputs } from '../onnx/graph.ts'
import type { Parameter, Parameters } from '../parameters.ts'
import type { Tuning } from '../tuning/tuning.ts'

/** The result of a fit; it stays in the thread that fitted it. */
export type Learned = {
  readonly addGraph: (graph: Graph, input: GraphFeatures) => Outputs
  /** One label or number a row. */
  readonly predict: (features: Features) => ArrayLike<number | string>
  /** The labels of a classifier, in the order of its probabilities. */
  readonly labels?: readonly (number | string)[]
  /** `[rows, labels]` row-major; absent where the model has labels alone. */
  readonly probabilities?: (features: Features) => ArrayLike<number>
  /** How much each column counts, where the model itself tells. */
  readonly columnImportance?: { readonly by: 'gain' | 'weights'; readonly columns: Float64Array }
  /** `[clusters, columns]` row-major. */
  readonly centres?: Float64Array
  /** Support vectors or the like, that each row to predict is compared with; 1 where there are none. */
  readonly vectors: number
  /** How rows lie in clusters. */
  readonly cluster?: (features: Features) => Clusters
  /** A sentence about the model for the log. */
  readonly summary: string
}

/** The size of the features that are learnt from. */
export type Shape = {
  readonly rows: number
  readonly columns: number
  /** The stored cells: of a dense matrix all. */
  readonly cells: number
  readonly isSparse: boolean
  /** Classes, or 1. */
  readonly outputs: number
}

export type Clusters = { readonly inertia: number; readonly sizes: Int32Array }

type Common = {
  /** The algorithm's name in a request's `algo_type`. */
  readonly name: string
  readonly description: string
  readonly parameters: readonly Parameter[]
}

/** Learns from rows of cells, which are encoded as numbers. */
export type TableAlgorithm = Common & {
  readonly learnsFrom: 'rows'
  /** The task that the parameters ask for; undefined: its type and values decide. */
  readonly task: (parameters: Parameters) => Task | undefined
  /** Throws a `Refusal` where parameters, each of them right, do not go together. */
  readonly check?: (parameters: Parameters) => void
  /** Defaults that the number of attributes decides where words make more columns of them. */
  readonly defaultsOf?: (parameters: Parameters, attributes: number) => Parameters
  readonly answers: (task: Task) => 'classes' | 'numbers' | 'clusters'
  /** Missing numbers reach it as NaN; for the others the training mean stands for them. */
  readonly takesMissing: boolean
  /** The columns of an attribute of many words. */
  readonly manyWords: WordColumns
  /** It compares attributes with each other, and so learns little from numbers of different sizes. */
  readonly needsScale: boolean
  /** It learns numbers from windows of series where a request has `lag`. */
  readonly series?: {
    /** It learns from nothing else. */
    readonly always: boolean
    /** Defaults of parameters in place of those of the table. */
    readonly defaults?: Readonly<Record<string, number>>
  }
  /** @param groups by row its group: a fit that holds rows out of itself holds out whole groups */
  readonly fit: (
    features: Features,
    target: Target,
    parameters: Parameters,
    watch: FitWatch,
    groups?: Int32Array,
  ) => Learned
  /** Bytes that a fit takes beside its features, at most: its working memory, and the model with its file. */
  readonly memory: (shape: Shape, parameters: Parameters) => number
  readonly tuning?: Tuning<Features> & {
    /** Bytes that trying takes beside its rows, at most; absent: those of a fit. */
    readonly memory?: (shape: Shape, parameters: Parameters) => number
  }
  /** `tuned_algo_params`. */
  readonly show: (parameters: Parameters, target: Target, columns: number, performance: number) => Shown
}

export type Shown = Readonly<Record<string, unknown>>

/** Learns from texts; `kind` is absent where the data decide it. */
export type TextAlgorithm = Common & { readonly learnsFrom: 'texts'; readonly kind?: 'classes' | 'entities' }

/** A script of the user's learns. */
export type ScriptAlgorithm = Common & { readonly learnsFrom: 'script' }

export type Algorithm = TableAlgorithm | TextAlgorithm | ScriptAlgorithm
