import type { Features } from '../../dataset.ts'
import { bendOf } from '../../tuning/grid.ts'
import { byCrossValidation } from '../../tuning/tuning.ts'
import type { Learned, TableAlgorithm } from '../algorithm.ts'
import { fitSvm } from './fit-svm.ts'
import type { FittedSvm } from './fitted-svm.ts'
import { addSvmGraph } from './graph/svm-graph.ts'
import { predictSvm } from './predict-svm.ts'
import { kernelType, svmType } from './settings.ts'
import { svmParameters, svmSettings, withSvmType } from './svm-parameters.ts'
import { svmGrid, tunableSvm, tunedSvmParameters } from './tune-svm.ts'

const fitRows: TableAlgorithm['fit'] = (features, target, parameters, watch) =>
  learned(fitSvm(features, target, parameters, watch))

export const svm: TableAlgorithm = {
  name: 'SVM',
  description: "support vector machines as LIBSVM's: classes, numbers, and the outline of one class",
  parameters: svmParameters,
  learnsFrom: 'rows',
  task: ({ svm_type: type }) => {
    if (type === svmType.cSvc || type === svmType.nuSvc) return 'classes'
    if (type === svmType.oneClass) return 'none'
    return type === undefined ? undefined : 'numbers'
  },
  // A row has one word of an attribute, however many there are: distances grow with the attributes.
  defaultsOf: ({ kernel_type: kernel }, attributes) => (kernel === kernelType.linear ? {} : { gamma: 1 / attributes }),
  answers: (task) => (task === 'numbers' ? 'numbers' : 'classes'),
  takesMissing: false,
  manyWords: 'places',
  needsScale: true,
  series: { always: false },
  fit: fitRows,
  // The rows once more in the order of the solver, once from a nearer origin where they are dense and far from 0, and where
  // all become support vectors three times in the model.
  memory: ({ rows, columns, cells, isSparse, outputs }, parameters) => {
    const { cacheMegabytes, kernel } = svmSettings(parameters, columns)
    const stored = isSparse ? Math.min(8 * rows * columns, 24 * cells) : 8 * cells
    const ofPairs = outputs > 1 ? rows * (outputs - 1) * (20 + 8 * outputs) : 0
    // A linear machine is its weights: a vector a pair.
    const weights = kernel === kernelType.linear ? 12 * columns * outputs * Math.max(outputs - 1, 1) : 0
    const cache = Math.min(Math.max(cacheMegabytes * 2 ** 20, 8 * rows), 4 * rows * rows)
    return (isSparse ? 4 : 5) * stored + cache + 300 * rows + ofPairs + weights
  },
  tuning: { maxRows: 2000, candidates: svmGrid, ...byCrossValidation(tunableSvm, bendOf) },
  show: (parameters, target, columns, performance) =>
    tunedSvmParameters(withSvmType(parameters, target), columns, performance),
}

function learned(fitted: FittedSvm): Learned {
  const { labels, type, supportVectors, iterations } = fitted
  const vectors = supportVectors.rows
  return {
    addGraph: (graph, input) => addSvmGraph(graph, input, fitted),
    predict: (features) => {
      const { values } = predictSvm(fitted, features)
      return labels.length === 0 ? values : Array.from(values, (index) => labels[index] ?? index)
    },
    ...(fitted.sigmoids === undefined
      ? {}
      : { probabilities: (features: Features) => predictSvm(fitted, features).probabilities ?? [] }),
    ...(type === svmType.oneClass ? { labels: [1, -1] } : labels.length === 0 ? {} : { labels }),
    vectors,
    summary: `${vectors} support vectors after ${iterations} iterations`,
  }
}
