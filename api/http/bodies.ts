import type { Middleware } from 'koa'
import type { BodyBudget, BodyHold, BodyUse } from '../../infra/limits/body-budget.ts'

declare module 'koa' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended from outside
  interface DefaultState {
    body?: BodyHold
  }
}

/** Of `/stream/S/ST` it is `stream/S`. */
const useOf = (path: string): BodyUse => ({
  isQuery: path.endsWith('/query'),
  place: path.split('/', 3).slice(1).join('/'),
})

/** What a request holds of its body counts until it is answered: behind the door events may wait for an edit's end. */
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
