import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { InferenceSession } from 'onnxruntime-node'
import { readDescription } from '../../../learn/description.ts'
import { createGraph, single } from '../../../learn/onnx/graph.ts'
import { readMetadata, withMetadata } from '../../../learn/onnx/metadata.ts'
import { ensurePythonOnnx } from '../../../scripts/parts/python-onnx.js'
import { described, signModel, sumModel } from '../../activities/prediction/models.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const packages = await ensurePythonOnnx()
/** The packages cannot be had everywhere: why is said by `ensurePythonOnnx`, and CI does not go without. */
const inPython = packages === undefined ? test.skip : test

const program = `
import sys, json, numpy, onnxruntime
try:
    import onnx
    onnx.checker.check_model(onnx.load(sys.argv[2])) 
except ImportError:
    pass
session = onnxruntime.InferenceSession(sys.argv[1])
numbers = numpy.array([[75, 1.5], [float('nan'), float('nan')], [25, 2]], dtype=numpy.float64)
words = numpy.array([['Rome'], [''], ['Paris']], dtype=object)
label, score, probabilities = session.run(['label', 'score', 'probabilities'], {'numbers': numbers, 'words': words})
print(json.dumps([list(label), [row[0] for row in score.tolist()], probabilities.tolist(), session.get_modelmeta().custom_metadata_map]))
`

inPython('a model runs in Python as it does here, and says there what it is', (t) => {
  const folder = temporaryFolder()
  const files = [join(folder, 'sign.onnx'), join(folder, 'sum.onnx')] as const
  writeFileSync(files[0], signModel())
  writeFileSync(files[1], sumModel())
  const { stdout, stderr, status } = spawnSync('python3', ['-c', program, ...files], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: packages },
  })
  t.is(status, 0, stderr)
  const [labels, scores, probabilities, metadata] = JSON.parse(stdout)
  t.deepEqual(labels, ['old', 'young', 'young'])
  t.deepEqual(scores, [0.5, 40 / 50 - 1, -0.5])
  t.deepEqual(probabilities, [
    [0.25, 0.75],
    [0.75, 0.25],
    [0.75, 0.25],
  ])
  t.is(metadata.labels, '["young","old"]')
  t.is(metadata.algorithm, '"TEST"')
})

test('metadata of a model are read from its file, added ones win, and the model still runs', async (t) => {
  const graph = createGraph()
  const input = graph.input('x', 'double', ['N'])
  graph.output('y', input, 'double', ['N'])
  graph.metadata('weir', 'ü')
  graph.metadata('empty', '')
  const added = withMetadata(graph.bytes(), [
    ['weir', '2'],
    ['new', 'x'.repeat(1000)],
  ])
  t.deepEqual(
    [...readMetadata(graph.bytes())],
    [
      ['weir', 'ü'],
      ['empty', ''],
    ],
  )
  t.deepEqual(
    [...readMetadata(added)],
    [
      ['weir', '2'],
      ['empty', ''],
      ['new', 'x'.repeat(1000)],
    ],
  )
  t.deepEqual((await InferenceSession.create(added)).inputNames, ['x'])
})

test('a model describes itself', (t) => {
  t.deepEqual(readDescription(sumModel()), described)
})

test('bytes that are no model, or a stranger’s, are refused', (t) => {
  const graph = createGraph()
  graph.output('y', graph.input('x', 'double', ['N']), 'double', ['N'])
  t.throws(() => readDescription(graph.bytes()), { message: /the model's metadata: weir: / })
  t.throws(() => readDescription(withMetadata(sumModel(), [['labels', '[1']])), {
    message: /the model's metadata: labels: /,
  })
  for (const text of ['', 'PK\u0003\u0004', '<html>', '\u00ff'.repeat(40)])
    t.throws(() => readDescription(new TextEncoder().encode(text)))
  for (let length = 0; length < 300; length += 7) t.throws(() => readDescription(sumModel().subarray(0, length)))
})

test('a constant whose size is not that of its dimensions is refused before it becomes a file', (t) => {
  t.throws(() => createGraph().constant(Float64Array.of(1, 2, 3), [2, 2]), {
    message: 'a constant of [2,2] has 3 entries',
  })
})

test('every kind of attribute and constant reaches ONNX Runtime', async (t) => {
  const graph = createGraph()
  const x = graph.input('x', 'float', [1, 3])
  const relu = single(graph.node('LeakyRelu', [x], { alpha: { float: 0.5 } }))
  const turned = single(graph.node('Transpose', [relu], { perm: { ints: [1, 0] } }))
  const filled = single(
    graph.node('ConstantOfShape', [graph.constant(BigInt64Array.of(3n, 1n), [2])], {
      value: { tensor: { data: Float32Array.of(-2), dims: [1] } },
    }),
  )
  const scaled = single(
    graph.node('Scaler', [turned], { offset: { floats: [1] }, scale: { floats: [3] } }, { domain: 'ai.onnx.ml' }),
  )
  graph.output('y', single(graph.node('Add', [scaled, filled])), 'float', [3, 1])
  const parts = graph.node('Split', [x], { axis: { int: -1 } }, { outputs: 3 })
  graph.output('last', parts[2] ?? x, 'float', [1, 1])
  const session = await InferenceSession.create(graph.bytes())
  const { Tensor } = await import('onnxruntime-node')
  const { y, last } = await session.run({ x: new Tensor('float32', [-2, 0, 4], [1, 3]) })
  t.deepEqual([...(y?.data ?? [])], [-8, -5, 7])
  t.deepEqual([...(last?.data ?? [])], [4])
})
