import test from 'ava'
import { fitRows, rowsAlgorithm } from '../../../../activities/training/fit/fit-rows.ts'
import { measureRows } from '../../../../activities/training/fit/measure-rows.ts'
import type { PreparedRows } from '../../../../activities/training/fit/prepared.ts'
import { type Chosen, tuneRows } from '../../../../activities/training/fit/tune-rows.ts'
import { tableOf } from '../../../../learn/encoding/table.ts'
import { createLayout } from '../../../../learn/layout.ts'
import { decodeParameters, numberOf } from '../../../../learn/parameters.ts'
import { createRandom } from '../../../../learn/random.ts'
import { isTaken } from '../../../support/random/seed.ts'

type Made = {
  readonly rows: number
  readonly columns: number
  readonly target: (cells: readonly number[], uniform: () => number) => number | string
}

/** Rows of numbers from 0 to 1, and a target. */
function rowsOf({ rows, columns, target }: Made, seed = 1): PreparedRows {
  const { uniform } = createRandom(seed)
  const names = Array.from({ length: columns }, (_, i) => `x${i}`)
  const made = Array.from({ length: rows }, (_, line) => {
    const cells = names.map(() => uniform())
    return { line: line + 1, cells, target: target(cells, uniform) }
  })
  const isNumber = made.every((row) => typeof row.target === 'number')
  const layout = createLayout({
    attributes: [...names, 'y'].map((name, position) => ({
      name,
      position,
      type: position === columns && isNumber ? 'DOUBLE' : undefined,
    })),
    attributeKind: 'hybrid',
    targetIndex: columns,
  })
  return { kind: 'table', table: tableOf(layout, made), sample: [] }
}

const requestOf = (algorithm: string, own: Readonly<Record<string, unknown>> = {}) => ({
  algorithm,
  parameters: decodeParameters(rowsAlgorithm(algorithm).parameters, own),
  scale: algorithm !== 'TREE',
  tune: true,
  speed: 3,
  tuneBudget_s: 600,
})

function tuned(algorithm: string, prepared: PreparedRows, more: object = {}): Chosen & { readonly lines: string[] } {
  const lines: string[] = []
  const watch = { beat: () => {}, log: (line: string) => void lines.push(line) }
  return { ...tuneRows({ ...requestOf(algorithm), ...more }, prepared, watch), lines }
}

const coin = (_: readonly number[], uniform: () => number): string => (uniform() < 0.5 ? 'yes' : 'no')
const noise: Readonly<Record<string, Made>> = {
  'two classes by chance': { rows: 400, columns: 10, target: coin },
  'two classes by chance in few rows': { rows: 60, columns: 20, target: coin },
  'three classes by chance': {
    rows: 300,
    columns: 10,
    target: (_, uniform) => `${Math.floor(uniform() * 3)} of three`,
  },
  'numbers by chance': { rows: 200, columns: 6, target: (_, uniform) => uniform() },
  'numbers by chance, some far off': { rows: 200, columns: 6, target: (_, uniform) => 1 / (uniform() + 0.01) },
}
for (const [at, [what, made]] of Object.entries(noise).entries()) {
  test(`${what}: trees learn next to nothing, whatever the candidates`, (t) => {
    for (const seed of [1, 2, 3].filter((each) => isTaken(each + at, 3))) {
      const { parameters, lines } = tuned('TREE', rowsOf(made, seed))
      t.true(numberOf(parameters, 'trees') <= 3, lines.join('\n'))
    }
  })
}

for (const algorithm of ['LIN', 'SVM']) {
  test(`of classes by chance ${algorithm} takes a small cost, also where a greater one was the best by chance`, (t) => {
    const found = Array.from({ length: 10 }, (_, seed) => {
      const prepared = rowsOf({ rows: 100, columns: 8, target: coin }, seed + 1)
      const { parameters, lines } = tuned(algorithm, prepared, { speed: 1 })
      return {
        cost: Number(parameters.C ?? parameters.cost),
        isSimpler: lines.some((line) => /within one standard error the simpler one is taken$/.test(line)),
      }
    })
    t.true(found.filter(({ cost }) => cost <= 0.5).length >= 9, JSON.stringify(found))
    t.true(found.some(({ isSimpler }) => isSimpler))
  })
}

