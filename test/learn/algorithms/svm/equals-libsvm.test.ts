import test from 'ava'
import { fitSvm } from '../../../../learn/algorithms/svm/fit-svm.ts'
import { predictSvm } from '../../../../learn/algorithms/svm/predict-svm.ts'
import { svmParameters } from '../../../../learn/algorithms/svm/svm-parameters.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { classes, labelsOf, matrix, numbers, rowsOf, sparse, watch } from './data.ts'
import { runLibsvm } from './libsvm.ts'

const features = matrix(400, 6, 1)
const unseen = matrix(1000, 6, 2)

/** Our parameters, and how many classes the target has (0: numbers). */
const cases: readonly (readonly [string, number, Record<string, number>])[] = [
  ['C_SVC, RBF, two classes', 2, { gamma: 0.25, cost: 2 }],
  ['C_SVC, RBF, five classes', 5, { gamma: 0.5, cost: 4 }],
  ['C_SVC, linear', 2, { kernel_type: 0 }],
  ['C_SVC, poly', 3, { kernel_type: 1, gamma: 0.5, coef0: 1, degree: 2, cost: 8 }],
  ['C_SVC, sigmoid', 2, { kernel_type: 3, gamma: 0.125, coef0: -0.5 }],
  ['C_SVC that needs thousands of steps', 2, { gamma: 1, cost: 1024 }],
  ['C_SVC without shrinking', 2, { gamma: 0.25, shrinking: 0 }],
  ['C_SVC to a finer end', 3, { gamma: 0.25, termination_criteria: 0.00001 }],
  ['NU_SVC, two classes', 2, { svm_type: 1, nu: 0.3, gamma: 0.5 }],
  ['NU_SVC, four classes, poly', 4, { svm_type: 1, nu: 0.5, kernel_type: 1, coef0: 1, gamma: 0.5 }],
  ['ONE_CLASS, RBF', 1, { svm_type: 2, nu: 0.2, gamma: 0.5 }],
  ['ONE_CLASS, linear', 1, { svm_type: 2, nu: 0.7, kernel_type: 0 }],
  ['EPSILON_SVR, RBF', 0, { svm_type: 3, gamma: 0.25, cost: 4, eps_svr: 0.05 }],
  ['EPSILON_SVR without a tube', 0, { svm_type: 3, gamma: 0.25, eps_svr: 0 }],
  ['EPSILON_SVR, linear', 0, { svm_type: 3, kernel_type: 0, cost: 0.5 }],
  ['NU_SVR, RBF', 0, { svm_type: 4, gamma: 0.5, nu: 0.4, cost: 2 }],
  ['NU_SVR, sigmoid', 0, { svm_type: 4, kernel_type: 3, gamma: 0.0625, cost: 1 }],
]

for (const [title, count, body] of cases) {
  test(`${title}: support vectors, thresholds and predictions are those of LIBSVM`, (t) => {
    const target = count === 0 ? numbers(features, 3) : classes(features, Math.max(count, 2), 3)
    const parameters = decodeParameters(svmParameters, body)
    const fitted = fitSvm(features, target, parameters, watch)
    const values = target.kind === 'numbers' ? [...target.values] : labelsOf(target)
    const reference = runLibsvm(libsvmOptions(body), rowsOf(features), values, rowsOf(unseen))

    t.true(Math.abs(fitted.supportVectors.rows - reference.total) <= 0.005 * reference.total)
    for (const [pair, rho] of reference.rho.entries())
      t.true(Math.abs((fitted.rho[pair] ?? 0) - rho) < 2e-3 * Math.max(1, Math.abs(rho)))
    const { values: predicted } = predictSvm(fitted, unseen)
    const ours = Array.from(predicted, (value) => (count > 1 ? Number(fitted.labels[value]) : value))
    if (count === 0) {
      for (const [row, value] of ours.entries()) t.true(Math.abs(value - (reference.predictions[row] ?? 0)) < 1e-3)
    } else {
      const same = ours.filter((label, row) => label === reference.predictions[row]).length
      t.true(same >= 0.999 * unseen.rows, `${same} of ${unseen.rows} labels are the same`)
    }
  })
}

