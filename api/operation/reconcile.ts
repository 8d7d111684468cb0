import type { Reconcile } from '../../activities/schemas/reconcile/reconcile.ts'
import { fault } from '../../base/faults.ts'
import { admin, createRoutes, type Routes } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import * as calls from './calls.ts'
import { readManner, readReconcile } from './decode-reconcile.ts'

export type ReconcileRoutesDeps = { readonly reconcile: Reconcile; readonly bodyLimit: number }

/** Compares the data derived from events with the events, and repairs it. The answer comes when that is done. */
export function reconcileRoutes({ reconcile, bodyLimit }: ReconcileRoutesDeps): Routes {
  const routes = createRoutes()
  routes.post('/reconcile', admin, calls.reconcile, async (context) => {
    const manner = readManner(context.query)
    const reports = await reconcile.run(readReconcile(await readText(context, bodyLimit, 'the body')), manner)
    const failed = reports.flatMap(({ schema, error }) => (error === undefined ? [] : [`${schema}: ${error}`]))
    const isRefused = reports.some((report) => report.isRefused)
    if (failed.length > 0) throw fault(isRefused ? 'conflict' : 'unavailable', failed.join('; '), { problems: failed })
    const streams = reports.flatMap(({ schema, tables }) => tables.map((table) => ({ schema, ...table })))
    context.body = { errcode: 0, streams }
  })
  return routes
}
