import type { Middleware } from 'koa'
import { leaveBody } from '../auth/identify.ts'
import type { Browsers } from './browsers.ts'

/** Before a caller is looked for: a preflight brings no key. */
export const meetBrowsers =
  (browsers: Browsers): Middleware =>
  async (context, next) => {
    let isAnswered: boolean
    try {
      isAnswered = browsers.meet(context.req, context.res)
    } catch (error) {
      leaveBody(context.req)
      throw error
    }
    if (!isAnswered) return next()
    leaveBody(context.req)
    context.status = 204
  }
