import { readFileSync } from 'node:fs'
import test from 'ava'
import { z } from 'zod'
import {
  fitLinear,
  type LinearModel,
  linearParameters,
  linearProbabilities,
  predictLinear,
} from '../../../../learn/algorithms/linear/index.ts'
import type { Matrix, Target } from '../../../../learn/dataset.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { createRandom } from '../../../../learn/random.ts'
import { classesOf, matrixOf, normal, normalRows, seed, silent, sparseOf } from '../../make-data.ts'

const reference = z
  .object({
    data: z.record(z.string(), z.object({ x: z.array(z.array(z.number())), y: z.array(z.number()) })),
    cases: z.array(
      z.object({
        data: z.string(),
        solver: z.number(),
        C: z.number(),
        p: z.number(),
        eps: z.number().optional(),
        weight: z.array(z.number()).optional(),
        weights: z.array(z.array(z.number())),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('reference.json', import.meta.url), 'utf8')))

const parametersOf = (body: Record<string, unknown>) => decodeParameters(linearParameters, body)

for (const { data, solver, weight, weights, ...rest } of reference.cases) {
  test(`solver ${solver} finds LIBLINEAR's weights of '${data}' with ${JSON.stringify({ ...rest, weight })}`, (t) => {
    const { x = [], y = [] } = reference.data[data] ?? {}
    const target: Target = data === 'numbers' ? { kind: 'numbers', values: Float64Array.from(y) } : classesOf(y)
    const parameters = parametersOf({
      ...rest,
      solver,
      // LIBLINEAR's labels are 1, 2, ...
      ...(weight === undefined ? {} : { weight, weight_label: weight.map((_, i) => i + 1) }),
    })
    const expected = weights.flat()
    const dense = fitLinear(matrixOf(x), target, parameters, silent)
    t.deepEqual([dense.outputs, dense.columns], [weights.length, x[0]?.length])
    t.true(distance(dense.weights, expected) < 2e-6, `${dense.weights} against ${expected}`)
    const sparse = fitLinear(sparseOf(matrixOf(x)), target, parameters, silent)
    t.true(distance(sparse.weights, expected) < 2e-6)
  })
}

test('a sharp tolerance is met by the two methods of each loss, which share no code, at the same weights', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const random = createRandom(seed)
  for (let round = 0; round < 5; round++) {
    const features = normalRows(60 + random.below(60), 1 + random.below(6), random)
    const slopes = Array.from({ length: features.columns }, () => normal(random))
    const truth = Float64Array.from({ length: features.rows }, (_, i) =>
      slopes.reduce((sum, slope, j) => sum + slope * (features.values[i * features.columns + j] ?? 0), normal(random)),
    )
    const classes = classesOf(Array.from(truth, (value) => (value > 0.3 ? 'over' : 'under')))
    if (classes.labels.length < 2) continue
    const C = 10 ** (random.uniform() * 2 - 1.5)
    const train = (solver: number, target: Target): LinearModel =>
      fitLinear(features, target, parametersOf({ solver, C, eps: 1e-10 }), silent)
    for (const [primal, dual] of [
      [0, 7],
      [2, 1],
    ] as const) {
      t.true(
        distance(train(primal, classes).weights, train(dual, classes).weights) < 1e-6,
        `${primal} and ${dual}, C ${C}`,
      )
    }
    const numbers: Target = { kind: 'numbers', values: truth }
    t.true(distance(train(11, numbers).weights, train(12, numbers).weights) < 1e-6, `11 and 12, C ${C}`)
  }
})

test('three classes without a solver are learnt together, to where the slope of their common loss is 0; a solver learns each against the rest', (t) => {
  const random = createRandom(6)
  const features = normalRows(150, 3, random)
  const classes = classesOf(
    Array.from({ length: 150 }, (_, i) => {
      const value = (features.values[3 * i] ?? 0) + 0.5 * normal(random)
      return value < -0.4 ? 'low' : value < 0.4 ? 'middle' : 'high'
    }),
  )
  const log: string[] = []
  const C = 3
  const watch = { ...silent, log: (line: string) => void log.push(line) }
  const model = fitLinear(features, classes, parametersOf({ C, eps: 1e-10 }), watch)
  t.regex(log.join('\n'), /L2R_LR of all classes together settled after \d+ passes/)
  const standard = standardized(features)
  const ofStandard = fitLinear(standard, classes, parametersOf({ C, eps: 1e-10 }), silent)
  t.true(distance(linearProbabilities(model, features), linearProbabilities(ofStandard, standard)) < 1e-6)
  // Sparse rows are learnt from as they are.
  const ofSparse = fitLinear(sparseOf(matrixOf(rowsIn(features))), classes, parametersOf({ C, eps: 1e-10 }), silent)
  for (const [rows, found] of [
    [standard, ofStandard],
    [features, ofSparse],
  ] as const) {
    const shares = linearProbabilities(found, rows)
    for (const output of [0, 1, 2]) {
      const own = found.weights.slice(4 * output, 4 * output + 4)
      for (let i = 0; i < 150; i++) {
        const error = (shares[3 * i + output] ?? 0) - (classes.classes[i] === output ? 1 : 0)
        for (const j of [0, 1, 2, 3]) own[j] = (own[j] ?? 0) + C * error * (j === 3 ? 1 : (rows.values[3 * i + j] ?? 0))
      }
      t.true(
        own.every((slope) => Math.abs(slope) < 1e-6),
        `${own}`,
      )
    }
  }

  const weightsWith = (more: Readonly<Record<string, unknown>>) =>
    fitLinear(features, classes, parametersOf({ C, eps: 1e-10, ...more }), silent).weights
  t.true(distance(weightsWith({ multi_class: 'multinomial', solver: 0 }), model.weights) < 1e-9)
  t.true(distance(weightsWith({ multi_class: 'ovr' }), weightsWith({ solver: 0 })) < 1e-9)
  t.true(distance(weightsWith({ solver: 0 }), model.weights) > 0.1)
  t.throws(() => weightsWith({ multi_class: 'multinomial', solver: 2 }), {
    message: 'multi_class multinomial is for solver 0 (L2R_LR), and solver is 2 (L2R_L2LOSS_SVC)',
  })
})

test('of classes learnt together the unit and the place of a number decide nothing, and columns of words stay as they are', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const random = createRandom(seed)
  const count = 200
  const rows = Array.from({ length: count }, () => [normal(random), Math.exp(2 * normal(random)), random.below(2)])
  const classes = classesOf(
    rows.map(([a = 0, b = 0, word = 0]) => {
      const height = a + Math.log(b) + word + normal(random)
      return height < 0 ? 'low' : height < 1 ? 'middle' : 'high'
    }),
  )
  const fitted = (features: Matrix, more: Readonly<Record<string, unknown>> = {}) => {
    const model = fitLinear(features, classes, parametersOf({ eps: 1e-10, ...more }), silent)
    return linearProbabilities(model, features)
  }
  const moved = (factor: number, shift: number) => rows.map(([a = 0, ...rest]) => [factor * a + shift, ...rest])
  for (const more of [{}, { bias: 10 }, { C: 0.01 }]) {
    const usual = fitted(matrixOf(rows), more)
    t.true(distance(fitted(matrixOf(moved(1e-6, 0)), more), usual) < 1e-6, 'another unit')
    t.true(distance(fitted(matrixOf(moved(1, 1000)), more), usual) < 1e-6, 'another place')
  }
  const withoutIntercept = { bias: -1 }
  const usual = fitted(matrixOf(rows), withoutIntercept)
  t.true(distance(fitted(matrixOf(moved(1e6, 0)), withoutIntercept), usual) < 1e-6, 'another unit, no intercept')
  t.true(distance(fitted(matrixOf(moved(1, 1)), withoutIntercept), usual) > 1e-3, 'another place, no intercept')
  const doubled = rows.map(([a = 0, b = 0, word = 0]) => [a, b, 2 * word])
  t.true(distance(fitted(matrixOf(doubled)), fitted(matrixOf(rows))) > 1e-3, 'words as numbers')
})

