import test from 'ava'
import { svmGrid, svmParameters, tunableSvm, tunedSvmParameters } from '../../../learn/algorithms/svm/index.ts'
import type { Features, Target } from '../../../learn/dataset.ts'
import { decodeParameters } from '../../../learn/parameters.ts'
import { selectRows } from '../../../learn/select-rows.ts'
import { type Outcome, type Point, simplestOf } from '../../../learn/tuning/choose.ts'
import { crossValidate, judgeLabels } from '../../../learn/tuning/cross-validate.ts'
import { foldRows } from '../../../learn/tuning/folds.ts'
import { bendOf, costExponents, gammaExponents, gridOf, powersOfTwo } from '../../../learn/tuning/grid.ts'
import { cutFolds, cutTogether, sampleRows } from '../../../learn/tuning/strata.ts'
import { createBudget, type Trial, tune } from '../../../learn/tuning/tune.ts'
import { byCrossValidation } from '../../../learn/tuning/tuning.ts'
import { classes, labelsOf, matrix, numbers, rowsOf, watch } from '../algorithms/svm/data.ts'
import { runLibsvm } from '../algorithms/svm/libsvm.ts'

/** Each fold's data are its rows as they are. */
const folded = (features: Features, target: Target, seed = 1) =>
  foldRows(target, { rows: features.rows, seed }, () => (places) => selectRows(features, places))

const total = (losses: Float64Array | undefined): number => losses?.reduce((sum, loss) => sum + loss, 0) ?? Number.NaN

test('the grid has the exponents and steps that train_speed names', (t) => {
  t.deepEqual(powersOfTwo(costExponents, 1).map(Math.log2), [-5, -1, 3, 7, 11])
  t.deepEqual(powersOfTwo(costExponents, 2).map(Math.log2), [-5, -2, 1, 4, 7, 10, 13])
  t.deepEqual(powersOfTwo(gammaExponents, 3).map(Math.log2), [-13, -11, -9, -7, -5, -3, -1, 1, 3])
  t.is(powersOfTwo(costExponents, 4).length, 19)
  t.is(powersOfTwo(gammaExponents, 5).length, 33)
  const points = gridOf({ cost: [1, 2, 4], gamma: [1, 3] })
  t.is(new Set(points.map(({ cost, gamma }) => `${cost} ${gamma}`)).size, 6)
  t.is(points[0]?.cost, 2)
})

test('the greatest costs of a machine are tried last', (t) => {
  const costs = svmGrid(decodeParameters(svmParameters, {}), 2).map(({ cost = 0 }) => Math.log2(cost))
  t.deepEqual(costs.slice(24), [...Array(6).fill(7), ...Array(6).fill(10), ...Array(6).fill(13)])
  t.is(costs[0], 4)
})

test('a machine is tuned over the parameters that it has', (t) => {
  const axes = (body: Record<string, number>) => {
    const points = svmGrid(decodeParameters(svmParameters, body), 1)
    return [points.length, ...Object.keys(points[0] ?? {})]
  }
  t.deepEqual(axes({}), [25, 'cost', 'gamma'])
  t.deepEqual(axes({ kernel_type: 0 }), [5, 'cost'])
  t.deepEqual(axes({ svm_type: 1 }), [5, 'gamma'])
  t.deepEqual(axes({ svm_type: 2 }), [0])
})

test('folds and samples hold of each class its share', (t) => {
  const target: Target = {
    kind: 'classes',
    labels: ['often', 'seldom', 'rare'],
    classes: Int32Array.from({ length: 1000 }, (_, i) => (i % 10 === 0 ? 1 : i % 101 === 0 ? 2 : 0)),
  }
  const count = (rows: Int32Array, index: number) => rows.filter((row) => target.classes[row] === index).length
  const folds = cutFolds(target, 1000, 5, 3)
  t.deepEqual(
    [...folds.flatMap((fold) => [...fold])].toSorted((a, b) => a - b),
    Array.from({ length: 1000 }, (_, i) => i),
  )
  t.deepEqual(
    folds.map((fold) => count(fold, 1)),
    [20, 20, 20, 20, 20],
  )
  for (const fold of folds) t.true(count(fold, 2) >= 1)
  const sample = sampleRows(target, 1000, 100, 3)
  t.deepEqual([count(sample, 1), count(sample, 2)], [10, 2])
  t.deepEqual(sample, sampleRows(target, 1000, 100, 3))
  t.notDeepEqual(sample, sampleRows(target, 1000, 100, 4))
})

