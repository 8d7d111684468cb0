// Mutants of training and prediction.

export const models = [
  {
    id: 'scaling-left-out',
    breaks: 'A model that was trained on scaled values predicts with values as they are.',
    file: 'activities/models/encoding/graph.ts',
    find: '[shifted, row((n) => n.factor)]',
    put: '[shifted, row(() => 1)]',
    tests: ['test/activities/models/encoding/encoding.test.ts'],
  },
  {
    id: 'one-class-nu-ignored',
    breaks: 'A one-class SVM leaves out half of the rows, whatever its nu.',
    file: 'activities/models/algorithms/svm/formulations.ts',
    find: 'const full = Math.floor(settings.nu * length)',
    put: 'const full = Math.floor(0.5 * length)',
    tests: ['test/activities/models/algorithms/svm/equals-libsvm.test.ts'],
  },
  {
    id: 'class-weights-exchanged',
    breaks: 'The cost of one class bounds the other one.',
    file: 'activities/models/algorithms/svm/formulations.ts',
    find: 'upperPositive: costs.positive, upperNegative: costs.negative',
    put: 'upperPositive: costs.negative, upperNegative: costs.positive',
    tests: [
      'test/activities/models/algorithms/svm/equals-libsvm.test.ts',
      'test/activities/models/algorithms/svm/optimum.test.ts',
    ],
  },
  {
    id: 'folds-seen-in-training',
    breaks: 'Cross-validation trains on the rows that it then predicts.',
    file: 'activities/models/tuning/cross-validate.ts',
    find: '(other === fold ? [] : [...rows])',
    put: '(other === -1 ? [] : [...rows])',
    tests: ['test/activities/models/tuning/tune.test.ts'],
  },
  {
    id: 'folds-without-strata',
    breaks: 'Folds do not hold the same share of each class.',
    file: 'activities/models/tuning/strata.ts',
    find: 'for (const row of group) foldOf[row] = next++ % count',
    put: 'for (const row of group) foldOf[row] = Math.floor((next++ * count) / rows)',
    tests: ['test/activities/models/tuning/tune.test.ts'],
  },
  {
    id: 'nearest-centre',
    breaks: 'k-means keeps points at a centre that is not the nearest one.',
    file: 'activities/models/algorithms/kmeans/lloyd.ts',
    find: 'return Math.sqrt(nearest) / 2',
    put: 'return Math.sqrt(nearest)',
    tests: ['test/activities/models/kmeans/fit.test.ts'],
  },
  {
    id: 'recall-for-precision',
    breaks: "A label's precision is divided by the rows that have it.",
    file: 'activities/models/metrics.ts',
    find: '[ratio(hit, found), ratio(hit, rows),',
    put: '[ratio(hit, rows), ratio(hit, rows),',
    tests: ['test/activities/models/metrics.test.ts'],
  },
]