test('a class whose label lies between two others is found where all are learnt together', (t) => {
  const random = createRandom(2)
  const features = normalRows(300, 1, random)
  const classes = classesOf(Array.from(features.values, (value) => (value < -0.5 ? 'a' : value < 0.5 ? 'b' : 'c')))
  const right = (more: Readonly<Record<string, unknown>>): number => {
    const found = predictLinear(fitLinear(features, classes, parametersOf(more), silent), features)
    return found.filter((index, i) => index === classes.classes[i]).length
  }
  t.true(
    right({ C: 10 }) > 290 && right({ C: 10, solver: 0 }) < 290,
    `${right({ C: 10 })}, ${right({ C: 10, solver: 0 })}`,
  )
})

for (const solver of [5, 6]) {
  test(`solver ${solver} leaves at exactly 0 each weight whose first step costs more than it gains, and no other`, (t) => {
    t.log(`WEIR_SEED=${seed}`)
    const features = normalRows(300, 12)
    const isPositive = Array.from({ length: 300 }, (_, i) => (features.values[i * 12 + 3] ?? 0) > 0)
    const C = 0.05
    const { weights } = fitLinear(
      features,
      classesOf(isPositive.map(Number)),
      parametersOf({ solver, C, eps: 1e-8 }),
      silent,
    )
    const slopes = lossSlopes(features, isPositive, { solver, C, weights })
    // The penalty of a weight has the slope 1 away from 0, so a weight is needed where the slope of the loss reaches 1.
    for (const [j, weight] of weights.entries()) {
      const slope = slopes[j] ?? Number.NaN
      const isBest = weight === 0 ? Math.abs(slope) < 1 + 1e-6 : Math.abs(slope + Math.sign(weight)) < 1e-6
      t.true(isBest, `weight ${j} is ${weight}, where the loss has the slope ${slope}`)
    }
    t.true(weights[3] !== 0 && weights.includes(0), `${weights}`)
  })
}