test('folds are of whole groups, the greatest ones apart, or of rows that follow each other in time', (t) => {
  const shown = (folds: readonly Int32Array[]) => folds.map((fold) => [...fold])
  const groups = Int32Array.of(7, 3, 7, 7, 4, 3, 5, 7)
  t.deepEqual(shown(cutTogether({ by: 'group', of: groups }, 3)), [
    [0, 2, 3, 7],
    [1, 5],
    [4, 6],
  ])
  t.deepEqual(shown(cutTogether({ by: 'group', of: Int32Array.of(1, 2, 1) }, 5)), [[0, 2], [1]])
  t.deepEqual(shown(cutTogether({ by: 'time', of: Int32Array.of(5, 0, 4, 1, 3, 2) }, 3)), [
    [1, 3],
    [4, 5],
    [0, 2],
  ])
  const target: Target = { kind: 'numbers', values: Float64Array.of(1, 2, 3, 4, 5) }
  const one = { rows: 5, seed: 1, together: { by: 'group', of: new Int32Array(5) } } as const
  t.is(foldRows(target, one, () => () => undefined).folds.length, 5, 'one group alone: rows by chance')
})

test('cross-validation counts the rows that LIBSVM, trained on the other folds, labels wrong', (t) => {
  const features = matrix(200, 4, 51)
  const target = classes(features, 3, 52)
  const data = folded(features, target)
  const tried = crossValidate(tunableSvm, data, decodeParameters(svmParameters, { gamma: 0.5 }), watch)
  const labels = labelsOf(target)
  const pick = <Item>(items: readonly Item[], rows: ArrayLike<number>) =>
    Array.from(rows, (row) => items[row]).filter((item) => item !== undefined)
  let wrong = 0
  for (const { held } of data.folds) {
    const rest = [...labels.keys()].filter((row) => !held.includes(row))
    const { predictions } = runLibsvm(
      { type: 0, kernel: 2, gamma: 0.5, cost: 1, tolerance: 0.001 },
      pick(rowsOf(features), rest),
      pick(labels, rest),
      pick(rowsOf(features), held),
    )
    wrong += predictions.filter((label, i) => label !== labels[held[i] ?? -1]).length
  }
  t.is(total(tried?.losses), wrong)
  t.is(tried?.folds.length, 5)
  t.true(Math.abs((tried?.performance ?? 0) - (1 - wrong / 200)) < 1e-12)
})

test('where the rest of a fold has one class, that is what is predicted for the fold', (t) => {
  const features = { rows: 10, columns: 1, values: Float64Array.from({ length: 10 }, (_, i) => (i === 0 ? 9 : i / 10)) }
  const target: Target = { kind: 'classes', labels: ['rare', 'often'], classes: new Int32Array(10).fill(1, 1) }
  const parameters = decodeParameters(svmParameters, {})
  // Only the lone row is told wrong.
  t.is(total(crossValidate(tunableSvm, folded(features, target), parameters, watch)?.losses), 1)
})

test('an error costs what its class does', (t) => {
  const features = { rows: 10, columns: 1, values: new Float64Array(10) }
  const target: Target = { kind: 'classes', labels: ['rare', 'often'], classes: new Int32Array(10).fill(1, 2) }
  const losses = (own: Record<string, unknown>) =>
    crossValidate(
      { fitModel: () => 'often', judge: (label, { rows }, truth) => judgeLabels(new Array(rows).fill(label), truth) },
      folded(features, target),
      decodeParameters(svmParameters, own),
      watch,
    )?.losses
  t.is(total(losses({})), 2)
  t.is(total(losses({ weight_label: ['rare'], weight: [3] })), 6)
  t.is(total(losses({ class_weight: 'balanced' })), 5)
})

