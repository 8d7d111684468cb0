import test from 'ava'
import { fitSvm } from '../../../../learn/algorithms/svm/fit-svm.ts'
import { svmParameters } from '../../../../learn/algorithms/svm/svm-parameters.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { classes, matrix, numbers, watch } from './data.ts'

/*
 * The numbers of steps and of support vectors are those of Debian's svm-train 3.24 (-g 0.5) on these rows, written as
 * LIBSVM text. A step more or less would be another choice of variables or another shrinking; a last bit may decide
 * a step, so a hundredth is left to other processors' arithmetic.
 */
const features = matrix(300, 4, 61)
const runs: readonly (readonly [Record<string, number>, number, number])[] = [
  [{ svm_type: 0, cost: 64, shrinking: 1 }, 4310, 86],
  [{ svm_type: 0, cost: 64, shrinking: 0 }, 3130, 86],
  [{ svm_type: 1, nu: 0.25 }, 913, 98],
  [{ svm_type: 2, nu: 0.5 }, 85, 153],
  [{ svm_type: 3, cost: 16 }, 5448, 246],
  [{ svm_type: 4, cost: 16, nu: 0.5, shrinking: 1 }, 10922, 191],
  [{ svm_type: 4, cost: 16, nu: 0.5, shrinking: 0 }, 10401, 191],
]
for (const [body, iterations, vectors] of runs) {
  test(`${JSON.stringify(body)} takes the steps that svm-train takes`, (t) => {
    const target = (body.svm_type ?? 0) >= 3 ? numbers(features, 62) : classes(features, 2, 62)
    const fitted = fitSvm(features, target, decodeParameters(svmParameters, { gamma: 0.5, ...body }), watch)
    t.log(`${fitted.iterations} steps`)
    t.true(Math.abs(fitted.iterations - iterations) <= 0.01 * iterations)
    t.is(fitted.supportVectors.rows, vectors)
  })
}