test('a training is repeatable by its seed, and a dual method visits rows in another order with another one', (t) => {
  const features = normalRows(200, 4, createRandom(4))
  const target = classesOf(
    Array.from({ length: 200 }, (_, i) => ((features.values[i * 4] ?? 0) > 0.1 * (i % 5) ? 'a' : 'b')),
  )
  const weights = (s: number) => [...fitLinear(features, target, parametersOf({ solver: 3, seed: s }), silent).weights]
  t.deepEqual(weights(7), weights(7))
  t.notDeepEqual(weights(7), weights(8))
})

test('rows of zeros, constant and huge columns end in finite weights with every solver', (t) => {
  const rows = Array.from({ length: 40 }, (_, i) => [0, 5, i % 2 === 0 ? 1e6 * i : -1e6, i === 3 ? 0 : Math.sin(i)])
  rows.push([0, 0, 0, 0])
  const classes = classesOf(rows.map((_, i) => i % 2))
  const numbers: Target = { kind: 'numbers', values: Float64Array.from(rows, ([, , huge = 0]) => huge / 1e5) }
  for (const solver of [0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13]) {
    for (const bias of [1, -1]) {
      const target = solver > 10 ? numbers : classes
      const { weights } = fitLinear(matrixOf(rows), target, parametersOf({ solver, bias }), silent)
      t.true(weights.every(Number.isFinite), `solver ${solver}, bias ${bias}: ${weights}`)
    }
  }
})

test('a training ends where its watch says so', (t) => {
  const features = normalRows(50, 3, createRandom(1))
  const classes = classesOf(Array.from({ length: 50 }, (_, i) => i % 3))
  const numbers: Target = { kind: 'numbers', values: features.values.slice(0, 50) }
  const stop = () => {
    throw new Error('cancelled')
  }
  for (const solver of [0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13]) {
    const target = solver > 10 ? numbers : classes
    const train = () => fitLinear(features, target, parametersOf({ solver }), { beat: stop, log: () => {} })
    t.throws(train, { message: 'cancelled' }, `solver ${solver}`)
  }
})

