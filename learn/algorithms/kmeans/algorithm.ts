import { numberOf } from '../../parameters.ts'
import type { TableAlgorithm } from '../algorithm.ts'
import { fitKMeans } from './fit.ts'
import { addKMeansGraph } from './graph.ts'
import { landmarksOf } from './kernel-fit.ts'
import { kernels, kmeansParameters } from './parameters.ts'
import { measureClusters, predictKMeans } from './predict.ts'

export const kmeans: TableAlgorithm = {
  name: 'KMEANS',
  description: 'clusters by k-means++, also in the space of a kernel',
  parameters: kmeansParameters,
  learnsFrom: 'rows',
  task: () => 'none',
  defaultsOf: ({ kernel_type: kernel }, attributes) => (kernel === kernels.LINEAR ? {} : { gamma: 1 / attributes }),
  answers: () => 'clusters',
  takesMissing: false,
  manyWords: 'places',
  needsScale: true,
  fit: (features, _, parameters, watch) => {
    const model = fitKMeans(features, parameters, watch)
    return {
      addGraph: (graph, input) => addKMeansGraph(graph, input, model),
      predict: (rows) => predictKMeans(model, rows),
      cluster: (rows) => measureClusters(model, rows, () => watch.beat(1)),
      ...(model.space.kind === 'linear' ? { centres: model.space.centers } : {}),
      vectors: model.space.kind === 'kernel' ? model.space.labels.length : 1,
      summary: `${model.k} clusters, inertia ${model.inertia} after ${model.iterations} iterations`,
    }
  },
  memory: ({ rows, columns }, parameters) => {
    const k = numberOf(parameters, 'k')
    if (numberOf(parameters, 'kernel_type') === kernels.LINEAR) return 150 * rows + 48 * k * columns
    const landmarks = landmarksOf(rows, columns, parameters)
    return 150 * rows + 8 * landmarks * (landmarks + 4 * columns + 4 * k)
  },
  show: (parameters, _, __, performance) => ({ ...parameters, train_perf: performance }),
}
