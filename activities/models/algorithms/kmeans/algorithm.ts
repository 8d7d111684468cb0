import type { TableAlgorithm } from '../algorithm.ts'
import { fitKMeans } from './fit.ts'
import { addKMeansGraph } from './graph.ts'
import { kmeansParameters } from './parameters.ts'
import { measureClusters, predictKMeans } from './predict.ts'

export const kmeans: TableAlgorithm = {
  name: 'KMEANS',
  description: 'clusters by k-means++, also in the space of a kernel',
  parameters: kmeansParameters,
  learnsFrom: 'rows',
  task: () => 'none',
  answers: () => 'clusters',
  takesMissing: false,
  fit: (features, _, parameters, watch) => {
    const model = fitKMeans(features, parameters, watch)
    return {
      addGraph: (graph, input) => addKMeansGraph(graph, input, model),
      predict: (rows) => predictKMeans(model, rows),
      cluster: (rows) => measureClusters(model, rows, () => watch.beat(1)),
      vectors: model.space.kind === 'kernel' ? model.space.labels.length : 1,
      summary: `${model.k} clusters, inertia ${model.inertia} after ${model.iterations} iterations`,
    }
  },
  show: (parameters, _, __, performance) => ({ ...parameters, train_perf: performance }),
}
