import { type Features, isSparse } from '../dataset.ts'
import { type GraphFeatures, plainFeatures } from '../onnx/features.ts'
import type { Graph, Value } from '../onnx/graph.ts'
import { apply, integers, scalar } from '../onnx/nodes.ts'
import { denseColumns, filledFrom, placesOf, squaresOf, transposed } from '../onnx/vectors.ts'

/** An attribute's columns from..to, of which the one at `place`, `[N]`, is 1; none is where it is `to - from`. */
export type PlacedWord = { readonly place: Value; readonly from: number; readonly to: number }

export type WideColumns = {
  /** The first `count` columns, `[N, count]`. */
  readonly numbers: { readonly value: Value; readonly count: number } | undefined
  readonly words: readonly PlacedWord[]
  readonly all: () => Value
}

/** Features of which most columns are 0: a word's share of a sum is looked up by its place, and its columns are not there. */
export function wideFeatures(graph: Graph, { numbers, words, all }: WideColumns): GraphFeatures {
  const count = numbers?.count ?? 0
  const plain = numbers && plainFeatures(graph, numbers.value)
  const sum = (values: readonly (Value | undefined)[]): Value =>
    values.filter((value) => value !== undefined).reduce((total, value) => apply(graph, 'Add', [total, value]))
  const row = (values: Float64Array): Value => graph.constant(values, [1, values.length])
  const asDouble = (value: Value): Value => apply(graph, 'Cast', [value], { to: { int: double } })
  const upright = (place: Value): Value => apply(graph, 'Unsqueeze', [place, integers(graph, 1)])

  /** `[N, 1]`: 1 where training knew the word. */
  const isKnown = ({ place, from, to }: PlacedWord): Value =>
    asDouble(apply(graph, 'Less', [upright(place), integers(graph, to - from)]))

  /** Rows of a table `[places, outputs]`, 0 where there is no place. */
  const lookUp = (
    { place, from, to }: PlacedWord,
    outputs: number,
    cell: (place: number, output: number) => number,
  ) => {
    const table = new Float64Array((to - from + 1) * outputs)
    for (let at = 0; at < table.length; at += 1) table[at] = cell(Math.floor(at / outputs), at % outputs)
    return apply(graph, 'Gather', [graph.constant(table, [to - from + 1, outputs]), place])
  }

  const affine = (matrix: Float64Array, offsets: Float64Array): Value => {
    const outputs = offsets.length
    return sum([
      plain?.affine(matrix.slice(0, count * outputs), offsets) ?? row(offsets),
      ...words.map((word) =>
        lookUp(word, outputs, (place, output) =>
          word.from + place < word.to ? (matrix[(word.from + place) * outputs + output] ?? 0) : 0,
        ),
      ),
    ])
  }

  /** `[N, vectors]`: how many words of a row are a vector's. */
  const matches = (vectors: Extract<Features, { offsets: Int32Array }>): Value =>
    sum(
      words.map(({ place, from, to }) => {
        const own = graph.constant(BigInt64Array.from(placesOf(vectors, from, to), BigInt), [1, vectors.rows])
        return asDouble(apply(graph, 'Equal', [upright(place), own]))
      }),
    )

  return {
    all,
    affine,
    products: (vectors, factor, offsets) => {
      if (!isSparse(vectors)) return affine(scaled(transposed(vectors), factor), offsets)
      const ofNumbers = plain?.products(denseColumns(vectors, 0, count), factor, offsets) ?? row(offsets)
      return sum([ofNumbers, apply(graph, 'Mul', [matches(vectors), scalar(graph, factor)])])
    },
    squaredDistances: (vectors) => {
      const ofNumbers = plain?.squaredDistances(denseColumns(vectors, 0, count))
      if (isSparse(vectors)) {
        const twice = apply(graph, 'Mul', [matches(vectors), scalar(graph, -2)])
        return sum([ofNumbers, row(filledFrom(vectors, count)), ...words.map(isKnown), twice])
      }
      const ofWords = words.map((word) => {
        const part = denseColumns(vectors, word.from, word.to)
        const squares = squaresOf(part)
        return lookUp(word, vectors.rows, (place, vector) => {
          const own = part.values[vector * part.columns + place] ?? 0
          return (squares[vector] ?? 0) + (place < part.columns ? 1 - 2 * own : 0)
        })
      })
      return sum([ofNumbers, ...ofWords])
    },
    squares: () => sum([plain?.squares(), ...words.map(isKnown)]),
  }
}

const scaled = (values: Float64Array, factor: number): Float64Array => values.map((value) => factor * value)

/** TensorProto's code of double. */
const double = 11
