import Router from '@koa/router'
import { parseGraph } from '../../sql/graph/index.ts'
import { schemaGraph } from '../../sql/schema/names.ts'
import { readText } from '../middleware/body.ts'
import type { GraphQueries } from '../services/graph-queries.ts'
import type { Registry } from '../services/registry.ts'
import { parameter } from './parameter.ts'
import { isEventual } from './streams.ts'

export type GraphRoutesDeps = {
  readonly registry: Registry
  readonly graphs: GraphQueries
  readonly bodyLimit: number
}

/** Graph queries: interface 4.14, decisions 6. A query is text, whatever content type it comes with. */
export function graphRoutes({ registry, graphs, bodyLimit }: GraphRoutesDeps): Router {
  const router = new Router()

  router.post('/stream/:schema/:stream/graph/query', async (context) => {
    const { schema } = registry.stream(parameter(context, 'schema'), parameter(context, 'stream'))
    const query = parseGraph(await readText(context, bodyLimit, 'the query'))
    const queues = isEventual(context.query) ? [] : queuesOf(schema.name)
    context.type = 'application/json'
    context.body = await graphs.triples({ graph: schemaGraph(schema.name), query, queues })
  })

  /** Every stream of a schema may bring triples into its graph. */
  const queuesOf = (schema: string): string[] => [
    ...new Set([...registry.schema(schema).streams.values()].flatMap(({ queues }) => queues)),
  ]

  return router
}