test('the gamma of kernels is one in so many attributes, however many words these have', (t) => {
  const { uniform } = createRandom(1)
  const rows = Array.from({ length: 60 }, (_, line) => {
    const cells = [uniform(), `word ${line % 7}`, `other ${line % 5}`, uniform()]
    return { line: line + 1, cells, target: line % 2 ? 'odd' : 'even' }
  })
  const layout = createLayout({
    attributes: ['a', 'b', 'c', 'd', 'y'].map((name, position) => ({ name, position })),
    attributeKind: 'hybrid',
    targetIndex: 4,
  })
  const words: PreparedRows = { kind: 'table', table: tableOf(layout, rows), sample: [] }
  const chosen = (algorithm: string, prepared: PreparedRows, own: Readonly<Record<string, unknown>> = {}) =>
    tuned(algorithm, prepared, { ...requestOf(algorithm, own), tune: false })
  t.like(chosen('SVM', words), {
    parameters: { gamma: 0.25 },
    shown: { g: 0.25 },
    about: 'SVM, 60 rows x 14, gamma 0.25',
  })
  t.is(chosen('SVM', words, { gamma: 2 }).parameters.gamma, 2)
  t.is(chosen('SVM', words, { kernel: 'linear' }).parameters.gamma, undefined)
  t.is(chosen('KMEANS', words, { kernel_type: 'rbf' }).parameters.gamma, 0.25)
  t.is(chosen('KMEANS', words).parameters.gamma, undefined)
  t.is(chosen('LIN', words).parameters.gamma, undefined)
  const numbers = rowsOf({ rows: 60, columns: 3, target: coin })
  t.like(chosen('SVM', numbers), { shown: { g: 1 / 3 }, about: 'SVM, 60 rows x 3' })
})

test('what the data hold is learnt all the same: tuned trees part what no single split does', (t) => {
  const prepared = rowsOf({ rows: 500, columns: 4, target: ([a = 0, b = 0]) => (a > 0.5 === b > 0.5 ? 'in' : 'out') })
  const { parameters, folds, lines } = tuned('TREE', prepared)
  t.true(numberOf(parameters, 'max_depth') > 1, lines.join('\n'))
  t.true((folds?.mean ?? 0) > 0.95)
  const watch = { beat: () => {}, log: () => {} }
  t.like(measureRows({ ...requestOf('TREE'), parameters, version: '1' }, prepared, watch), { rows: 100 })
})

test('the rounds that early stopping finds are those of the model, which learns from all rows', (t) => {
  const target = ([a = 0, b = 0]: readonly number[], uniform: () => number) => 4 * a - 2 * b + uniform()
  const prepared = rowsOf({ rows: 300, columns: 3, target })
  const { parameters, lines } = tuned('TREE', prepared)
  const rounds = numberOf(parameters, 'trees')
  t.true(rounds > 5 && rounds < 300, `${rounds}`)
  t.is(parameters.early_stopping, 0)
  t.true(
    lines.some((line) => line.includes(`trees ${rounds}`)),
    lines.join('\n'),
  )
  const said: string[] = []
  const watch = { beat: () => {}, log: (line: string) => void said.push(line) }
  const { summary } = fitRows({ ...requestOf('TREE'), parameters, version: '1' }, prepared, watch)
  t.is(summary, `${rounds} rounds`)
  t.deepEqual(
    said.filter((line) => /held-out/.test(line)),
    [],
  )
})

test('rows beyond the sample count: the rounds are found anew on all that are learnt from', (t) => {
  const target = ([a = 0]: readonly number[], uniform: () => number) => Math.sin(20 * a) + uniform()
  const prepared = rowsOf({ rows: 26_000, columns: 1, target })
  const own = { trees: 12, max_bins: 32 }
  const { parameters, lines } = tuned('TREE', prepared, { ...requestOf('TREE', own), speed: 1 })
  t.true(lines.includes('tuning on a stratified sample of 20000 of 20800 training rows'), lines.join('\n'))
  t.true(
    lines.some((line) => /^on all training rows: .*trees \d+/.test(line)),
    lines.join('\n'),
  )
  t.is(parameters.early_stopping, 0)
  t.is(parameters.trees, 12)
})

