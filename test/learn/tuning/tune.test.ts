import test from 'ava'
import { svmGrid, svmParameters, tunableSvm, tunedSvmParameters } from '../../../learn/algorithms/svm/index.ts'
import type { Features, FitWatch, Target } from '../../../learn/dataset.ts'
import { decodeParameters, numberOf } from '../../../learn/parameters.ts'
import { crossValidate, type Tunable } from '../../../learn/tuning/cross-validate.ts'
import { costExponents, gammaExponents, gridOf, powersOfTwo } from '../../../learn/tuning/grid.ts'
import { cutFolds, sampleRows } from '../../../learn/tuning/strata.ts'
import { tune } from '../../../learn/tuning/tune.ts'
import { classes, labelsOf, matrix, numbers, rowsOf, watch } from '../algorithms/svm/data.ts'
import { runLibsvm } from '../algorithms/svm/libsvm.ts'

const options = { seed: 1, seconds: 60 }

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

test('cross-validation counts the rows that LIBSVM, trained on the other folds, labels wrong', (t) => {
  const features = matrix(200, 4, 51)
  const target = classes(features, 3, 52)
  const folds = cutFolds(target, 200, 5, 1)
  const { loss } = crossValidate(
    tunableSvm,
    { features, target, folds },
    decodeParameters(svmParameters, { gamma: 0.5 }),
    watch,
  )
  const labels = labelsOf(target)
  const pick = <Item>(items: readonly Item[], rows: ArrayLike<number>) =>
    Array.from(rows, (row) => items[row]).filter((item) => item !== undefined)
  let wrong = 0
  for (const held of folds) {
    const rest = [...labels.keys()].filter((row) => !held.includes(row))
    const { predictions } = runLibsvm(
      { type: 0, kernel: 2, gamma: 0.5, cost: 1, tolerance: 0.001 },
      pick(rowsOf(features), rest),
      pick(labels, rest),
      pick(rowsOf(features), held),
    )
    wrong += predictions.filter((label, i) => label !== labels[held[i] ?? -1]).length
  }
  t.is(loss, wrong)
})

test('where the rest of a fold has one class, that is what is predicted for the fold', (t) => {
  const features = { rows: 10, columns: 1, values: Float64Array.from({ length: 10 }, (_, i) => (i === 0 ? 9 : i / 10)) }
  const target: Target = { kind: 'classes', labels: ['rare', 'often'], classes: new Int32Array(10).fill(1, 1) }
  const parameters = decodeParameters(svmParameters, {})
  for (const count of [2, 5, 10]) {
    const folds = cutFolds(target, 10, count, 1)
    // Only the lone row is told wrong.
    t.is(crossValidate(tunableSvm, { features, target, folds }, parameters, watch).loss, 1, `${count} folds`)
  }
})

test('the chosen point is the best of the whole grid, though hopeless points are given up early', (t) => {
  const features = matrix(100, 3, 53)
  for (const target of [classes(features, 2, 54), numbers(features, 54)]) {
    const parameters = decodeParameters(svmParameters, { svm_type: target.kind === 'classes' ? 0 : 3 })
    const grid = svmGrid(parameters, 1).filter(({ cost }) => (cost ?? 0) < 100)
    const tuned = tune(tunableSvm, features, target, parameters, { ...options, grid }, watch)
    const folds = cutFolds(target, 100, 5, 1)
    const losses = grid.map(
      (point) => crossValidate(tunableSvm, { features, target, folds }, { ...parameters, ...point }, watch).loss,
    )
    const least = Math.min(...losses)
    t.is(tuned.performance, target.kind === 'classes' ? 1 - least / 100 : least / 100)
    t.like(tuned.parameters, grid[losses.indexOf(least)] ?? {})
    t.true(tuned.abandoned > 0)
    t.deepEqual(tuned, tune(tunableSvm, features, target, parameters, { ...options, grid }, watch))
  }
})

/** Predicts the parameter `guess` for every row, with as many beats as parameter `work` says. */
const guessing: Tunable<number> = {
  fitModel: (_features: Features, _target: Target, parameters, { beat }: FitWatch) => {
    for (let i = 0; i < numberOf(parameters, 'work', 1); i++) beat(0)
    return numberOf(parameters, 'guess')
  },
  predict: (guess, features) => new Float64Array(features.rows).fill(guess),
}
const zeros: Target = { kind: 'numbers', values: new Float64Array(50) }

test('a point that takes far more work than those that led is given up', (t) => {
  const grid = [{ guess: 2 }, { guess: 0, work: 100_000 }, { guess: 1 }]
  const tuned = tune(guessing, matrix(50, 1, 1), zeros, {}, { ...options, grid }, watch)
  t.deepEqual(tuned, { parameters: { guess: 1 }, performance: 1, tried: 3, abandoned: 1 })
})

test('when the time is over the best point so far is taken, and the log says so', (t) => {
  let clock = 0
  const lines: string[] = []
  const slow: Tunable<number> = {
    ...guessing,
    fitModel: (...rest) => {
      clock += 200
      return guessing.fitModel(...rest)
    },
  }
  const grid = [{ guess: 3 }, { guess: 2 }, { guess: 1 }, { guess: 0 }]
  const logging = { ...watch, log: (line: string) => lines.push(line) }
  const timed = { ...options, grid, seconds: 2, now: () => clock }
  const tuned = tune(slow, matrix(50, 1, 1), zeros, {}, timed, logging)
  t.like(tuned, { parameters: { guess: 2 }, tried: 3, abandoned: 1 })
  t.deepEqual(lines, ['tuning stopped after 2 s with 3 of 4 points tried'])
})

test('a cancelled tuning stops, it is not taken for a costly point', (t) => {
  const beat = () => {
    throw new Error('cancelled')
  }
  t.throws(
    () => tune(guessing, matrix(50, 1, 1), zeros, {}, { ...options, grid: [{ guess: 1 }] }, { ...watch, beat }),
    { message: 'cancelled' },
  )
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
