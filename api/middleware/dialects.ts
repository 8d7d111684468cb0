import type { Middleware } from 'koa'
import { z } from 'zod'
import type { Dialect } from './errors.ts'

type Family = {
  readonly name: string
  readonly path: RegExp
  readonly dialect: Dialect
  /** Before a service has begun, refusals have none of them. */
  readonly members: Readonly<Record<string, z.ZodType>>
}

const byMessage = { dialect: (_: number, msg: string) => ({ msg }), members: { msg: z.string().optional() } }

/** What failures of a family of calls carry, those of the wrong method or path included. A route may choose another. */
const families: readonly Family[] = [
  {
    name: 'objects',
    path: /^\/brs(\/|$)/i,
    dialect: (errcode) => ({ success: errcode }),
    members: { success: z.int().max(-1).optional() },
  },
  {
    name: 'models',
    path: /^\/ml(\/|$)/i,
    dialect: (errcode) => ({ errorcode: errcode }),
    members: { errorcode: z.int().max(-1).optional() },
  },
  { name: 'tables', path: /^\/(db|graph)(\/|$)/i, ...byMessage },
  { name: 'tables', path: /^\/stream\/[^/]+\/[^/]+\/graph(\/|$)/i, ...byMessage },
]

export const chooseDialect: Middleware = (context, next) => {
  const found = families.find(({ path }) => path.test(context.path))
  if (found) context.state.dialect = found.dialect
  return next()
}

/** For the document: the name of the family that a path belongs to, and what its refusals carry. */
export const dialectOf = (path: string): Pick<Family, 'name' | 'members'> =>
  families.find((family) => family.path.test(path)) ?? { name: '', members: {} }