function libsvmOptions(body: Record<string, number>) {
  const { svm_type, kernel_type, eps_svr, termination_criteria, shrinking, ...same } = body
  return {
    ...same,
    type: svm_type ?? 0,
    kernel: kernel_type ?? 2,
    epsilon: eps_svr ?? 0.1,
    tolerance: termination_criteria ?? 0.001,
    shrinking: shrinking !== 0,
  }
}

test('sparse rows train the same machine as the same rows dense', (t) => {
  const thin = matrix(300, 40, 4, 0.1)
  const target = classes(thin, 3, 5)
  const parameters = decodeParameters(svmParameters, { gamma: 0.25 })
  const dense = fitSvm(thin, target, parameters, watch)
  const fromSparse = fitSvm(sparse(thin), target, parameters, watch)
  t.true('offsets' in fromSparse.supportVectors)
  t.deepEqual(fromSparse.rho, dense.rho)
  t.deepEqual(fromSparse.coefficients, dense.coefficients)
  t.deepEqual(predictSvm(fromSparse, thin).decisions, predictSvm(dense, sparse(thin)).decisions)
})

test('classes with weights are those of LIBSVM', (t) => {
  const target = classes(features, 3, 3)
  const body = { gamma: 0.25, weight_label: [3, 1], weight: ['4', 0.5], nr_weight: 2 }
  const fitted = fitSvm(features, target, decodeParameters(svmParameters, body), watch)
  const weights = { 3: 4, 1: 0.5 }
  const options = { ...libsvmOptions({ gamma: 0.25 }), weight: weights }
  const reference = runLibsvm(options, rowsOf(features), labelsOf(target), rowsOf(unseen))
  t.is(fitted.supportVectors.rows, reference.total)
  const { values } = predictSvm(fitted, unseen)
  t.deepEqual(
    Array.from(values, (value) => Number(fitted.labels[value])),
    reference.predictions,
  )
})

test('balanced classes are those with a weight of rows / (classes x rows of the class), and numbers have none', (t) => {
  const { labels, classes: all } = classes(features, 3, 3)
  const target = { kind: 'classes' as const, labels, classes: all.map((label, row) => (row % 4 === 0 ? label : 0)) }
  const counts = labels.map((_, label) => target.classes.filter((own) => own === label).length)
  const weight = counts.map((count) => target.classes.length / (3 * count))
  const lines: string[] = []
  const telling = { ...watch, log: (line: string) => lines.push(line) }
  const fitted = (body: object) =>
    fitSvm(features, target, decodeParameters(svmParameters, { gamma: 0.25, ...body }), telling)
  const [balanced, weighted] = [fitted({ class_weight: 'balanced' }), fitted({ weight_label: labels, weight })]
  t.deepEqual([balanced.rho, balanced.coefficients], [weighted.rho, weighted.coefficients])
  t.regex(lines.join('\n'), /^class weights are balanced: \d 0\.\d+, \d \d\.\d+, \d \d\.\d+$/)
  const numbers = { kind: 'numbers' as const, values: Float64Array.from(all) }
  fitSvm(features, numbers, decodeParameters(svmParameters, { class_weight: 'balanced' }), telling)
  t.is(lines.at(-1), 'class_weight does nothing: the target is no classes')
})

test('labels -1 and 1 count as 1 and -1, whichever comes first', (t) => {
  const cut = classes(features, 2, 3)
  for (const labels of [
    [-1, 1],
    [1, -1],
  ]) {
    const fitted = fitSvm(features, { ...cut, labels }, decodeParameters(svmParameters, { gamma: 0.25 }), watch)
    t.deepEqual(fitted.labels, [1, -1])
  }
})
