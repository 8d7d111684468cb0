import { readFileSync } from 'node:fs'
import test from 'ava'
import { z } from 'zod'
import { fitTree } from '../../../../learn/algorithms/tree/fit.ts'
import type { TreeModel } from '../../../../learn/algorithms/tree/model.ts'
import { treeParameters } from '../../../../learn/algorithms/tree/parameters.ts'
import { predictTree, scoreTree } from '../../../../learn/algorithms/tree/predict.ts'
import type { Features, Matrix, Target } from '../../../../learn/dataset.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { createRandom } from '../../../../learn/random.ts'
import { classesOf, matrixOf, normal, normalRows, seed, silent, sparseOf } from '../../make-data.ts'

const reference = z
  .object({
    x: z.array(z.array(z.number().nullable())),
    number: z.array(z.number()),
    label: z.array(z.number()),
    cases: z.array(
      z.object({
        parameters: z.record(z.string(), z.number()),
        target: z.enum(['number', 'label']),
        scores: z.array(z.number()),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('reference.json', import.meta.url), 'utf8')))

const train = (features: Features, target: Target, body: Record<string, unknown>, log: string[] = []): TreeModel =>
  fitTree(features, target, decodeParameters(treeParameters, body), { beat: () => {}, log: (line) => log.push(line) })
const numbers = (values: Iterable<number>): Target => ({ kind: 'numbers', values: Float64Array.from(values) })
const column = ({ rows, columns, values }: Matrix, j: number): number[] =>
  Array.from({ length: rows }, (_, i) => values[i * columns + j] ?? Number.NaN)

for (const { parameters, target, scores } of reference.cases) {
  test(`boosting of the ${target} with ${JSON.stringify(parameters)} and missing values scores rows as scikit-learn does`, (t) => {
    const features = matrixOf(reference.x.map((row) => row.map((value) => value ?? Number.NaN)))
    // scikit-learn's score is the log-odds of 1: 1 is our first label too if the data begin with it, else the sign turns.
    const model = train(features, target === 'number' ? numbers(reference.number) : classesOf(reference.label), {
      ...parameters,
      early_stopping: 0,
    })
    const sign = target === 'label' && model.labels?.[0] === 0 ? -1 : 1
    const found = scoreTree(model, features)
    t.is(found.length, scores.length)
    const worst = Math.max(...found.map((score, i) => Math.abs(sign * score - (scores[i] ?? Number.NaN))))
    t.true(worst < 1e-4, `${worst}`)
  })
}

/** A regression tree by trying every split of every stretch of rows, missing values on either side. */
function naiveTree(
  rows: readonly (readonly number[])[],
  y: readonly number[],
  own: readonly number[],
  depth: number,
): (row: readonly number[]) => number {
  const mean = own.reduce((sum, i) => sum + (y[i] ?? 0), 0) / own.length
  let best = { error: errorOf(y, own) - 1e-9, left: (_: readonly number[]): boolean => true }
  let found = false
  for (let j = 0; j < (rows[0]?.length ?? 0) && depth > 0; j++) {
    const values = [...new Set(own.map((i) => rows[i]?.[j] ?? 0))].filter((v) => !Number.isNaN(v)).sort((a, b) => a - b)
    for (const [k, value] of values.entries()) {
      const threshold = k + 1 < values.length ? (value + (values[k + 1] ?? 0)) / 2 : Infinity
      for (const missingLeft of [false, true]) {
        const left = (row: readonly number[]): boolean => {
          const cell = row[j] ?? 0
          return Number.isNaN(cell) ? missingLeft : cell <= threshold
        }
        const sides = [own.filter((i) => left(rows[i] ?? [])), own.filter((i) => !left(rows[i] ?? []))] as const
        if (sides[0].length === 0 || sides[1].length === 0) continue
        const error = errorOf(y, sides[0]) + errorOf(y, sides[1])
        if (error >= best.error) continue
        best = { error, left }
        found = true
      }
    }
  }
  if (!found) return () => mean
  const below = naiveTree(
    rows,
    y,
    own.filter((i) => best.left(rows[i] ?? [])),
    depth - 1,
  )
  const above = naiveTree(
    rows,
    y,
    own.filter((i) => !best.left(rows[i] ?? [])),
    depth - 1,
  )
  return (row) => (best.left(row) ? below : above)(row)
}

function errorOf(y: readonly number[], own: readonly number[]): number {
  const mean = own.reduce((sum, i) => sum + (y[i] ?? 0), 0) / own.length
  return own.reduce((sum, i) => sum + ((y[i] ?? 0) - mean) ** 2, 0)
}

test('a single tree splits where trying every split finds the least error, also with missing values', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const random = createRandom(seed)
  for (let round = 0; round < 15; round++) {
    const features = normalRows(20 + random.below(60), 1 + random.below(3), random)
    for (const cell of features.values.keys()) if (random.uniform() < 0.15) features.values[cell] = Number.NaN
    const y = Array.from({ length: features.rows }, () => normal(random))
    const rows = y.map((_, i) => [...features.values.subarray(i * features.columns, (i + 1) * features.columns)])
    const naive = naiveTree(rows, y, [...y.keys()], 3)
    const model = train(features, numbers(y), {
      trees: 1,
      learning_rate: 1,
      lambda: 0,
      min_leaf: 1,
      max_depth: 3,
      early_stopping: 0,
    })
    const found = predictTree(model, features)
    for (const [i, row] of rows.entries())
      t.true(Math.abs((found[i] ?? 0) - naive(row)) < 1e-6, `round ${round}, row ${i}`)
  }
})

test('classes that no line parts are learnt, two and three of them, and a rare one with a weight', (t) => {
  const features = normalRows(2000, 3, createRandom(5))
  const [x, y] = [column(features, 0), column(features, 1)]
  const share = (target: ReturnType<typeof classesOf>, body: Record<string, unknown> = {}): number => {
    const found = predictTree(train(features, target, body), features)
    return target.classes.filter((own, i) => own === found[i]).length / target.classes.length
  }
  t.true(share(classesOf(x.map((a, i) => (a * (y[i] ?? 0) > 0 ? 'same' : 'other')))) > 0.98)
  t.true(share(classesOf(x.map((a, i) => Math.min(2, Math.floor(a ** 2 + (y[i] ?? 0) ** 2))))) > 0.97)

  const noise = createRandom(6)
  const rare = classesOf(x.map((a) => (a > 1 && noise.uniform() < 0.3 ? 'rare' : 'usual')))
  const found = (body: Record<string, unknown>): number =>
    predictTree(train(features, rare, body), features).filter((c) => rare.labels[c] === 'rare').length
  t.true(found({ weight_label: 'rare', weight: 5 }) > 3 * found({}))
  t.true(found({ class_weight: 'balanced' }) > 3 * found({}))
})

test('boosting ends early where the held-out rows gain nothing, and says so', (t) => {
  const random = createRandom(7)
  const features = normalRows(500, 3, random)
  const log: string[] = []
  const model = train(features, numbers(Array.from({ length: 500 }, () => normal(random))), { early_stopping: 5 }, log)
  t.true(model.rounds < 20, `${model.rounds}`)
  t.regex(
    log.join('\n'),
    /kept \d+ rounds, the middle of 5 draws of 50 held-out rows, with a mean loss of [\d.]+; all rows are/,
  )
  t.is(train(features, numbers(column(features, 0)), { early_stopping: 0, trees: 7 }).rounds, 7)
})

test('rows of one group are held out together for early stopping: the number of a group tells nothing of the next one', (t) => {
  const random = createRandom(11)
  const groupOf = Int32Array.from({ length: 600 }, (_, row) => Math.floor(row / 10))
  const heights = Array.from({ length: 60 }, () => normal(random))
  const features = matrixOf([...groupOf].map((group) => [group, normal(random)]))
  const target = numbers(Array.from(groupOf, (group) => (heights[group] ?? 0) + 0.1 * normal(random)))
  const log: string[] = []
  const watch = { beat: () => {}, log: (line: string) => void log.push(line) }
  const rounds = (of: Int32Array): number =>
    fitTree(features, target, decodeParameters(treeParameters, {}), watch, of).rounds
  const found = [rounds(groupOf), rounds(new Int32Array(600))] as const
  t.true(found[0] * 5 < found[1], found.join(' '))
  t.regex(log[0] ?? '', /5 draws of \d+ held-out rows of whole groups/)
  t.regex(log[1] ?? '', /5 draws of 60 held-out rows, with/)
})

test('sparse rows give the trees that dense ones give', (t) => {
  const dense = normalRows(300, 4, createRandom(8))
  for (const cell of dense.values.keys()) if (cell % 3 !== 0) dense.values[cell] = 0
  const target = numbers(column(dense, 1).map((v, i) => v + (dense.values[i * 4] ?? 0)))
  t.deepEqual(train(dense, target, {}), train(sparseOf(dense), target, {}))
})

test('trees are repeatable by their seed, which draws the rows that each tree sees', (t) => {
  const features = normalRows(300, 3, createRandom(9))
  const target = numbers(column(features, 0).map((v, i) => v * (features.values[i] ?? 0)))
  const forest = (s: number) => train(features, target, { subsample: 0.5, early_stopping: 0, trees: 5, seed: s }).forest
  t.deepEqual(forest(1), forest(1))
  t.notDeepEqual(forest(1), forest(2))
})

test('held-out rows are drawn from everywhere, so that rows in the order of their target are learnt at both ends', (t) => {
  const x = Array.from({ length: 1000 }, (_, i) => i / 1000)
  const found = predictTree(train(matrixOf(x.map((value) => [value])), numbers(x), {}), matrixOf([[0.03], [0.97]]))
  t.true(Math.abs((found[0] ?? 0) - 0.03) < 0.02 && Math.abs((found[1] ?? 0) - 0.97) < 0.02, `${found}`)
})

test('numbers far from 0 and close together are told apart as well as small ones', (t) => {
  const micros = Array.from({ length: 200 }, (_, i) => 1.7e15 + i)
  const model = train(matrixOf(micros.map((m) => [m])), numbers(micros.map((_, i) => (i < 100 ? -5 : 5))), {})
  const found = predictTree(model, matrixOf([[1.7e15 + 99], [1.7e15 + 100]]))
  t.true((found[0] ?? 0) < -4.9 && (found[1] ?? 0) > 4.9, `${found}`)
})

test('a training ends where its watch says so', (t) => {
  const features = normalRows(30, 2)
  const stop = () => {
    throw new Error('cancelled')
  }
  const parameters = decodeParameters(treeParameters, {})
  t.throws(() => fitTree(features, numbers(column(features, 0)), parameters, { ...silent, beat: stop }), {
    message: 'cancelled',
  })
})

for (const [what, target, message] of [
  ['one class', classesOf(['a', 'a']), /one class/],
  ['no target', { kind: 'none' }, /need a target/],
] as const) {
  test(`${what}: refused, with the reason`, (t) => {
    t.throws(() => train(matrixOf([[1], [2]]), target, {}), { message })
  })
}

for (const [rows, columns, how] of [
  [200, 3, /the middle of 5 draws of 20 held-out rows, .*; all rows are learnt from in as many/],
  [2_000, 60, /with a loss of [\d.]+ on 200 held-out rows; all rows are learnt from in as many/],
] as const) {
  test(`of ${rows} x ${columns} cells no row is left out of the model whose rounds early stopping has chosen`, (t) => {
    const random = createRandom(11)
    const features = normalRows(rows, columns, random)
    const values = column(features, 0).map((value) => value + normal(random))
    const log: string[] = []
    const { base } = train(features, numbers(values), { max_depth: 2, early_stopping: 2 }, log)
    t.regex(log.join('\n'), how)
    // Boosting begins with the mean of the rows that are learnt from.
    const mean = values.reduce((sum, value) => sum + value, 0) / rows
    t.true(Math.abs((base[0] ?? 0) - mean) < 1e-12)
  })
}
