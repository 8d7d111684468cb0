import type { Features } from '../../dataset.ts'
import { numberOf } from '../../parameters.ts'
import type { TableAlgorithm } from '../algorithm.ts'
import { fitTree } from './fit.ts'
import { addTreeGraph } from './graph.ts'
import { treeParameters } from './parameters.ts'
import { predictTree, treeProbabilities } from './predict.ts'

export const tree: TableAlgorithm = {
  name: 'TREE',
  description: 'gradient-boosted trees: classes and numbers; missing values take a way of their own',
  parameters: treeParameters,
  learnsFrom: 'rows',
  task: () => undefined,
  answers: (task) => (task === 'numbers' ? 'numbers' : 'classes'),
  takesMissing: true,
  needsScale: false,
  fit: (features, target, parameters, watch) => {
    const model = fitTree(features, target, parameters, watch)
    const { labels, rounds } = model
    return {
      addGraph: (graph, input) => addTreeGraph(graph, input, model),
      predict: (rows) => {
        const found = predictTree(model, rows)
        return labels === undefined ? found : Array.from(found, (index) => labels[index] ?? index)
      },
      ...(labels === undefined ? {} : { labels, probabilities: (rows: Features) => treeProbabilities(model, rows) }),
      columnImportance: { by: 'gain', columns: model.gains },
      vectors: 1,
      summary: `${rounds} rounds`,
    }
  },
  memory: ({ rows, columns, cells, isSparse, outputs }, parameters) => {
    const bins = Math.min(numberOf(parameters, 'max_bins'), rows) + 2
    const histograms = 24 * columns * bins * (numberOf(parameters, 'max_depth') + 1)
    return rows * columns + (isSparse ? 12 * cells : 0) + rows * (120 + 32 * outputs) + histograms
  },
  show: (parameters, _, __, performance) => ({ ...parameters, train_perf: performance }),
}
