import type { AlgorithmActivities, AlgorithmResult, PartSize } from '../activities/graphs/algorithms/activities.ts'
import type { AlgorithmKey, AlgorithmRequest } from '../activities/graphs/algorithms/request.ts'
import type { Workflow } from '../infra/orchestration/workflow.ts'
import { ids } from './ids.ts'

/** Runs an algorithm over a graph, or a part of it, and writes its result for each node as a property. */
export const runAlgorithm: Workflow<AlgorithmActivities, AlgorithmKey, AlgorithmRequest, PartSize, AlgorithmResult> = {
  id: ids.runAlgorithm,
  title: ({ graph, algorithm, property }) => `Run ${algorithm} over graph ${graph} into property ${property}`,
  steps: {
    measurePart: ({ graph }) => `look how large the part of ${graph} is`,
    scoreNodes: ({ graph, algorithm, property }) => `compute ${algorithm} of ${graph}, and write ${property}`,
  },
  marks: () => ({}),
  attempts: 10,
  givesUp: { deaths: 3, what: 'this algorithm' },

  async run({ activities, report }, request) {
    report(await activities.measurePart(request))
    return activities.scoreNodes(request)
  },
}