/** An outcome whose losses are those of the rows. */
const outcome = (name: number, complexity: number, losses: readonly number[]): Outcome => ({
  values: { name },
  losses: Float64Array.from(losses),
  folds: [],
  performance: 0,
  complexity,
})
const repeated = (pattern: readonly number[], times: number): number[] =>
  Array.from({ length: times }, () => pattern).flat()

const chosen: readonly (readonly [string, number, readonly Outcome[]])[] = [
  ['a tie', 1, [outcome(2, 9, repeated([0, 1], 50)), outcome(1, 3, repeated([0, 1], 50))]],
  // 7 rows lost and 4 won: 3 are less than the square root of 11.
  [
    'a difference within one standard error',
    1,
    [
      outcome(2, 9, [...repeated([0], 96), ...repeated([1], 4)]),
      outcome(1, 3, [...repeated([0], 89), ...repeated([1], 7), ...repeated([0], 4)]),
    ],
  ],
  // 7 lost and none won: more than the square root of 7.
  [
    'a difference beyond it',
    2,
    [outcome(2, 9, repeated([0], 100)), outcome(1, 3, [...repeated([0], 93), ...repeated([1], 7)])],
  ],
  [
    'many that are as good',
    1,
    [
      outcome(4, 8, repeated([1, 0], 20)),
      outcome(1, 2, repeated([0, 1], 20)),
      outcome(3, 7, repeated([0, 1], 20)),
      outcome(0, 1, repeated([1, 1], 20)),
    ],
  ],
  ['squared errors of one row that is far off', 1, [outcome(2, 9, [0, 0, 0, 90]), outcome(1, 3, [0, 0, 0, 100])]],
]
for (const [what, name, outcomes] of chosen) {
  test(`${what}: the simplest that is as good as the best is chosen`, (t) => {
    t.is(simplestOf(outcomes)?.values.name, name)
    t.is(simplestOf(outcomes.toReversed())?.values.name, name)
  })
}

test('the best point leads and the simplest as good is chosen, though hopeless points are given up early', (t) => {
  const features = matrix(100, 3, 53)
  for (const target of [classes(features, 2, 54), numbers(features, 54)]) {
    const parameters = decodeParameters(svmParameters, { svm_type: target.kind === 'classes' ? 0 : 3 })
    const candidates = svmGrid(parameters, 1).filter(({ cost }) => (cost ?? 0) < 100)
    const data = folded(features, target)
    const search = () => ({
      candidates,
      trial: byCrossValidation(tunableSvm, bendOf).open({ data, parameters, candidates }, watch),
      budget: createBudget(60),
    })
    const tuned = tune(search(), watch)
    const whole = candidates.flatMap((values) => {
      const found = crossValidate(tunableSvm, data, { ...parameters, ...values }, watch)
      return found === undefined ? [] : [{ values, complexity: bendOf(values), ...found }]
    })
    const least = Math.min(...whole.map(({ losses }) => total(losses)))
    t.is(total(tuned.best?.losses), least)
    t.deepEqual(tuned.chosen, simplestOf(whole))
    t.true(tuned.abandoned > 0)
    t.deepEqual(tuned, tune(search(), watch))
  }
})

/** Each row loses the parameter `guess`, with as many beats as parameter `work` says. */
const guessing: Trial = (values, { beat }) => {
  for (let i = 0; i < (values.work ?? 1); i++) beat(0)
  const guess = values.guess ?? 0
  return [{ values, losses: new Float64Array(50).fill(guess), folds: [guess], performance: guess, complexity: -guess }]
}
const inTime = () => createBudget(60)