test('where early stopping is off, the rounds are as many as were asked for', (t) => {
  const prepared = rowsOf({ rows: 100, columns: 2, target: coin })
  const { parameters } = tuned('TREE', prepared, requestOf('TREE', { early_stopping: 0, trees: 4 }))
  t.like(parameters, { trees: 4, early_stopping: 0 })
})

test('a budget that is over before a candidate was tried leaves the parameters as they are, and the log counts', (t) => {
  for (const algorithm of ['TREE', 'SVM', 'LIN']) {
    const request = { ...requestOf(algorithm), tuneBudget_s: 1e-9 }
    const { parameters, untuned, folds, lines } = tuned(
      algorithm,
      rowsOf({ rows: 100, columns: 4, target: coin }),
      request,
    )
    t.deepEqual(parameters, request.parameters)
    t.is(untuned, 'no candidate was tried in time')
    t.is(folds, undefined)
    t.regex(
      lines.join('\n'),
      /^tuning ended after 1e-9 s \(tune_budget_s\): 0 of \d+ candidates were tried, 0 of them given up early$/,
    )
  }
})

test('the spread over the folds is the deviation of their measures', (t) => {
  const classes = tuned('LIN', rowsOf({ rows: 100, columns: 2, target: ([a = 0]) => (a > 0.5 ? 'high' : 'low') })).folds
  const numbers = tuned('LIN', rowsOf({ rows: 100, columns: 2, target: ([a = 0], uniform) => a + uniform() })).folds
  for (const [folds, measure] of [
    [classes, 'accuracy'],
    [numbers, 'rmse'],
  ] as const) {
    t.is(folds?.measure, measure)
    const values = folds?.values ?? []
    t.is(values.length, 5)
    const mean = values.reduce((sum, value) => sum + value, 0) / 5
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 4
    t.true(Math.abs((folds?.mean ?? 0) - mean) < 1e-12)
    t.true(Math.abs((folds?.spread ?? 0) - Math.sqrt(variance)) < 1e-12)
  }
})

test('four rows are too few to tune with, and one class is nothing to tune by', (t) => {
  t.is(tuned('LIN', rowsOf({ rows: 4, columns: 1, target: ([a = 0]) => a })).untuned, '4 rows are too few to tune with')
  const alone = rowsOf({ rows: 40, columns: 1, target: () => 'same' })
  t.is(tuned('TREE', alone).untuned, 'TREE has nothing to tune here')
})

test('where whole groups are held out, tuning is not taken in by a model that knows groups by heart', (t) => {
  const { uniform } = createRandom(5)
  const groups = Array.from({ length: 40 }, () => ({
    x: uniform(),
    y: uniform(),
    label: uniform() < 0.5 ? 'yes' : 'no',
  }))
  const layout = createLayout({
    attributes: ['x', 'y', 'label'].map((name, position) => ({ name, position })),
    attributeKind: 'hybrid',
    targetIndex: 2,
  })
  const rows = Array.from({ length: 400 }, (_, line) => {
    const { x = 0, y = 0, label = 'no' } = groups[line % 40] ?? {}
    return { line: line + 1, cells: [x, y], target: label }
  })
  const of = Int32Array.from(rows.keys(), (row) => row % 40)
  const held = Int32Array.from(of.keys()).filter((row) => (of[row] ?? 0) < 8)
  const byChance: PreparedRows = {
    kind: 'table',
    table: tableOf(layout, rows),
    sample: [],
    split: { held, isFile: false },
  }
  const byGroup: PreparedRows = { ...byChance, split: { held, isFile: false, together: { by: 'group', of } } }
  const accuracy = (prepared: PreparedRows) => tuned('SVM', prepared, { speed: 1 }).folds?.mean ?? 0
  t.true(accuracy(byChance) > 0.9)
  t.true(accuracy(byGroup) < 0.8)
})
