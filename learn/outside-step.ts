import type { Tensor } from 'onnxruntime-node'
import type { ModelDescription } from './description.ts'
import type { BrokenRow, Row } from './formats/row.ts'

/** A label or a number; for entities the result of their step. */
export type Prediction = {
  readonly label: number | string | readonly unknown[]
  /** In the order of the model's labels. */
  readonly probabilities?: readonly number[]
}

export type Outputs = Readonly<Record<string, Tensor>>

export type Graph = {
  readonly run: (feeds: Record<string, Tensor>) => Promise<Outputs>
  /** The predictions that the usual outputs hold for `rows` rows. */
  readonly predictionsOf: (outputs: Outputs, rows: number) => readonly Prediction[]
}

/** A step outside of the graph: makes its feeds, in as many runs as it likes, and reads its outputs. */
export type OutsideStep = (
  graph: Graph,
  rows: readonly Row[],
  description: ModelDescription,
) => Promise<readonly (Prediction | BrokenRow)[]>

/** By the name that a model's `outside` gives. */
export type OutsideSteps = Readonly<Record<string, OutsideStep>>
