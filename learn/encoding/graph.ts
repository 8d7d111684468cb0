import type { Graph, Value } from '../onnx/graph.ts'
import { apply } from '../onnx/nodes.ts'
import type { Encoding } from './encoding.ts'
import type { NumberEncoding } from './numbers.ts'
import { type WordEncoding, widthOf } from './words.ts'

const int64 = 7
const double = 11

/**
 * Adds the inputs `numbers` (float64 `[N, numbers]`, NaN is missing) and `words` (string `[N, words]`, '' is missing),
 * each only where the encoding has such attributes, and gives the encoded features, float64 `[N, width]`.
 */
export function addEncoding(graph: Graph, { numbers, words }: Encoding): Value {
  const blocks: Value[] = []
  if (numbers.length > 0)
    blocks.push(addNumbers(graph, graph.input('numbers', 'double', ['N', numbers.length]), numbers))
  if (words.length > 0) {
    const input = graph.input('words', 'string', ['N', words.length])
    for (const [place, word] of words.entries()) {
      const at = graph.constant(BigInt64Array.of(BigInt(place)), [])
      blocks.push(addWord(graph, apply(graph, 'Gather', [input, at], { axis: { int: 1 } }), word))
    }
  }
  return apply(graph, 'Concat', blocks, { axis: { int: 1 } })
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

/** A word that training did not see has 0 in all columns, or is hashed as any other. */
function addWord(graph: Graph, word: Value, encoding: WordEncoding): Value {
  const width = widthOf(encoding)
  const place =
    'categories' in encoding ? addCategory(graph, word, encoding.categories) : addBucket(graph, word, encoding.buckets)
  const depth = graph.constant(BigInt64Array.of(BigInt(width)), [1])
  const columns = apply(graph, 'OneHot', [place, depth, graph.constant(Float32Array.of(0, 1), [2])])
  return apply(graph, 'Cast', [columns], { to: { int: double } })
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
