import { readFileSync } from 'node:fs'
import test from 'ava'
import { z } from 'zod'
import {
  fitLinear,
  type LinearModel,
  linearParameters,
  predictLinear,
} from '../../../../learn/algorithms/linear/index.ts'
import type { Target } from '../../../../learn/dataset.ts'
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

for (const solver of [5, 6]) {
  test(`solver ${solver} leaves weights that the data do not need at exactly 0`, (t) => {
    t.log(`WEIR_SEED=${seed}`)
    const features = normalRows(300, 12)
    const target = classesOf(Array.from({ length: 300 }, (_, i) => ((features.values[i * 12 + 3] ?? 0) > 0 ? 1 : 0)))
    const { weights } = fitLinear(features, target, parametersOf({ solver, C: 0.05 }), silent)
    const kept = [...weights.keys()].filter((j) => weights[j] !== 0)
    t.true(kept.includes(3) && kept.length < 6, `${weights}`)
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