/** The second of two points after a leader of complexity 5 that has lost one row in ten: after a fold of 10 rows it has lost `lost` of them. */
function second({ lost, complexity, work }: { lost: number; complexity: number; work: number }): boolean {
  let isGivenUp: boolean | undefined
  const trial: Trial = ({ point = 0 }, { beat }, isHopeless) => {
    for (let i = 0; i < (point === 0 ? 1_000 : work); i++) beat(0)
    const losses = Float64Array.from({ length: 50 }, (_, row) => Number(row % 10 === 0))
    if (point === 1) {
      losses.fill(Number.NaN)
      for (let row = 0; row < 10; row++) losses[row] = Number(row < lost)
      isGivenUp = isHopeless(losses, complexity)
      return []
    }
    return [{ values: { point }, losses, folds: [0.9], performance: 0.9, complexity: 5 }]
  }
  tune({ candidates: [{ point: 0 }, { point: 1 }], trial, budget: inTime() }, watch)
  return isGivenUp ?? true
}
test('a point that is no simpler than the leader and costs half as much or more goes on while it is not behind', (t) => {
  t.true(second({ lost: 2, complexity: 5, work: 101 }))
  t.false(second({ lost: 1, complexity: 5, work: 101 }), 'not behind')
  t.false(second({ lost: 2, complexity: 5, work: 100 }), 'a fifth of the rows for a tenth of the work')
  t.false(second({ lost: 2, complexity: 4, work: 101 }), 'simpler')
})

test('a point that cannot lead any more goes on where it is simpler and may be as good', (t) => {
  t.true(second({ lost: 6, complexity: 5, work: 1 }))
  t.false(second({ lost: 5, complexity: 5, work: 1 }), 'it may still lead')
  t.true(second({ lost: 6, complexity: 4, work: 1 }), 'far behind')
})

test('a point that takes far more work than those that led is given up', (t) => {
  const candidates = [{ guess: 2 }, { guess: 0, work: 100_000 }, { guess: 1 }]
  const tuned = tune({ candidates, trial: guessing, budget: inTime() }, watch)
  t.like(tuned, { tried: 3, abandoned: 1, isOutOfTime: false })
  t.deepEqual(tuned.chosen?.values, { guess: 1 })
})

const candidates: readonly Point[] = [{ guess: 3 }, { guess: 2 }, { guess: 1 }, { guess: 0 }]
/** The clock stands still but for the beats of a trial, each a second. */
const clocked = (seconds: number) => {
  let clock = 0
  const budget = createBudget(seconds, () => clock)
  const trial: Trial = (values, own, isHopeless) => {
    clock += 1000
    return guessing(values, own, isHopeless)
  }
  return tune({ candidates, trial, budget }, watch)
}

test('when the budget is over, the best of the candidates that were tried by then is taken', (t) => {
  for (const seconds of [2, 3, 4]) {
    const tuned = clocked(seconds)
    t.like(tuned, { tried: seconds - 1, isOutOfTime: true }, `${seconds} s`)
    t.deepEqual(tuned.chosen?.values, candidates[seconds - 2])
  }
  t.like(clocked(5), { tried: 4, isOutOfTime: false })
  t.deepEqual(clocked(1), { tried: 0, abandoned: 0, isOutOfTime: true })
})

test('a cancelled tuning stops, it is not taken for a costly point', (t) => {
  const beat = () => {
    throw new Error('cancelled')
  }
  t.throws(() => tune({ candidates, trial: guessing, budget: inTime() }, { ...watch, beat }), { message: 'cancelled' })
})

test('tuned parameters are told under the names of a training record', (t) => {
  const told = tunedSvmParameters(decodeParameters(svmParameters, { cost: 8, gamma: 0.25 }), 4, 0.9)
  t.deepEqual(told, {
    C: 8,
    g: 0.25,
    eps: 0.001,
    p: 0.1,
    nu: 0.5,
    degree: 3,
    coef0: 0,
    kernel_type: 2,
    svm_type: 0,
    cache_size: 100,
    shrinking: 1,
    prob: 0,
    nr_weight: 0,
    train_perf: 0.9,
  })
})
