import type { Middleware } from 'koa'
import type { Dialect } from './errors.ts'

/** What failures of a family of calls carry, those of the wrong method or path included. A route may choose another. */
const dialects: readonly (readonly [path: RegExp, dialect: Dialect])[] = [
  [/^\/brs(\/|$)/i, (errcode) => ({ success: errcode })],
  [/^\/ml(\/|$)/i, (errcode) => ({ errorcode: errcode })],
  [/^\/(db|graph)(\/|$)/i, (_, msg) => ({ msg })],
  [/^\/stream\/[^/]+\/[^/]+\/graph(\/|$)/i, (_, msg) => ({ msg })],
]

export const chooseDialect: Middleware = (context, next) => {
  const found = dialects.find(([path]) => path.test(context.path))
  if (found) context.state.dialect = found[1]
  return next()
}
