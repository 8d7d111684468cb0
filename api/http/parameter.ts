import type { RouterContext } from '@koa/router'
import { fault } from '../../base/faults.ts'
import { checkName } from '../../sql/schema/check/name.ts'

/** A part of the path that the route's pattern guarantees. */
export function parameter(context: Pick<RouterContext, 'params'>, name: string): string {
  const value = context.params[name]
  if (value === undefined) throw new Error(`the route has no parameter ${name}`)
  return value
}

/** The database of a path: it may be one without tables yet, but not one whose name no table may have. */
export function databaseOf(context: Pick<RouterContext, 'params'>): string {
  const database = parameter(context, 'database')
  const problem = checkName(database)
  if (problem !== undefined) throw fault('invalid', `the name of the database ${problem}`)
  return database
}
