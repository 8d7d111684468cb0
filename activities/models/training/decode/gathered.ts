import { Refusal } from '../../../../base/refusal.ts'
import type { Part } from '../../../../sql/schema/decode/part.ts'

/** The message of a refusal joins the other problems, as a problem of a member. */
export function gathered<Value>(part: Part, member: string, decode: () => Value): Value | undefined {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    for (const problem of error.problems) part.fail(member, problem)
    return undefined
  }
}
