import { assembleModel } from '../../../learn/assemble.ts'
import type { ModelDescription } from '../../../learn/description.ts'
import { type Encoding, encodedWidth } from '../../../learn/encoding/encoding.ts'
import { encodeRange } from '../../../learn/encoding/numbers.ts'
import type { GraphFeatures } from '../../../learn/onnx/features.ts'
import { type Graph, single, type Value } from '../../../learn/onnx/graph.ts'

const attributes = [
  { name: 'age', position: 0, kind: 'number' },
  { name: 'city', position: 1, kind: 'word' },
  { name: 'height', position: 3, kind: 'number' },
] as const

const encoding: Encoding = {
  numbers: [
    encodeRange({ name: 'age', mean: 40, min: 0, max: 100, deviation: 30 }, true),
    encodeRange({ name: 'height', mean: 1.5, min: 1, max: 2, deviation: 0.3 }, true),
  ],
  words: [{ name: 'city', categories: ['Rome', 'Oslo'] }],
}

export const described: ModelDescription = {
  weir: 1,
  algorithm: 'TEST',
  task: 'numbers',
  attributes: [...attributes],
  target: { name: 'income', position: 2, kind: 'number' },
  separator: ',',
  outside: [],
  batch: 4,
}

/** Adds up what the encoding gives: age / 50 - 1, height * 2 - 3, and 1 for Rome or Oslo. */
const addSum = (graph: Graph, input: GraphFeatures): Value =>
  single(graph.node('ReduceSum', [input.all(), graph.constant(BigInt64Array.of(1n), [1])], { keepdims: { int: 0 } }))

export const sumModel = (batch = described.batch): Uint8Array =>
  assembleModel({
    encoding,
    description: { ...described, batch },
    addAlgorithm: (graph, input) => ({ label: addSum(graph, input) }),
  })

/** The label is the first column's sign; the share of `old` is 0.75 where it is above 0. */
export const signModel = (labels: readonly (number | string)[] = ['young', 'old']): Uint8Array =>
  assembleModel({
    encoding,
    description: { ...described, task: 'classes', labels: [...labels] },
    addAlgorithm: (graph, input) => {
      const width = encodedWidth(encoding)
      const first = graph.constant(
        Float64Array.from({ length: width }, (_, i) => (i === 0 ? 1 : 0)),
        [width, 1],
      )
      const value = single(graph.node('MatMul', [input.all(), first]))
      const above = single(graph.node('Greater', [value, graph.constant(Float64Array.of(0), [])]))
      const flat = single(graph.node('Reshape', [above, graph.constant(BigInt64Array.of(-1n), [1])]))
      const index = single(graph.node('Cast', [flat], { to: { int: 7 } }))
      const table = labels.every((label) => typeof label === 'number')
        ? graph.constant(BigInt64Array.from(labels, BigInt), [labels.length])
        : graph.constant(labels.map(String), [labels.length])
      const rows = graph.constant(Float64Array.of(0.75, 0.25, 0.25, 0.75), [2, 2])
      return {
        label: single(graph.node('Gather', [table, index])),
        score: value,
        probabilities: single(graph.node('Gather', [rows, index])),
      }
    },
  })

/** Of two attributes that are words alone: the number of them that training saw. */
export const wordsModel = (): Uint8Array =>
  assembleModel({
    encoding: {
      numbers: [],
      words: [
        { name: 'city', categories: ['Rome', 'Oslo', ''] },
        { name: 'sex', categories: ['f', 'm'] },
      ],
    },
    description: {
      ...described,
      attributes: ['city', 'sex'].map((name, position) => ({ name, position, kind: 'word' as const })),
    },
    addAlgorithm: (graph, input) => ({ label: addSum(graph, input) }),
  })

/** Of one attribute whose words are hashed, as a text is that no training knows; each is predicted as 1. */
export const textModel = (): Uint8Array =>
  assembleModel({
    encoding: { numbers: [], words: [{ name: 'the_review', buckets: 64 }] },
    description: {
      ...described,
      attributes: [{ name: 'the_review', position: 1, kind: 'word' }],
      target: { name: 'kind', position: 0, kind: 'word' },
    },
    addAlgorithm: (graph, input) => ({ label: addSum(graph, input) }),
  })
