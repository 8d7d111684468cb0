import test from 'ava'
import fc from 'fast-check'
import { addAgreement, agreementOf, joinAgreement, noAgreement } from '../../learn/agreement.ts'
import { classMetrics, clusterMetrics, numberMetrics } from '../../learn/metrics.ts'

// The figures of scikit-learn's confusion_matrix, precision_recall_fscore_support and accuracy_score for the same rows.
test('classes: accuracy, confusion, and precision, recall and F1 by label', (t) => {
  const truth = [0, 0, 0, 1, 1, 2, 2, 2, 2, 0]
  const predicted = [0, 0, 1, 1, 2, 2, 2, 2, 2, 0]
  const metrics = classMetrics(['a', 'b', 'c'], truth, predicted)
  t.is(metrics.accuracy, 0.8)
  t.deepEqual(metrics.confusion, [
    [3, 1, 0],
    [0, 1, 1],
    [0, 0, 4],
  ])
  t.deepEqual(metrics.by_label, [
    { label: 'a', rows: 4, precision: 1, recall: 0.75, f1: 6 / 7 },
    { label: 'b', rows: 2, precision: 0.5, recall: 0.5, f1: 0.5 },
    { label: 'c', rows: 4, precision: 0.8, recall: 1, f1: 8 / 9 },
  ])
})

test('a label that no row has, and that none is predicted to have, is 0 throughout', (t) => {
  const { by_label } = classMetrics([1, 2], [0, 0], [0, 0])
  t.deepEqual(by_label[1], { label: 2, rows: 0, precision: 0, recall: 0, f1: 0 })
})

test('numbers: RMSE, MAE, R2 and the squared correlation', (t) => {
  const metrics = numberMetrics([3, -0.5, 2, 7], [2.5, 0, 2, 8])
  t.is(metrics.rmse, Math.sqrt(0.375))
  t.is(metrics.mae, 0.5)
  t.true(Math.abs(metrics.r2 - 0.9486081370449679) < 1e-15)
  t.true(Math.abs(metrics.sq_cor_coef - 0.9699681653424413) < 1e-15)
  t.is(numberMetrics([2, 2], [1, 3]).r2, 0)
})

test('clusters: inertia and sizes', (t) => {
  t.deepEqual(clusterMetrics(3, [0, 2, 2], [1, 2, 3]), { rows: 3, inertia: 14, sizes: [1, 0, 2] })
})

test('agreement is what svm-predict prints, also when it is added up in parts', (t) => {
  const pair = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }))
  fc.assert(
    fc.property(fc.array(pair, { minLength: 2, maxLength: 30 }), fc.nat(), (pairs, cut) => {
      const add = (rows: typeof pairs) => rows.reduce((sums, [p, target]) => addAgreement(sums, p, target), noAgreement)
      const at = cut % pairs.length
      const agreement = agreementOf(joinAgreement(add(pairs.slice(0, at)), add(pairs.slice(at))))
      const n = pairs.length
      const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / n
      const [mp, mt] = [mean(pairs.map(([p]) => p)), mean(pairs.map(([, v]) => v))]
      const covariance = mean(pairs.map(([p, v]) => (p - mp) * (v - mt)))
      const variances = mean(pairs.map(([p]) => (p - mp) ** 2)) * mean(pairs.map(([, v]) => (v - mt) ** 2))
      t.is(agreement.user_pred_accuracy, (100 * pairs.filter(([p, v]) => p === v).length) / n)
      t.true(Math.abs(agreement.mean_sq_err - mean(pairs.map(([p, v]) => (p - v) ** 2))) < 1e-9)
      t.true(Math.abs(agreement.sq_cor_coef - (variances > 1e-12 ? covariance ** 2 / variances : 0)) < 1e-9)
    }),
  )
})

test('labels that are texts agree as texts, and a row without a target counts in nothing', (t) => {
  const sums = addAgreement(addAgreement(addAgreement(noAgreement, 'a', 'a'), 'b', 'a'), 'b', undefined)
  t.deepEqual(agreementOf(sums), { user_pred_accuracy: 50, mean_sq_err: 0, sq_cor_coef: 0 })
  t.is(agreementOf(addAgreement(noAgreement, 1, '+1')).user_pred_accuracy, 100)
})
