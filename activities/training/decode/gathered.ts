import { Refusal } from '../../../base/refusal.ts'
import type { WireObject } from '../../../sql/schema/decode/wire-object.ts'

/** The message of a refusal joins the other problems, as a problem of a member. */
export function gathered<Value>(object: WireObject, member: string, decode: () => Value): Value | undefined {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    for (const problem of error.problems) object.fail(member, problem)
    return undefined
  }
}
