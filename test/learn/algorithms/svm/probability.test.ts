import test from 'ava'
import { fitSvm } from '../../../../learn/algorithms/svm/fit-svm.ts'
import { predictSvm } from '../../../../learn/algorithms/svm/predict-svm.ts'
import { createLibcRandom } from '../../../../learn/algorithms/svm/probability/libc-random.ts'
import { svmParameters } from '../../../../learn/algorithms/svm/svm-parameters.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { classes, matrix, numbers, watch } from './data.ts'

/*
 * The expected values are those of Debian's svm-train 3.24 (svm-train -b 1 -g 0.5 ...; probA and probB of its model
 * file) and svm-predict -b 1 on these rows, written as LIBSVM text. svm-train draws its folds by rand() without a seed,
 * and reads -g and -n in single precision, so both are sums of powers of 2 here.
 */
const features = matrix(120, 4, 21)
const train = (body: Record<string, number>, classCount: number) => {
  const target = classCount === 0 ? numbers(features, 22) : classes(features, classCount, 22)
  return fitSvm(features, target, decodeParameters(svmParameters, { probability: 1, gamma: 0.5, ...body }), watch)
}

const machines: readonly (readonly [string, Record<string, number>, number, readonly number[], readonly number[]])[] = [
  ['C_SVC, two classes', {}, 2, [-2.1294509064670559], [0.0071673807448688559]],
  ['C_SVC of cost 8', { cost: 8 }, 2, [-1.4634420665425369], [-0.0034054902231756435]],
  [
    'C_SVC, three classes',
    {},
    3,
    [-1.7439330131050206, -1.7285667076492552, -2.9912917680037792],
    [0.076294463096823764, 0.039778669269927625, -0.24597607262334042],
  ],
  ['NU_SVC', { svm_type: 1, nu: 0.25 }, 2, [-1.2299757350456453], [-0.054419999208915534]],
]
for (const [title, body, count, slopes, shifts] of machines) {
  test(`${title}: the sigmoids are those of svm-train`, (t) => {
    const { sigmoids } = train(body, count)
    t.is(sigmoids?.length, slopes.length)
    for (const [pair, { slope, shift }] of (sigmoids ?? []).entries()) {
      t.true(Math.abs(slope - (slopes[pair] ?? 0)) < 1e-6)
      t.true(Math.abs(shift - (shifts[pair] ?? 0)) < 1e-6)
    }
  })
}

for (const [body, scale] of [
  [{ svm_type: 3, cost: 4 }, 0.40126650441290579],
  [{ svm_type: 4, cost: 4, nu: 0.25 }, 0.46892706643116705],
] as const) {
  test(`a regression of type ${body.svm_type} has the Laplace scale of svm-train`, (t) => {
    t.true(Math.abs((train(body, 0).laplaceScale ?? 0) - scale) < 1e-5)
  })
}

test('probabilities of two classes are those of svm-predict', (t) => {
  const { probabilities } = predictSvm(train({}, 2), features)
  const expected = [0.700113, 0.299887, 0.573564, 0.426436, 0.874922, 0.125078]
  for (const [i, p] of expected.entries()) t.true(Math.abs((probabilities?.[i] ?? 0) - p) < 1e-5)
})

test('probabilities of three classes are those of svm-predict to where its iteration stops', (t) => {
  const { probabilities } = predictSvm(train({}, 3), features)
  const expected = [0.415809, 0.210308, 0.373882, 0.505523, 0.173739, 0.320738, 0.630482, 0.0507541, 0.318764]
  for (const [i, p] of expected.entries()) t.true(Math.abs((probabilities?.[i] ?? 0) - p) < 0.005 / 3)
})

test('the seed decides the folds, and the same seed gives the same model', (t) => {
  t.deepEqual(train({ seed: 5 }, 2), train({ seed: 5 }, 2))
  t.notDeepEqual(train({ seed: 5 }, 2).sigmoids, train({ seed: 6 }, 2).sigmoids)
})

test('random numbers are those of the C library', (t) => {
  // glibc: rand() without srand, and after srand(7).
  const first = createLibcRandom(1)
  t.deepEqual([first(), first(), first()], [1804289383, 846930886, 1681692777])
  const second = createLibcRandom(7)
  const drawn = Array.from({ length: 400 }, second)
  t.deepEqual([drawn[0], drawn[1], drawn[398], drawn[399]], [1045618677, 1863967299, 89185582, 2134349785])
})
