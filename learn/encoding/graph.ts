import { type Graph, single, type Value } from '../onnx/graph.ts'
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
      blocks.push(addWord(graph, single(graph.node('Gather', [input, at], { axis: { int: 1 } })), word))
    }
  }
  return single(graph.node('Concat', blocks, { axis: { int: 1 } }))
}

function addNumbers(graph: Graph, input: Value, numbers: readonly NumberEncoding[]): Value {
  const row = (pick: (number: NumberEncoding) => number) =>
    graph.constant(Float64Array.from(numbers, pick), [numbers.length])
  const filled = single(graph.node('Where', [single(graph.node('IsNaN', [input])), row((n) => n.mean), input]))
  if (numbers.every(({ shift, factor, offset }) => shift === 0 && factor === 1 && offset === 0)) return filled
  const shifted = single(graph.node('Sub', [filled, row((n) => n.shift)]))
  const scaled = single(graph.node('Mul', [shifted, row((n) => n.factor)]))
  return single(graph.node('Add', [scaled, row((n) => n.offset)]))
}

/** A word that training did not see has 0 in all columns, or is hashed as any other. */
function addWord(graph: Graph, word: Value, encoding: WordEncoding): Value {
  const width = widthOf(encoding)
  const place =
    'categories' in encoding ? addCategory(graph, word, encoding.categories) : addBucket(graph, word, encoding.buckets)
  const depth = graph.constant(BigInt64Array.of(BigInt(width)), [1])
  const columns = single(graph.node('OneHot', [place, depth, graph.constant(Float32Array.of(0, 1), [2])]))
  return single(graph.node('Cast', [columns], { to: { int: double } }))
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
  const hash = single(graph.node('MurmurHash3', [word], { positive: { int: 1 } }, { domain: 'com.microsoft' }))
  const wide = single(graph.node('Cast', [hash], { to: { int: int64 } }))
  const bucket = single(graph.node('Mod', [wide, graph.constant(BigInt64Array.of(BigInt(buckets)), [])]))
  const isMissing = single(graph.node('Cast', [addLookup(graph, word, [''], [1], 0)], { to: { int: 9 } }))
  return single(graph.node('Where', [isMissing, graph.constant(BigInt64Array.of(BigInt(buckets)), [1]), bucket]))
}

function addLookup(
  graph: Graph,
  word: Value,
  words: readonly string[],
  places: readonly number[],
  other: number,
): Value {
  const attributes = { keys_strings: { texts: words }, values_int64s: { ints: places }, default_int64: { int: other } }
  return single(graph.node('LabelEncoder', [word], attributes, { domain: 'ai.onnx.ml' }))
}
