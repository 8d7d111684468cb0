import test from 'ava'
import { fitTree } from '../../../../learn/algorithms/tree/fit.ts'
import { addTreeGraph } from '../../../../learn/algorithms/tree/graph.ts'
import { treeParameters } from '../../../../learn/algorithms/tree/parameters.ts'
import { predictTree, scoreTree } from '../../../../learn/algorithms/tree/predict.ts'
import type { Target } from '../../../../learn/dataset.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { createRandom } from '../../../../learn/random.ts'
import { classesOf, normalRows, silent } from '../../make-data.ts'
import { runGraph } from '../../run-graph.ts'

const features = normalRows(600, 4, createRandom(4))
const sum = Float64Array.from(
  { length: 600 },
  (_, i) => (features.values[i * 4] ?? 0) + (features.values[i * 4 + 1] ?? 0) ** 2,
)
for (const cell of features.values.keys()) if (cell % 7 === 0) features.values[cell] = Number.NaN
// Whether a number is known is all that this column tells.
for (let i = 0; i < 600; i++) features.values[i * 4 + 3] = (sum[i] ?? 0) > 2 ? Number.NaN : (i % 5) * 1e12

const rows = Array.from(sum)
for (const [what, target, type] of [
  ['numbers', { kind: 'numbers', values: sum.map((s) => 1e7 + 1e3 * s) }, 'double'],
  ['a constant', { kind: 'numbers', values: sum.map(() => 3) }, 'double'],
  ['two classes', classesOf(rows.map((s) => (s > 0.5 ? 'wet' : 'dry'))), 'string'],
  ['three classes', classesOf(rows.map((s) => Math.max(-1, Math.min(1, Math.round(s))))), 'int64'],
] satisfies [string, Target, 'double' | 'string' | 'int64'][]) {
  test(`ONNX scores rows of ${what}, missing values among them, to the last bit as the fit itself does`, async (t) => {
    const model = fitTree(features, target, decodeParameters(treeParameters, {}), silent)
    const found = await runGraph(features.values, 4, type, (graph, input) => addTreeGraph(graph, input, model))
    t.deepEqual(found.score, [...scoreTree(model, features)])
    const predicted = Array.from(predictTree(model, features))
    t.deepEqual(
      found.label,
      predicted.map((p) => (target.kind === 'classes' ? (target.labels[p] ?? p) : p)),
    )
    if (target.kind !== 'classes') return
    const classes = target.labels.length
    for (const i of rows.keys()) {
      const shares = found.probabilities.slice(i * classes, (i + 1) * classes)
      t.true(Math.abs(shares.reduce((a, b) => a + b) - 1) < 1e-9)
      t.is(shares.indexOf(Math.max(...shares)), predicted[i] ?? -1)
    }
    const right = predicted.filter((p, i) => p === target.classes[i]).length
    t.true(right > 540, `${right} of 600`)
  })
}
