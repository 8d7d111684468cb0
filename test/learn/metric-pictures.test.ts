import test from 'ava'
import fc from 'fast-check'
import { probabilityCurves } from '../../learn/probability-curves.ts'
import { createRandom } from '../../learn/random.ts'
import { residualFigures } from '../../learn/residuals.ts'

const two = (positive: readonly number[]) => positive.flatMap((p) => [1 - p, p])

// The example of scikit-learn's roc_curve.
test('the ROC curve has the points of scikit-learn, from nothing taken to everything taken', (t) => {
  const [curve] = probabilityCurves(['a', 'b'], [0, 0, 1, 1], two([0.1, 0.4, 0.35, 0.8]))?.roc ?? []
  t.deepEqual(curve, {
    label: 'b',
    auc: 0.75,
    threshold: [1, 0.8, 0.4, 0.35, 0.1],
    true_positive: [0, 0.5, 0.5, 1, 1],
    false_positive: [0, 0, 0.5, 0.5, 1],
  })
})

test('each threshold of a ROC curve finds the rows of its point, and has few digits where these do', (t) => {
  const reached = (scores: readonly number[], threshold: number) => scores.filter((score) => score >= threshold).length
  for (const scores of [
    [0.12346, 0.12344, 0.9],
    [3e-5, 2e-5, 1e-9, 0],
    [0.123456789, 0.123456788, 0.5],
    [1 - 2 ** -53, 1 - 2 ** -52, 0.1],
  ]) {
    const truth = scores.map((_, i) => i % 2)
    const [curve] = probabilityCurves(['a', 'b'], truth, two(scores))?.roc ?? []
    for (const [at, threshold] of curve?.threshold.entries() ?? []) {
      const positives = scores.filter((_, i) => truth[i] === 1)
      const negatives = scores.filter((_, i) => truth[i] === 0)
      t.true(Math.abs(reached(positives, threshold) / positives.length - (curve?.true_positive[at] ?? 0)) < 1e-4)
      t.true(Math.abs(reached(negatives, threshold) / negatives.length - (curve?.false_positive[at] ?? 0)) < 1e-4)
    }
  }
  t.deepEqual(probabilityCurves(['a', 'b'], [0, 1], two([0.1, 2 / 3]))?.roc[0]?.threshold, [1, 0.666666, 0.1])
})

test('of two labels the curves are those of the greater one, whichever stands first', (t) => {
  const curves = probabilityCurves(['yes', 'no'], [0, 1, 0], two([0.1, 0.9, 0.4]))
  t.deepEqual(
    curves?.roc.map(({ label, auc }) => ({ label, auc })),
    [{ label: 'yes', auc: 1 }],
  )
  t.deepEqual(curves?.calibration[0]?.bins, [
    { rows: 1, predicted: 0.1, observed: 0 },
    { rows: 1, predicted: 0.6, observed: 1 },
    { rows: 1, predicted: 0.9, observed: 1 },
  ])
})

test('however many rows and labels there are, curves stay small, rise, and enclose the area that is said', (t) => {
  const { uniform } = createRandom(3)
  const labels = Array.from({ length: 30 }, (_, i) => `label${i}`)
  const truth = labels.flatMap((_, place) => new Array<number>(150 - 4 * place).fill(place))
  const values = truth.flatMap((own) => labels.map((_, place) => (place === own ? 0.3 : 0) + 0.7 * uniform()))
  const curves = probabilityCurves(labels, truth, values)
  t.is(curves?.roc.length, 10)
  t.deepEqual(
    curves?.roc.map(({ label }) => label),
    labels.slice(0, 10),
  )
  for (const { auc, true_positive: y, false_positive: x, threshold } of curves?.roc ?? []) {
    t.true(x.length <= 50 && x.length === y.length && x.length === threshold.length)
    t.deepEqual([x[0], y[0], x.at(-1), y.at(-1)], [0, 0, 1, 1])
    const area = x.slice(1).reduce((sum, to, i) => sum + ((to - (x[i] ?? 0)) * ((y[i] ?? 0) + (y[i + 1] ?? 0))) / 2, 0)
    t.true(Math.abs(area - auc) < 0.02, `${area} for ${auc}`)
  }
})

test('the bins of a calibration hold all rows, each within its tenth', (t) => {
  const row = fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), isOne: fc.boolean() })
  fc.assert(
    fc.property(fc.array(row, { minLength: 2, maxLength: 60 }), (rows) => {
      const truth = rows.map(({ isOne }) => (isOne ? 1 : 0))
      const curves = probabilityCurves([0, 1], truth, two(rows.map(({ share }) => share)))
      if (new Set(truth).size < 2) {
        t.is(curves, undefined)
        return
      }
      const bins = curves?.calibration[0]?.bins ?? []
      t.is(
        bins.reduce((sum, bin) => sum + bin.rows, 0),
        rows.length,
      )
      t.true(bins.length <= 10)
    }),
  )
})

test('the bins of residuals span the middle 98 of 100 rows, and those outside are counted', (t) => {
  const truth = Array.from({ length: 1001 }, (_, i) => (i === 0 ? -1e9 : i === 1000 ? 1e9 : i))
  const figures = residualFigures(
    truth,
    truth.map(() => 0),
  )
  t.deepEqual([figures?.residuals.from, figures?.residuals.to], [10, 990])
  t.deepEqual([figures?.residuals.below, figures?.residuals.above], [10, 10])
  t.is(figures?.residuals.rows.length, 20)
  t.is(
    figures?.residuals.rows.reduce((sum, rows) => sum + rows, 0),
    981,
  )
  t.is(figures?.pairs.length, 200)
})

test('residuals that are all the same have one bin, and rows that cannot be predicted no bins', (t) => {
  t.deepEqual(residualFigures([3, 4], [2, 3]), {
    residuals: { from: 1, to: 1, rows: [2], below: 0, above: 0 },
    pairs: [
      [3, 2],
      [4, 3],
    ],
  })
  t.is(residualFigures([1], [Number.NaN]), undefined)
  t.is(residualFigures([], []), undefined)
})
