import type { RouterContext } from '@koa/router'

/** A part of the path that the route's pattern guarantees. */
export function parameter(context: Pick<RouterContext, 'params'>, name: string): string {
  const value = context.params[name]
  if (value === undefined) throw new Error(`the route has no parameter ${name}`)
  return value
}
