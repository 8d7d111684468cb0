import type { Context } from 'koa'
import { anyone } from '../../activities/keys/caller.ts'
import { needOf } from '../../activities/queries/scopes.ts'
import { fault } from '../../base/faults.ts'
import { parse } from '../../sql/query/index.ts'
import { callerIn, permit } from '../auth/permit.ts'
import { createRoutes, type Routes, read, statement } from '../auth/routes.ts'
import type { Ask } from '../http/ask.ts'
import { readText } from '../http/body.ts'
import { isEventual } from '../http/flags.ts'
import { databaseOf } from '../http/parameter.ts'
import * as calls from './calls.ts'
import { readQuery } from './continuation.ts'

export type QueryRoutesDeps = {
  readonly ask: Ask
  /** Whether `D.T` may name a table of database D, and no stream. */
  readonly isDatabase: (name: string) => boolean
  readonly bodyLimit: number
}

/** The endpoint for queries and the one for usage. */
export function queryRoutes({ ask, isDatabase, bodyLimit }: QueryRoutesDeps): Routes {
  const routes = createRoutes()

  function permitStatement(context: Context, database: string, text: string): void {
    if (callerIn(context) === anyone) return
    const { scope, place } = needOf(parse(text), database, isDatabase)
    permit(context, scope, place)
  }

  routes.post('/db/:database/query', statement('in body'), calls.runQuery, async (context) => {
    context.state.dialect = () => ({})
    const query = readQuery(await readText(context, bodyLimit, 'the query'), isEventual(context.query))
    if (/^\s*insert\b/i.test(query.text)) context.state.dialect = () => ({ retval: -1 })
    const database = databaseOf(context)
    permitStatement(context, database, query.text)
    const answer = await ask(context, ({ statements }, on) => statements.run(database, query, on))
    context.type = 'application/json'
    context.body = answer
  })

  routes.post('/stream/usage', read('everywhere'), calls.usage, async (context) => {
    const query = readQuery(await readText(context, bodyLimit, 'the query'), isEventual(context.query))
    if (parse(query.text).kind !== 'usage') {
      throw fault('invalid', 'send {"sql": "select usage from weir_stream"}; other statements go to /db/mydb/query')
    }
    const answer = await ask(context, ({ statements }, on) => statements.usage(query, on))
    context.type = 'application/json'
    context.body = answer
  })

  return routes
}
