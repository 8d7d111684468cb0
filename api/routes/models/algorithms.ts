import { algorithms } from '../../../activities/models/algorithms/index.ts'
import * as calls from '../../../calls/models.ts'
import { createRoutes, type Routes, read } from '../../gate/routes.ts'

/** What models can be trained by, with parameters, defaults and bounds: decisions 7. */
export function algorithmRoutes(): Routes {
  const routes = createRoutes()
  const shown = [...algorithms.values()].map(({ name, description, parameters, learnsFrom }) => ({
    algo_type: name,
    description,
    learns_from: learnsFrom,
    algo_param: parameters,
  }))

  routes.get('/ml/algorithms', read('anywhere'), calls.listAlgorithms, (context) => {
    context.body = { algorithms: shown, num_algorithms: shown.length, errcode: 0 }
  })

  return routes
}
