import { z } from 'zod'
import type { Reconcile } from '../../activities/schemas/reconcile/reconcile.ts'
import { fault } from '../../infra/faults.ts'
import { isObject, parseJson } from '../../infra/json.ts'
import { readText } from '../decode/body.ts'
import { admin, createRoutes, type Routes } from '../gate/routes.ts'

export type ReconcileRoutesDeps = { readonly reconcile: Reconcile; readonly bodyLimit: number }

/** Compares what is derived from events with them, and repairs it. The answer comes when that is done. */
export function reconcileRoutes({ reconcile, bodyLimit }: ReconcileRoutesDeps): Routes {
  const routes = createRoutes()
  routes.post('/reconcile', admin, async (context) => {
    const reports = await reconcile.run(schemaIn(await readText(context, bodyLimit, 'the body')))
    const failed = reports.flatMap(({ schema, error }) => (error === undefined ? [] : [`${schema}: ${error}`]))
    if (failed.length > 0) throw fault('unavailable', failed.join('; '), { problems: failed })
    const streams = reports.flatMap(({ schema, tables }) => tables.map((table) => ({ schema, ...table })))
    context.body = { errcode: 0, streams }
  })
  return routes
}

export const reconcileOnWire = z.object({ schema: z.string().optional() })

function schemaIn(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const body = parseJson(text, 'the body')
  if (!isObject(body)) throw fault('invalid', 'send {"schema": "<name>"}, or no body for all schemas')
  const { success, data } = reconcileOnWire.shape.schema.safeParse(body.schema)
  if (success) return data
  throw fault('invalid', 'schema: send the name of a schema, or leave it out for all')
}
