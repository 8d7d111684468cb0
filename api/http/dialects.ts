import type { Middleware } from 'koa'
import { familyOf } from './families.ts'

export const chooseDialect: Middleware = (context, next) => {
  const family = familyOf(context.path)
  if (family) context.state.dialect = family.dialect
  return next()
}
