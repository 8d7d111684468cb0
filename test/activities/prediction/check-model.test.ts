import test from 'ava'
import { checkModel } from '../../../activities/prediction/check-model.ts'
import { metadataOf } from '../../../learn/description.ts'
import { createGraph, single } from '../../../learn/onnx/graph.ts'
import { withMetadata } from '../../../learn/onnx/metadata.ts'
import { described, signModel, sumModel } from './models.ts'

const rows = [
  { line: 1, cells: [75, 'Rome', 1.5], target: undefined },
  { line: 2, cells: [25, 'Rome', 1.5], target: undefined },
]

test('a model that predicts what training found passes', async (t) => {
  await t.notThrowsAsync(checkModel(sumModel(), rows, { labels: [1.5, 0.5 + 1e-12], tolerance: 1e-9 }))
  await t.notThrowsAsync(checkModel(signModel(), rows, { labels: ['old', 'young'], tolerance: 0 }))
})

test('a model that predicts something else is refused', async (t) => {
  await t.throwsAsync(checkModel(sumModel(), rows, { labels: [1.5, 0.6], tolerance: 1e-3 }), {
    message: "the model predicts '0.5' in place of '0.6' for row 2 of its training data",
  })
  await t.throwsAsync(checkModel(signModel(), rows, { labels: ['old', 'old'], tolerance: 0 }), {
    message: /'young' in place of 'old'/,
  })
  const relabelled = withMetadata(signModel(), [['labels', '["a","b"]']])
  await t.throwsAsync(checkModel(relabelled, rows), { message: /'old', which is none of its labels/ })
})

test('a model that loads not, runs not, or gives no finite numbers is refused in words', async (t) => {
  await t.throwsAsync(checkModel(new Uint8Array(8), rows), { message: /no ONNX model|metadata/ })
  const metadata = metadataOf({ ...described, attributes: [{ name: 'age', position: 0, kind: 'number' }] })
  const made = (make: (graph: ReturnType<typeof createGraph>) => void) => {
    const graph = createGraph()
    make(graph)
    return withMetadata(graph.bytes(), metadata)
  }
  const numbers = [{ line: 1, cells: [0], target: undefined }]
  const unknownOperator = made((graph) =>
    graph.output('y', single(graph.node('Nonsense', [graph.input('x', 'double', ['N', 1])])), 'double', ['N']),
  )
  await t.throwsAsync(checkModel(unknownOperator, numbers), {
    message: /the model's file cannot be loaded: .*Nonsense/,
  })
  const tooWide = made((graph) => graph.output('y', graph.input('x', 'double', ['N', 7]), 'double', ['N', 7]))
  await t.throwsAsync(checkModel(tooWide, numbers), { message: /the model cannot be run: .*Expected: 7/s })
  const logarithm = made((graph) =>
    graph.output('y', single(graph.node('Log', [graph.input('x', 'double', ['N', 1])])), 'double', ['N', 1]),
  )
  await t.throwsAsync(checkModel(logarithm, numbers), {
    message: 'the model cannot predict a row of its training data: line 1: the prediction goes beyond all numbers',
  })
  const constant = made((graph) => {
    graph.input('x', 'double', ['N', 1])
    graph.output('y', graph.constant(Float64Array.of(1, 2, 3), [3]), 'double', [3])
  })
  await t.throwsAsync(checkModel(constant, numbers), {
    message: /first output must hold one label or number for each of 1 rows/,
  })
})

test('a classifier whose probabilities are no numbers is refused, however right its labels are', async (t) => {
  const graph = createGraph()
  const x = graph.input('x', 'double', ['N', 1])
  const shares = single(
    graph.node('Log', [single(graph.node('MatMul', [x, graph.constant(Float64Array.of(1, 2), [1, 2])]))]),
  )
  const last = single(graph.node('ArgMax', [shares], { axis: { int: 1 }, keepdims: { int: 0 } }))
  graph.output('label', single(graph.node('Mul', [last, graph.constant(BigInt64Array.of(0n), [])])), 'int64', ['N'])
  graph.output('probabilities', shares, 'double', ['N', 2])
  const attributes = [{ name: 'x', position: 0, kind: 'number' }] as const
  const model = withMetadata(
    graph.bytes(),
    metadataOf({ ...described, task: 'classes', labels: [0, 1], attributes: [...attributes] }),
  )
  const row = (cell: number) => [{ line: 1, cells: [cell], target: undefined }]
  await t.notThrowsAsync(checkModel(model, row(1), { labels: [0], tolerance: 0 }))
  await t.throwsAsync(checkModel(model, row(-1), { labels: [0], tolerance: 0 }), {
    message: 'the model cannot predict a row of its training data: line 1: the prediction goes beyond all numbers',
  })
})

test('a row that lies between two labels may have either, one that does not may not', async (t) => {
  const graph = createGraph()
  const x = graph.input('x', 'double', ['N', 1])
  const score = single(graph.node('MatMul', [x, graph.constant(Float64Array.of(1, 2), [1, 2])]))
  graph.output('label', single(graph.node('ArgMax', [score], { axis: { int: 1 }, keepdims: { int: 0 } })), 'int64', [
    'N',
  ])
  graph.output('score', score, 'double', ['N', 2])
  const attributes = [{ name: 'x', position: 0, kind: 'number' }] as const
  const model = withMetadata(
    graph.bytes(),
    metadataOf({ ...described, task: 'classes', labels: [0, 1], attributes: [...attributes] }),
  )
  const row = (cell: number) => [{ line: 1, cells: [cell], target: undefined }]
  const tolerance = 1e-6
  await t.notThrowsAsync(checkModel(model, row(1e-9), { labels: [0], tolerance }))
  await t.throwsAsync(checkModel(model, row(1), { labels: [0], tolerance }), { message: /'1' in place of '0'/ })
})
