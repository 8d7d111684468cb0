import test from 'ava'
import { fitKMeans } from '../../../../learn/algorithms/kmeans/fit.ts'
import { addKMeansGraph } from '../../../../learn/algorithms/kmeans/graph.ts'
import { kmeansParameters } from '../../../../learn/algorithms/kmeans/parameters.ts'
import { predictKMeans } from '../../../../learn/algorithms/kmeans/predict.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { createRandom } from '../../../../learn/random.ts'
import { normalRows, silent, sparseOf } from '../../make-data.ts'
import { runGraph } from '../../run-graph.ts'

const plain = normalRows(200, 3, createRandom(6))
const far = { ...plain, values: plain.values.map((value) => 1e6 + value) }

for (const [body, features] of [
  [{ k: 5 }, plain],
  [{ k: 5 }, far],
  [{ k: 4, kernel: 'rbf', gamma: 0.5 }, plain],
  [{ k: 4, kernel: 'rbf', gamma: 0.5 }, far],
  [{ k: 3, kernel: 'poly', degree: 2, coef0: 1 }, plain],
  [{ k: 3, kernel: 'sigmoid', gamma: 0.1 }, plain],
] as const) {
  const where = features === far ? 'a million from the origin' : 'round the origin'
  test(`${JSON.stringify(body)} ${where}: ONNX gives each row the cluster that the fit gives it`, async (t) => {
    const model = fitKMeans(features, decodeParameters(kmeansParameters, body), silent)
    const expected = [...predictKMeans(model, features)]
    const { label, score } = await runGraph(features.values, 3, 'int64', (graph, input) =>
      addKMeansGraph(graph, input, model),
    )
    t.deepEqual(label, expected)
    t.deepEqual(
      Array.from(model.sizes),
      Array.from(model.sizes, (_, c) => expected.filter((l) => l === c).length),
    )
    const inertia = expected.reduce((sum, c, i) => sum + (score[i * model.k + c] ?? 0) ** 2, 0)
    t.true(Math.abs(inertia - model.inertia) < 1e-6 * (1 + model.inertia), `${inertia} against ${model.inertia}`)
    if (features === plain) t.deepEqual([...predictKMeans(model, sparseOf(features))], expected)
  })
}
