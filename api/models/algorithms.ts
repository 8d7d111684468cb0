import { algorithms } from '../../learn/algorithms/index.ts'
import { seriesParameters } from '../../learn/series/rule.ts'
import { createRoutes, type Routes, read } from '../auth/routes.ts'
import * as calls from './calls.ts'

/** `GET /ml/algorithms`: the algorithms with their parameters, defaults and bounds. */
export type AlgorithmRoutesDeps = {
  /** Why this process runs no scripts; undefined where it does, or another one does it. */
  readonly whyScriptsAreOff: () => Promise<string | undefined>
}

export function algorithmRoutes({ whyScriptsAreOff }: AlgorithmRoutesDeps): Routes {
  const routes = createRoutes()
  const shown = [...algorithms.values()].map((each) => ({
    algo_type: each.name,
    description: each.description,
    learns_from: each.learnsFrom,
    algo_param:
      each.learnsFrom === 'rows' && each.series !== undefined
        ? [...each.parameters, ...seriesParameters]
        : each.parameters,
  }))

  routes.get('/ml/algorithms', read('anywhere'), calls.listAlgorithms, async (context) => {
    const off = await whyScriptsAreOff()
    const listed = shown.map((each) => (each.learns_from === 'script' && off !== undefined ? { ...each, off } : each))
    context.body = { algorithms: listed, num_algorithms: listed.length, errcode: 0 }
  })

  return routes
}
