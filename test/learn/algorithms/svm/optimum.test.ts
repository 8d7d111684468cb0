import test from 'ava'
import fc from 'fast-check'
import { fitSvm } from '../../../../learn/algorithms/svm/fit-svm.ts'
import { solveTwoClasses } from '../../../../learn/algorithms/svm/formulations.ts'
import { createVectors } from '../../../../learn/algorithms/svm/rows/create-vectors.ts'
import { createKernelFunction } from '../../../../learn/algorithms/svm/rows/kernel-function.ts'
import { svmParameters, svmSettings } from '../../../../learn/algorithms/svm/svm-parameters.ts'
import type { FitWatch } from '../../../../learn/dataset.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { seed } from '../../../support/random/seed.ts'
import { classes, matrix, watch } from './data.ts'

const problem = fc.record({
  rows: fc.integer({ min: 4, max: 150 }),
  columns: fc.integer({ min: 1, max: 7 }),
  data: fc.integer({ min: 1, max: 1e6 }),
  split: fc.double({ min: 0.1, max: 0.9, noNaN: true }),
  kernel_type: fc.constantFrom(0, 1, 2),
  gamma: fc.constantFrom(0.1, 0.5, 2),
  cost: fc.constantFrom(0.1, 1, 10),
  weight: fc.constantFrom(0.5, 1, 3),
  shrinking: fc.constantFrom(0, 1),
})

test('every solution satisfies the conditions of the optimum (Karush, Kuhn, Tucker)', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const holds = ({
    rows,
    columns,
    data,
    split,
    weight,
    ...body
  }: typeof problem extends fc.Arbitrary<infer P> ? P : never) => {
    const features = matrix(rows, columns, data)
    const settings = svmSettings(decodeParameters(svmParameters, { ...body, degree: 2, coef0: 1 }), columns)
    const positives = Math.min(rows - 1, Math.max(1, Math.round(split * rows)))
    const costs = { positive: body.cost * weight, negative: body.cost }
    const all = Int32Array.from({ length: rows }, (_, i) => i)
    const { coefficients, rho } = solveTwoClasses(features, all, positives, costs, settings, watch)

    const vectors = createVectors(features)
    const kernel = createKernelFunction(settings)
    const tolerance = 2 * settings.tolerance
    if (Math.abs(coefficients.reduce((sum, value) => sum + value, 0)) > 1e-9 * rows * body.cost) return false
    return coefficients.every((coefficient, i) => {
      const values = vectors.dots(i, 0, rows).slice(0, rows)
      kernel(values, rows, vectors.squares[i] ?? 0, vectors.squares, 0)
      const y = i < positives ? 1 : -1
      const margin = y * (values.reduce((sum, value, j) => sum + value * (coefficients[j] ?? 0), 0) - rho)
      const alpha = coefficient * y
      const most = y > 0 ? costs.positive : costs.negative
      if (alpha < 0 || alpha > most) return false
      return (alpha === most || margin >= 1 - tolerance) && (alpha === 0 || margin <= 1 + tolerance)
    })
  }
  fc.assert(fc.property(problem, holds), { numRuns: 60, seed })
  t.pass()
})

test('a cache of two rows and a large one give the same model', (t) => {
  const features = matrix(900, 4, 31)
  const target = classes(features, 2, 32)
  const train = (cache_size: number) =>
    fitSvm(features, target, decodeParameters(svmParameters, { gamma: 0.5, cost: 8, cache_size }), watch)
  t.deepEqual(train(1).coefficients, train(100).coefficients)
})

test('a training that is cancelled stops within a beat, and beats tell how far it is', (t) => {
  const features = matrix(600, 4, 33)
  const target = classes(features, 3, 34)
  const parameters = decodeParameters(svmParameters, { gamma: 0.5, cost: 100, probability: 1 })
  const seen: number[] = []
  fitSvm(features, target, parameters, { ...watch, beat: (fraction) => seen.push(fraction) })
  t.true(seen.length > 10)
  t.true(seen.every((fraction, i) => fraction >= (seen[i - 1] ?? 0) && fraction <= 1))
  let beats = 0
  const cancelled: FitWatch = {
    ...watch,
    beat: () => {
      beats++
      if (beats === 3) throw new Error('cancelled')
    },
  }
  t.throws(() => fitSvm(features, target, parameters, cancelled), { message: 'cancelled' })
  t.is(beats, 3)
})
