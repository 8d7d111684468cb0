import { fault } from '../../base/faults.ts'
import { everTo } from '../../sql/query/compile/span.ts'

/** A `levk` that a client sends back, where keys are microseconds. */
export function keyOf(lastKey: string): bigint {
  const key = /^\d{1,19}$/.test(lastKey) ? BigInt(lastKey) : everTo + 1n
  if (key > everTo) throw fault('invalid', 'levk: send the levk of the last answer, a number')
  return key
}
