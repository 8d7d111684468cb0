import test from 'ava'
import { fitRows } from '../../../../activities/training/fit/fit-rows.ts'
import { measureRows } from '../../../../activities/training/fit/measure-rows.ts'
import { algorithmOf } from '../../../../learn/algorithms/index.ts'
import { tableOf } from '../../../../learn/encoding/table.ts'
import { createLayout } from '../../../../learn/layout.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { createRandom } from '../../../../learn/random.ts'
import { watch } from '../../../learn/algorithms/svm/data.ts'

const { uniform } = createRandom(5)

/** Three attributes, of which `signal` alone tells the target; `word` has four words. */
function rowsOf(targetOf: (signal: number) => string | number) {
  const layout = createLayout({
    attributes: ['noise', 'signal', 'word', 'target'].map((name, position) => ({ name, position })),
    attributeKind: 'hybrid',
    targetIndex: 3,
  })
  const table = tableOf(
    layout,
    Array.from({ length: 400 }, (_, line) => {
      const signal = uniform()
      const cells = [1000 * uniform(), signal, ['a', 'b', 'c', 'd'][Math.floor(4 * uniform())] ?? 'a']
      return { line: line + 1, cells, target: targetOf(signal) }
    }),
  )
  return { kind: 'table', table, sample: [] } as const
}

const requestOf = (name: string, own: Record<string, unknown>) => {
  const algorithm = algorithmOf(name)
  return {
    algorithm: name,
    parameters: decodeParameters(algorithm.parameters, own),
    scale: true,
    version: '1',
  } as const
}

const classes = rowsOf((signal) => (signal + 0.1 * uniform() > 0.55 ? 'yes' : 'no'))
const numbers = rowsOf((signal) => 10 * signal + 0.01 * uniform())

for (const [name, by, own] of [
  ['TREE', 'gain', {}],
  ['LIN', 'weights', {}],
  ['SVM', 'permutation', { probability: 1 }],
] as const) {
  test(`${name}: of classes the attribute that tells them is the first by ${by}, and figures of probabilities are there`, (t) => {
    const request = requestOf(name, own)
    const { facts = {} } = fitRows(request, classes, watch)
    const found: Record<string, unknown> = { ...measureRows(request, classes, watch), ...facts }
    t.is(found.importance_by, by)
    t.is(Object.keys(Object(found.importance))[0], 'signal')
    t.deepEqual(Object.keys(Object(found.importance)).toSorted(), ['noise', 'signal', 'word'])
    t.true(Number(found.auc) > 0.95)
    t.true(Number(found.log_loss) < 0.5)
    t.true(Number(found.brier) < 0.15)
    t.true(Number(found.macro_f1) > 0.9)
    t.true(Number(found.baseline) >= 0.4 && Number(found.baseline) < 0.7)
    t.deepEqual(JSON.parse(JSON.stringify(found)), found)
  })

  test(`${name}: of numbers the attribute that tells them is the first by ${by}`, (t) => {
    const request = requestOf(name, {})
    const { facts = {} } = fitRows(request, numbers, watch)
    const found: Record<string, unknown> = { ...measureRows(request, numbers, watch), ...facts }
    t.is(Object.keys(Object(found.importance))[0], 'signal')
    t.true(Number(found.rmse) < Number(found.baseline))
    const [low, high] = Array.isArray(found.interval_90) ? found.interval_90 : []
    t.true(low < high)
    t.is(found.auc, undefined)
  })
}

test('an SVM without probabilities and the scores of a linear machine have no figures of probabilities', (t) => {
  for (const request of [requestOf('SVM', {}), requestOf('LIN', { solver: 2 })]) {
    const found = measureRows(request, classes, watch)
    t.false('auc' in found || 'log_loss' in found || 'brier' in found)
    t.true('macro_f1' in found)
  }
})

test('centres of clusters are in the units of the data, with the shares of words, and the silhouette is there', (t) => {
  const layout = createLayout({
    attributes: ['size', 'still', 'colour'].map((name, position) => ({ name, position })),
    attributeKind: 'hybrid',
  })
  const table = tableOf(
    layout,
    Array.from({ length: 100 }, (_, line) => ({
      line: line + 1,
      cells: line % 2 === 0 ? [1000 + (line % 4), 3, 'red'] : [5000 + (line % 4), 3, line % 4 === 1 ? 'blue' : 'green'],
      target: undefined,
    })),
    { task: 'none' },
  )
  const prepared = { kind: 'table', table, sample: [] } as const
  const request = requestOf('KMEANS', { k: 2 })
  const { facts = {} } = fitRows(request, prepared, watch)
  const centres: unknown[] = Array.isArray(facts.centres) ? facts.centres : []
  const near = centres
    .toSorted((a, b) => Object(a).size - Object(b).size)
    .map((centre) => ({
      ...Object(centre),
      size: Math.round(Object(centre).size),
    }))
  t.deepEqual(near, [
    { size: 1001, still: 3, colour: { red: 1 } },
    { size: 5002, still: 3, colour: { blue: 0.5, green: 0.5 } },
  ])
  const found: Record<string, unknown> = { ...measureRows(request, prepared, watch) }
  t.true(Number(found.silhouette) > 0.5)
  t.is(found.importance, undefined)
})
