import type { RouterContext } from '@koa/router'
import { progressOf } from '../../activities/graphs/algorithms/progress.ts'
import { type AlgorithmKey, algorithmNamed, decodeAlgorithm } from '../../activities/graphs/algorithms/request.ts'
import type { AlgorithmRun, GraphAlgorithms } from '../../jobs/graph-algorithms.ts'
import { createRoutes, inGraph, type Routes, read, write } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import { parameter } from '../http/parameter.ts'
import { waitOf } from '../http/wait.ts'
import * as calls from './calls.ts'

export type GraphAlgorithmRoutesDeps = { readonly algorithms: GraphAlgorithms; readonly bodyLimit: number }

/** Algorithms over graphs: a small one ends within the call, any other goes on, and `GET` shows its state. */
export function graphAlgorithmRoutes({ algorithms, bodyLimit }: GraphAlgorithmRoutesDeps): Routes {
  const routes = createRoutes()
  const keyOf = (context: RouterContext): AlgorithmKey => ({
    graph: parameter(context, 'graph'),
    algorithm: algorithmNamed(parameter(context, 'algorithm')),
  })

  routes.post('/graph/:graph/algorithm/:algorithm', write(inGraph), calls.runAlgorithm, async (context) => {
    const key = keyOf(context)
    const wait_ms = waitOf(context, calls.usualWait_s)
    const request = decodeAlgorithm(key, await readText(context, bodyLimit, 'the request'))
    context.body = shown(key, await algorithms.start(request, wait_ms))
  })
  routes.get('/graph/:graph/algorithm/:algorithm', read(inGraph), calls.algorithmStatus, async (context) => {
    const key = keyOf(context)
    context.body = shown(key, await algorithms.status(key))
  })

  return routes
}

/** Shows a failed run as an answer of its own: the call that asks has not failed. */
function shown(key: AlgorithmKey, run: AlgorithmRun): Record<string, unknown> {
  const base = { errcode: 0, ...key, state: run.state }
  switch (run.state) {
    case 'running':
      return { ...base, ...run.progress, ...progressOf(run.pulse) }
    case 'done':
      return { ...base, ...run.result }
    case 'failed':
      return { ...base, error: [run.reason] }
    case 'cancelled':
      return base
  }
}
