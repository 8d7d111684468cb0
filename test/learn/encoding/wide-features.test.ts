import test from 'ava'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { TableAlgorithm } from '../../../learn/algorithms/algorithm.ts'
import { algorithmOf } from '../../../learn/algorithms/index.ts'
import { isSparse } from '../../../learn/dataset.ts'
import { encodeLearnt, encodeTable, fitEncoding, isWide } from '../../../learn/encoding/encoding.ts'
import { addEncoding } from '../../../learn/encoding/graph.ts'
import { tableOf } from '../../../learn/encoding/table.ts'
import type { Task } from '../../../learn/encoding/target.ts'
import { createLayout } from '../../../learn/layout.ts'
import { createGraph } from '../../../learn/onnx/graph.ts'
import { decodeParameters } from '../../../learn/parameters.ts'
import { createRandom } from '../../../learn/random.ts'
import { selectTarget } from '../../../learn/tuning/select-target.ts'
import { seed, silent } from '../make-data.ts'

const layout = createLayout({
  attributes: [
    { name: 'place', position: 0, type: 'STRING' },
    { name: 'size', position: 1, type: 'DOUBLE' },
    { name: 'tag', position: 2, type: 'STRING' },
    { name: 'target', position: 3 },
  ],
  attributeKind: 'hybrid',
  targetIndex: 3,
})
const rows = 240
const learnt = Int32Array.from({ length: 200 }, (_, row) => row)
const held = Int32Array.from({ length: rows - learnt.length }, (_, at) => learnt.length + at)

/** Some words come in the rows held out alone, and some rows lack a word or the number. */
function tableFor(task: Task, buckets?: number) {
  const random = createRandom(seed)
  const pick = (count: number) => Math.floor(random.uniform() * count)
  const all = Array.from({ length: rows }, (_, row) => {
    const [place, size, tag] = [pick(150), random.uniform() * 5, pick(90)]
    const target = task === 'numbers' ? (place % 7) + size + random.uniform() : ['a', 'b', 'c'][(place + tag) % 3]
    const cells = [row % 11 === 0 ? '' : `place ${place}`, row % 13 === 0 ? undefined : size, `tag ${tag}`]
    return { line: row + 1, cells, target }
  })
  return { table: tableOf(layout, all, { task, buckets }), cells: all.map(({ cells }) => cells) }
}

function algorithmFor(name: string): TableAlgorithm {
  const algorithm = algorithmOf(name)
  if (algorithm.learnsFrom !== 'rows') throw new Error(`${name} does not learn from rows`)
  return algorithm
}

const cases: readonly (readonly [algorithm: string, task: Task, parameters: Record<string, unknown>])[] = [
  ['LIN', 'classes', {}],
  ['LIN', 'numbers', {}],
  ...[0, 1, 2, 3].map((kernel) => ['SVM', 'classes', { kernel, gamma: 0.1, coef0: 0.5 }] as const),
  ['SVM', 'classes', { kernel: 2, probability: 1 }],
  ['SVM', 'numbers', { kernel: 2, gamma: 0.3 }],
  ['SVM', 'numbers', { kernel: 0 }],
  ['KMEANS', 'none', { k: 4 }],
  ...[1, 2, 3].map((kernel_type) => ['KMEANS', 'none', { k: 3, kernel_type, gamma: 0.2 }] as const),
  ['TREE', 'classes', { trees: 20 }],
  ['TREE', 'numbers', { trees: 20 }],
]

for (const [name, task, parameters] of cases) {
  for (const buckets of [undefined, 100]) {
    const how = buckets === undefined ? 'with a place each' : 'that are hashed'
    test(`the graph of ${name} predicts ${task} of many words ${how} as training does: ${JSON.stringify(parameters)}`, async (t) => {
      const algorithm = algorithmFor(name)
      const { table, cells } = tableFor(task, buckets)
      const encoding = fitEncoding(table, true, { rows: learnt, many: algorithm.manyWords })
      const features = encodeLearnt(table, encoding, learnt)
      t.is(isWide(encoding), name !== 'TREE')
      t.is(isSparse(features), name !== 'TREE')
      const target = selectTarget(table.target, learnt)
      const model = algorithm.fit(features, target, decodeParameters(algorithm.parameters, parameters), silent)
      const graph = createGraph()
      const { label, probabilities } = model.addGraph(graph, addEncoding(graph, encoding))
      const type = task === 'classes' ? 'string' : task === 'numbers' ? 'double' : 'int64'
      graph.output('label', label, type, ['N'])
      if (probabilities !== undefined) graph.output('probabilities', probabilities, 'double', ['N', 'classes'])
      const session = await InferenceSession.create(graph.bytes())
      const found = await session.run(inputsOf(cells))
      await session.release()
      const seen = encodeTable(table, encoding, held)
      const expected = Array.from(model.predict(seen), String)
      const given = Array.from(found.label?.data ?? [], String)
      if (task === 'numbers') {
        for (const [at, value] of expected.entries()) {
          const apart = Math.abs(Number(given[at]) - Number(value))
          t.true(apart < (name === 'TREE' ? 1e-5 : 1e-9), `row ${at}: ${apart}`)
        }
      } else t.deepEqual(given, expected)
      const shares = model.probabilities?.(seen) ?? []
      for (const [at, share] of Array.from(shares).entries()) {
        t.true(Math.abs(Number(found.probabilities?.data[at]) - share) < (name === 'TREE' ? 1e-5 : 1e-9))
      }
    })
  }
}

function inputsOf(cells: readonly (readonly (string | number | undefined)[])[]) {
  const own = [...held].map((row) => cells[row] ?? [])
  const sizes = own.map(([, size]) => (typeof size === 'number' ? size : Number.NaN))
  const words = own.flatMap(([place = '', , tag = '']) => [String(place), String(tag)])
  return {
    numbers: new Tensor('float64', sizes, [own.length, 1]),
    words: new Tensor('string', words, [own.length, 2]),
  }
}
