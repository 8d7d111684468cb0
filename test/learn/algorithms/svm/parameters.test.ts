import test from 'ava'
import { Refusal } from '../../../../base/refusal.ts'
import { fitSvm } from '../../../../learn/algorithms/svm/fit-svm.ts'
import { svmParameters, svmSettings } from '../../../../learn/algorithms/svm/svm-parameters.ts'
import type { Target } from '../../../../learn/dataset.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { classes, matrix, numbers, watch } from './data.ts'

const settingsOf = (body: Record<string, unknown>) => svmSettings(decodeParameters(svmParameters, body), 4)

test('parameters that are not given are those of LIBSVM', (t) => {
  t.deepEqual(settingsOf({}), {
    type: 0,
    kernel: 2,
    degree: 3,
    gamma: 0.25,
    coef0: 0,
    cost: 1,
    nu: 0.5,
    tube: 0.1,
    cacheMegabytes: 100,
    tolerance: 0.001,
    shrinking: true,
    probability: false,
    weights: [],
    seed: 1,
  })
})

test('names of LIBSVM, texts for numbers and names for codes are understood', (t) => {
  const settings = settingsOf({ svm_type: 'epsilon_svr', kernel: 'Poly', C: '8', p: 0, eps: '0.01', g: 2 })
  const { type, kernel, cost, tube, tolerance, gamma } = settings
  t.deepEqual(
    { type, kernel, cost, tube, tolerance, gamma },
    { type: 3, kernel: 1, cost: 8, tube: 0, tolerance: 0.01, gamma: 2 },
  )
})

for (const [title, body, reason] of [
  ['a parameter that does not exist', { gama: 1 }, /unknown parameter 'gama'/],
  ['a kernel that does not exist', { kernel_type: 4 }, /kernel_type/],
  ['a cost of 0', { C: 0 }, /'C' is 0/],
  ['a nu above 1', { nu: 1.5 }, /nu/],
  ['weights without labels', { weight: [1, 2] }, /weight_label has 0 entries/],
  ['balance beside weights', { class_weight: 'balanced', weight: [2], weight_label: [1] }, /class_weight.*give one/],
  ['a balance of no classes', { class_weight: 'balanced', svm_type: 1 }, /class_weight is for svm_type C_SVC/],
  ['a wrong number of weights', { nr_weight: 1, weight: [1, 2], weight_label: [1, 2] }, /nr_weight is 1/],
] as const) {
  test(`${title} is refused by name`, (t) => {
    t.throws(() => settingsOf(body), { instanceOf: Refusal, message: reason })
  })
}

const features = matrix(60, 3, 41)

test('the target decides the kind of machine where the request does not', (t) => {
  const typeFor = (target: Target, body: Record<string, number> = {}) =>
    fitSvm(features, target, decodeParameters(svmParameters, body), watch).type
  t.is(typeFor(classes(features, 2, 42)), 0)
  t.is(typeFor(numbers(features, 42)), 3)
  t.is(typeFor({ kind: 'none' }), 2)
  t.is(typeFor(numbers(features, 42), { svm_type: 4 }), 4)
})
for (const [title, target, body, reason] of [
  ['one class only', { kind: 'classes', labels: ['a'], classes: new Int32Array(60) }, {}, /one class only/],
  ['numbers for a classifier', numbers(features, 42), { svm_type: 0 }, /learn classes/],
  ['classes for a regression', classes(features, 2, 42), { svm_type: 3 }, /learn numbers/],
  [
    'a nu that the sizes of the classes do not allow',
    { kind: 'classes', labels: ['a', 'b'], classes: Int32Array.from({ length: 60 }, (_, i) => (i < 50 ? 0 : 1)) },
    { svm_type: 1, nu: 0.5 },
    /nu is 0.5, but classes of 50 and 10 rows allow 0.3333/,
  ],
] as const) {
  test(`${title}: the fit says so`, (t) => {
    const parameters = decodeParameters(svmParameters, body)
    t.throws(() => fitSvm(features, target, parameters, watch), { instanceOf: Refusal, message: reason })
  })
}
