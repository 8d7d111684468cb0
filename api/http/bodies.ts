import type { Middleware } from 'koa'
import type { BodyBudget, BodyHold, BodyUse } from '../../infra/limits/body-budget.ts'

declare module 'koa' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended from outside
  interface DefaultState {
    body?: BodyHold
  }
}

/** The place of `/stream/S/ST` is `stream/S`. */
const useOf = (path: string): BodyUse => ({
  isQuery: path.endsWith('/query'),
  place: path.split('/', 3).slice(1).join('/'),
})

/** A request's body counts until the request is answered: its events may wait in memory for the end of an edit. */
export const boundBodies =
  (budget: BodyBudget): Middleware =>
  async (context, next) => {
    const hold = budget.open(useOf(context.path))
    context.state.body = hold
    try {
      await next()
    } finally {
      hold.close()
    }
  }