test('balanced classes have the weights that make each cost as much', (t) => {
  const features = normalRows(90, 2, createRandom(3))
  const target = classesOf(Array.from({ length: 90 }, (_, i) => (i % 9 === 0 ? 'rare' : 'usual')))
  const learnt = (body: object) => fitLinear(features, target, parametersOf({ ...body }), silent).weights
  const balanced = learnt({ class_weight: 'balanced' })
  t.deepEqual(balanced, learnt({ weight_label: ['rare', 'usual'], weight: [4.5, 90 / 160] }))
  t.notDeepEqual(balanced, learnt({}))
})

for (const [what, body, target, message] of [
  ['numbers for a classifier', { solver: 0 }, { kind: 'numbers', values: Float64Array.of(1, 2) }, /learns classes/],
  ['classes for a regression', { solver: 'L2R_L2LOSS_SVR' }, classesOf(['a', 'b']), /learns numbers/],
  ['one class', {}, classesOf(['a', 'a']), /one class/],
  ['more weights than labels for them', { weight_label: 'a', weight: [1, 2] }, classesOf(['a', 'b']), /must agree/],
] as const) {
  test(`${what}: refused, with the reason`, (t) => {
    t.throws(() => fitLinear(matrixOf([[1], [2]]), target, parametersOf(body), silent), { message })
  })
}

test('without a solver classes are told apart by logistic regression and numbers by the squared tube', (t) => {
  const features = normalRows(30, 2, createRandom(2))
  const classes = classesOf(Array.from({ length: 30 }, (_, i) => i % 2))
  const numbers: Target = { kind: 'numbers', values: features.values.slice(0, 30) }
  t.is(fitLinear(features, classes, parametersOf({}), silent).solver, 0)
  const model = fitLinear(features, numbers, parametersOf({}), silent)
  t.is(model.solver, 11)
  t.is(predictLinear(model, features).length, 30)
})

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (entry, i) => Math.abs(entry - (b[i] ?? Number.NaN))))
}

/** The slopes of L1R_L2LOSS_SVC (5) or L1R_LR (6) by each weight, the intercept last, without the penalty. */
function lossSlopes(
  { rows, columns, values }: Matrix,
  isPositive: readonly boolean[],
  { solver, C, weights }: { solver: number; C: number; weights: Float64Array },
): Float64Array {
  const slopes = new Float64Array(weights.length)
  for (let row = 0; row < rows; row++) {
    const cells = [...values.subarray(row * columns, (row + 1) * columns), 1]
    // The first label that the rows bring is the one above 0.
    const sign = isPositive[row] === isPositive[0] ? 1 : -1
    const margin = sign * cells.reduce((sum, cell, j) => sum + cell * (weights[j] ?? 0), 0)
    const slope = solver === 5 ? -2 * Math.max(0, 1 - margin) : -1 / (1 + Math.exp(margin))
    for (const [j, cell] of cells.entries()) slopes[j] = (slopes[j] ?? 0) + C * sign * slope * cell
  }
  return slopes
}

/** Each column with the mean 0 and the deviation 1. */
function standardized({ rows, columns, values }: Matrix): Matrix {
  const facts = Array.from({ length: columns }, (_, column) => {
    const own = Float64Array.from({ length: rows }, (_, row) => values[row * columns + column] ?? 0)
    const mean = own.reduce((sum, value) => sum + value, 0) / rows
    return { mean, deviation: Math.sqrt(own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rows) }
  })
  const moved = values.map((value, cell) => {
    const { mean = 0, deviation = 1 } = facts[cell % columns] ?? {}
    return (value - mean) / deviation
  })
  return { rows, columns, values: moved }
}

function rowsIn({ rows, columns, values }: { rows: number; columns: number; values: Float64Array }): number[][] {
  return Array.from({ length: rows }, (_, row) => [...values.subarray(row * columns, (row + 1) * columns)])
}
