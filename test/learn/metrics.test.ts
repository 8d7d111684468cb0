import test from 'ava'
import fc from 'fast-check'
import { addAgreement, agreementOf, joinAgreement, noAgreement } from '../../learn/agreement.ts'
import { classMetrics, clusterMetrics, numberMetrics } from '../../learn/metrics.ts'
import { areaUnderCurve, probabilityMetrics } from '../../learn/probability-metrics.ts'
import { silhouetteOf } from '../../learn/silhouette.ts'
import { matrixOf, sparseOf } from './make-data.ts'

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

test('classes: macro F1 is the mean of the labels that occur, the baseline is the most frequent label that was learnt', (t) => {
  const truth = [0, 0, 0, 1, 1, 2, 2, 2, 2, 0]
  const predicted = [0, 0, 1, 1, 2, 2, 2, 2, 2, 0]
  const metrics = classMetrics(['a', 'b', 'c', 'never'], truth, predicted, { learnt: [1, 1, 0, 3] })
  t.true(Math.abs(metrics.macro_f1 - (6 / 7 + 0.5 + 8 / 9) / 3) < 1e-15)
  t.is(metrics.baseline, 0.2)
  t.is(metrics.auc, undefined)
})

// The examples of scikit-learn's roc_auc_score, log_loss and brier_score_loss, with the figures that its documentation shows.
test('probabilities: AUC, log loss and Brier score are those of scikit-learn', (t) => {
  const two = (positive: readonly number[]) => ({ labels: 2, values: positive.flatMap((p) => [1 - p, p]) })
  t.is(probabilityMetrics([0, 0, 1, 1], two([0.1, 0.4, 0.35, 0.8])).auc, 0.75)
  const loss = probabilityMetrics([1, 0, 0, 1], two([0.9, 0.1, 0.2, 0.65])).log_loss
  t.true(Math.abs(loss - 0.21616187468057912) < 1e-15)
  t.true(Math.abs(probabilityMetrics([0, 1, 1, 0], two([0.1, 0.9, 0.8, 0.3])).brier - 0.0375) < 1e-15)
  t.is(probabilityMetrics([1, 1], two([0.5, 0.5])).auc, undefined)
  // The label that came true had a probability of 0.
  t.true(Math.abs(probabilityMetrics([1], two([0])).log_loss - 52 * Math.LN2) < 1e-12)
})

test('three labels: the AUC is the mean of each label against the rest, by the definition over all pairs', (t) => {
  const score = fc.integer({ min: 0, max: 6 })
  const row = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.tuple(score, score, score))
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
      const truth = rows.map(([label]) => label)
      const shares = rows.map(([, scores]) => scores.map((s) => (s + 1) / (scores[0] + scores[1] + scores[2] + 3)))
      const areas = [0, 1, 2].flatMap((label) => {
        const inside = shares.flatMap((own, i) => (truth[i] === label ? [own[label] ?? 0] : []))
        const outside = shares.flatMap((own, i) => (truth[i] === label ? [] : [own[label] ?? 0]))
        const won = inside.flatMap((a) => outside.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)))
        return won.length === 0 ? [] : [won.reduce<number>((sum, w) => sum + w, 0) / won.length]
      })
      const expected = areas.length === 0 ? undefined : areas.reduce((sum, area) => sum + area, 0) / areas.length
      const { auc, brier, log_loss } = probabilityMetrics(truth, { labels: 3, values: shares.flat() })
      t.is(auc === undefined, expected === undefined)
      t.true(Math.abs((auc ?? 0) - (expected ?? 0)) < 1e-12)
      const off = shares.map((own, i) =>
        own.reduce((sum, p, label) => sum + (p - (truth[i] === label ? 1 : 0)) ** 2, 0),
      )
      t.true(Math.abs(brier - off.reduce((sum, o) => sum + o, 0) / rows.length) < 1e-12)
      const costs = shares.map((own, i) => -Math.log(own[truth[i] ?? 0] ?? 0))
      t.true(Math.abs(log_loss - costs.reduce((sum, c) => sum + c, 0) / rows.length) < 1e-12)
    }),
  )
  t.is(
    areaUnderCurve(Float64Array.of(), () => true),
    undefined,
  )
  t.is(
    areaUnderCurve(Float64Array.of(Number.NaN, 1), () => true),
    undefined,
  )
})

