import type { Context } from 'koa'
import { type Fault, fault } from '../../base/faults.ts'

/** The path is there, for other methods. */
export const wrongMethod = ({ path, method }: Pick<Context, 'path' | 'method'>, allowed: readonly string[]): Fault => {
  const Allow = allowed.join(', ')
  return fault('method', `${path.slice(0, 200)} takes ${Allow}, not ${method}`, { headers: { Allow } })
}
