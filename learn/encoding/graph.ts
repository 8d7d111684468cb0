import { type GraphFeatures, plainFeatures } from '../onnx/features.ts'
import type { Graph, Value } from '../onnx/graph.ts'
import { apply } from '../onnx/nodes.ts'
import { type Encoding, isWide } from './encoding.ts'
import type { NumberEncoding } from './numbers.ts'
import type { Statistics } from './statistics.ts'
import { wideFeatures } from './wide-features.ts'
import { placesOf, type WordEncoding, widthOf } from './words.ts'

const int64 = 7
const double = 11

/**
 * Adds the inputs `numbers` (float64 `[N, numbers]`, NaN is missing) and `words` (string `[N, words]`, '' is missing),
 * each only where the encoding has such attributes, and gives the encoded features, float64 `[N, width]`.
 */
export function addEncoding(graph: Graph, encoding: Encoding): GraphFeatures {
  const { numbers, words } = encoding
  const encoded =
    numbers.length === 0
      ? undefined
      : addNumbers(graph, graph.input('numbers', 'double', ['N', numbers.length]), numbers)
  const places = addPlaces(graph, words)
  const all = (): Value => {
    const blocks = words.flatMap((word, i) => {
      const place = places[i]
      return place === undefined ? [] : [addBlock(graph, place, word)]
    })
    return apply(graph, 'Concat', encoded === undefined ? blocks : [encoded, ...blocks], { axis: { int: 1 } })
  }
  if (!isWide(encoding) || words.some(({ statistics }) => statistics !== undefined)) return plainFeatures(graph, all())
  let next = numbers.length
  const placed = words.flatMap((word, i) => {
    const place = places[i]
    const from = next
    next += widthOf(word)
    return place === undefined ? [] : [{ place, from, to: next }]
  })
  return wideFeatures(graph, {
    numbers: encoded && { value: encoded, count: numbers.length },
    words: placed,
    all,
  })
}

/** `[N]` each. */
function addPlaces(graph: Graph, words: readonly WordEncoding[]): readonly Value[] {
  if (words.length === 0) return []
  const input = graph.input('words', 'string', ['N', words.length])
  return words.map((word, i) => {
    const at = graph.constant(BigInt64Array.of(BigInt(i)), [])
    return addPlace(graph, apply(graph, 'Gather', [input, at], { axis: { int: 1 } }), word)
  })
}

function addNumbers(graph: Graph, input: Value, numbers: readonly NumberEncoding[]): Value {
  const row = (pick: (number: NumberEncoding) => number) =>
    graph.constant(Float64Array.from(numbers, pick), [numbers.length])
  const filled = apply(graph, 'Where', [apply(graph, 'IsNaN', [input]), row((n) => n.mean), input])
  if (numbers.every(({ shift, factor, offset }) => shift === 0 && factor === 1 && offset === 0)) return filled
  const shifted = apply(graph, 'Sub', [filled, row((n) => n.shift)])
  const scaled = apply(graph, 'Mul', [shifted, row((n) => n.factor)])
  return apply(graph, 'Add', [scaled, row((n) => n.offset)])
}

/** The number of places for a word that training did not see; where words are hashed it is hashed as any other. */
function addPlace(graph: Graph, word: Value, encoding: WordEncoding): Value {
  return 'categories' in encoding
    ? addCategory(graph, word, encoding.categories)
    : addBucket(graph, word, encoding.buckets)
}

/** The columns of an attribute: 1 at the place and 0 else, or the statistics of the place. */
function addBlock(graph: Graph, place: Value, encoding: WordEncoding): Value {
  if (encoding.statistics !== undefined) return addStatistics(graph, place, encoding.statistics, placesOf(encoding))
  const depth = graph.constant(BigInt64Array.of(BigInt(placesOf(encoding))), [1])
  const columns = apply(graph, 'OneHot', [place, depth, graph.constant(Float32Array.of(0, 1), [2])])
  return apply(graph, 'Cast', [columns], { to: { int: double } })
}

function addStatistics(graph: Graph, place: Value, { width, values, others }: Statistics, count: number): Value {
  const table = new Float64Array((count + 1) * width)
  table.set(values)
  table.set(others, count * width)
  return apply(graph, 'Gather', [graph.constant(table, [count + 1, width]), place])
}

function addCategory(graph: Graph, word: Value, categories: readonly string[]): Value {
  return addLookup(
    graph,
    word,
    categories,
    categories.map((_, place) => place),
    categories.length,
  )
}

/** ONNX Runtime's own MurmurHash3, which its default builds hold for all languages. */
function addBucket(graph: Graph, word: Value, buckets: number): Value {
  const hash = apply(graph, 'MurmurHash3', [word], { positive: { int: 1 } }, { domain: 'com.microsoft' })
  const wide = apply(graph, 'Cast', [hash], { to: { int: int64 } })
  const bucket = apply(graph, 'Mod', [wide, graph.constant(BigInt64Array.of(BigInt(buckets)), [])])
  const isMissing = apply(graph, 'Cast', [addLookup(graph, word, [''], [1], 0)], { to: { int: 9 } })
  return apply(graph, 'Where', [isMissing, graph.constant(BigInt64Array.of(BigInt(buckets)), [1]), bucket])
}

function addLookup(
  graph: Graph,
  word: Value,
  words: readonly string[],
  places: readonly number[],
  other: number,
): Value {
  const attributes = { keys_strings: { texts: words }, values_int64s: { ints: places }, default_int64: { int: other } }
  return apply(graph, 'LabelEncoder', [word], attributes, { domain: 'ai.onnx.ml' })
}