test('the silhouette is the mean over rows of (b - a) / max(a, b), dense or sparse', (t) => {
  // Distances within: 1 and 1; between: 4, 5, 3, 4. The row alone in its cluster counts 0.
  const rows = [
    [0, 0],
    [1, 0],
    [4, 0],
    [5, 0],
    [100, 0],
  ]
  const clusters = [7, 7, 2, 2, 0]
  const expected = (2 * (3.5 / 4.5) + 2 * (2.5 / 3.5)) / 5
  t.true(Math.abs((silhouetteOf(matrixOf(rows), clusters) ?? 0) - expected) < 1e-15)
  t.true(Math.abs((silhouetteOf(sparseOf(matrixOf(rows)), clusters) ?? 0) - expected) < 1e-15)
  t.is(silhouetteOf(matrixOf(rows), [1, 1, 1, 1, 1]), undefined)
})

test('numbers: the baseline says the mean that was learnt, and nine of ten residuals lie in the interval', (t) => {
  const truth = Array.from({ length: 101 }, (_, i) => 10 + i)
  const metrics = numberMetrics(
    truth,
    truth.map(() => 10),
    60,
  )
  t.true(Math.abs(metrics.baseline - Math.sqrt(850)) < 1e-12)
  t.deepEqual(metrics.interval_90, [5, 95])
  t.true(Math.abs(numberMetrics([1, 3], [1, 1]).baseline - 1) < 1e-15)
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

test('a row that is predicted as no known label is a row of its own label, and a miss', (t) => {
  const { by_label, accuracy, confusion, macro_f1 } = classMetrics(['a', 'b'], [0, 0, 0, 1], [0, -1, -1, 1])
  t.is(accuracy, 0.5)
  t.deepEqual(by_label, [
    { label: 'a', rows: 3, precision: 1, recall: 1 / 3, f1: 0.5 },
    { label: 'b', rows: 1, precision: 1, recall: 1, f1: 1 },
  ])
  t.is(macro_f1, 0.75)
  t.deepEqual(confusion, [
    [1, 0],
    [0, 1],
  ])
  t.deepEqual(Object.keys(confusion[0] ?? []), ['0', '1'])
})

test('numbers that do not vary have an R2 of 0, whatever their mean is rounded to', (t) => {
  const truth = new Array<number>(10).fill(0.1)
  const { r2, sq_cor_coef } = numberMetrics(
    truth,
    truth.map((value, i) => value + i / 1000),
  )
  t.deepEqual([r2, sq_cor_coef], [0, 0])
})

test('numbers far from 0 correlate as the same ones near it, also when they are added up in parts', (t) => {
  const pairs = Array.from({ length: 200 }, (_, i) => [Math.sin(i), Math.sin(i) + Math.cos(3 * i)] as const)
  const sumsOf = (some: typeof pairs, far: number) =>
    some.reduce((sums, [p, target]) => addAgreement(sums, far + p, far + target), noAgreement)
  const near = agreementOf(sumsOf(pairs, 0)).sq_cor_coef
  for (const far of [1e6, 1e9]) {
    const parts = [pairs.slice(0, 70), pairs.slice(70, 71), [], pairs.slice(71)].map((some) => sumsOf(some, far))
    const found = agreementOf(parts.reduce(joinAgreement, noAgreement)).sq_cor_coef
    t.true(Math.abs(found - near) < 1e-6, `${found} in place of ${near}`)
    t.true(Math.abs(agreementOf(sumsOf(pairs, far)).sq_cor_coef - near) < 1e-6)
  }
})

test('sums that an earlier version of Weir has stored go on being added to', (t) => {
  const stored = { rows: 3, same: 0, squares: 3, p: 6, t: 9, pp: 14, tt: 29, pt: 20 }
  const own = [
    [1, 2],
    [2, 3],
    [3, 4],
    [7, 1],
  ] as const
  const sumsOf = (rows: readonly (readonly [number, number])[]) =>
    rows.reduce((sums, [p, y]) => addAgreement(sums, p, y), noAgreement)
  const { sq_cor_coef, mean_sq_err } = agreementOf(joinAgreement(stored, sumsOf(own.slice(3))))
  const expected = agreementOf(sumsOf(own))
  t.true(Math.abs(sq_cor_coef - expected.sq_cor_coef) < 1e-12)
  t.is(mean_sq_err, expected.mean_sq_err)
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
