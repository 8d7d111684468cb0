import type { Middleware } from 'koa'
import type { BodyBudget, BodyHold } from '../../infra/limits/body-budget.ts'

declare module 'koa' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended from outside
  interface DefaultState {
    body?: BodyHold
  }
}

/** What a request holds of its body counts until it is answered: behind the door events may wait for an edit's end. */
export const boundBodies =
  (budget: BodyBudget): Middleware =>
  async (context, next) => {
    const hold = budget.open()
    context.state.body = hold
    try {
      await next()
    } finally {
      hold.close()
    }
  }
