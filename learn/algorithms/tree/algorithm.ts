import type { Features } from '../../dataset.ts'
import { numberOf, type Parameters } from '../../parameters.ts'
import type { Shape, TableAlgorithm } from '../algorithm.ts'
import { fitTree } from './fit.ts'
import { addTreeGraph } from './graph.ts'
import { treeParameters } from './parameters.ts'
import { predictTree, treeProbabilities } from './predict.ts'
import { treeTuning } from './tune-tree.ts'

function memoryOf({ rows, columns, cells, isSparse, outputs }: Shape, parameters: Parameters): number {
  const bins = Math.min(numberOf(parameters, 'max_bins'), rows) + 2
  const histograms = 24 * columns * bins * (numberOf(parameters, 'max_depth') + 1)
  return rows * columns + (isSparse ? 12 * cells : 0) + rows * (120 + 32 * outputs) + histograms
}

export const tree: TableAlgorithm = {
  name: 'TREE',
  description: 'gradient-boosted trees: classes and numbers; missing values take a way of their own',
  parameters: treeParameters,
  learnsFrom: 'rows',
  task: () => undefined,
  answers: (task) => (task === 'numbers' ? 'numbers' : 'classes'),
  takesMissing: true,
  manyWords: 'statistics',
  needsScale: false,
  series: { always: false },
  fit: (features, target, parameters, watch, groups) => {
    const model = fitTree(features, target, parameters, watch, groups)
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
  memory: memoryOf,
  tuning: {
    ...treeTuning,
    // Five folds are boosted at once, the deepest trees of 10 levels; outcomes are kept by row.
    memory: (shape, parameters) => 5 * memoryOf(shape, { ...parameters, max_depth: 10 }) + 1000 * shape.rows,
  },
  show: (parameters, _, __, performance) => ({ ...parameters, train_perf: performance }),
}
