import test from 'ava'
import { decodeTraining } from '../../../../activities/training/decode/decode-request.ts'
import { columnsOf } from '../../../../console/pages/models/columns.ts'
import { differing } from '../../../../console/pages/models/differing.ts'
import {
  modelNameOf,
  nameFault,
  type Plan,
  trainingRequest,
} from '../../../../console/pages/models/training-request.ts'
import { createNotes } from '../../../../sql/schema/check/notes.ts'

const columns = columnsOf(
  [
    ['id', 'plan', 'spent', 'churned'],
    ['1', 'free', '2.5', 'no'],
    ['2', 'pro', '3.5', 'yes'],
  ],
  true,
)
const plan: Plan = {
  ...{ schema: 'demo', model: 'customers', file: 'customers.csv', separator: ',', isHeader: true, columns },
  ...{
    left: new Set(),
    types: new Map(),
    target: columns[3],
    algorithm: 'TREE',
    own: {},
    tunes: false,
    isBalanced: false,
  },
}

test('a file whose columns nobody has changed is asked for by its target alone', (t) => {
  const request = trainingRequest(plan)
  t.deepEqual(request, {
    'schema-name': 'demo',
    model_name: 'customers',
    algo_type: 'TREE',
    training_details: {
      training_source_type: 'FILE',
      training_source: 'customers.csv',
      input_format: 'CSV',
      header: 1,
      target: 'churned',
    },
  })
})

test('columns that are left out, and types that were chosen, are named one by one', (t) => {
  const request = trainingRequest({ ...plan, left: new Set([0]), types: new Map([[2, 'word']]) })
  t.deepEqual(request.attr_list, [
    { name: 'plan', position: 1 },
    { name: 'spent', position: 2, type: 'STRING' },
    { name: 'churned', position: 3 },
  ])
})

test('without a header the target has a place, another separator is named, and clusters have no target', (t) => {
  const bare = trainingRequest({ ...plan, isHeader: false, separator: '\t' })
  t.like(bare.training_details, { header: 0, SEP: 'TAB', target_idx: 3, target: undefined })
  const clusters = trainingRequest({ ...plan, target: undefined, algorithm: 'KMEANS', own: { k: 4 } })
  t.like(clusters, { algo_type: 'KMEANS', algo_param: { k: 4 } })
  t.like(clusters.training_details, { target: undefined, target_idx: undefined })
})

test('the service takes each request, and has nothing to note about it', (t) => {
  const plans: readonly Partial<Plan>[] = [
    {},
    { left: new Set([0]), types: new Map([[2, 'date']]) },
    { isHeader: false, separator: ';', tunes: true, isBalanced: true },
    { target: undefined, algorithm: 'KMEANS', own: { k: 4 } },
    { target: columns[2], task: 'numbers', algorithm: 'LIN' },
  ]
  for (const each of plans) {
    const notes = createNotes()
    t.notThrows(() => decodeTraining(trainingRequest({ ...plan, ...each }), notes))
    t.deepEqual(notes.list(), [])
  }
})

for (const [file, name] of [
  ['House Prices (2).csv', 'house_prices_2'],
  ['2026 sales.csv', 'model_2026_sales'],
  ['données.csv', 'donn_es'],
  ['.csv', 'model'],
] as const) {
  test(`a model of ${file} is called ${name}`, (t) => {
    t.is(modelNameOf(file), name)
    t.is(nameFault(name), undefined)
  })
}

test('a name that no model may have is said to be none', (t) => {
  for (const name of ['', '1a', 'a b', 'a-b', 'x'.repeat(64)]) t.not(nameFault(name), undefined)
})

test('parameters that differ are named, absent ones too', (t) => {
  t.deepEqual(differing({ a: 1, b: [1], c: 'x' }, { a: 1, b: [2], d: true }), [
    { name: 'b', before: '[1]', after: '[2]' },
    { name: 'c', before: 'x', after: '–' },
    { name: 'd', before: '–', after: 'true' },
  ])
})
