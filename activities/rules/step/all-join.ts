import type { Remembered } from '../../../infra/memory/state.ts'
import { compileConclude, type Meet, type Moving } from './outcome.ts'
import { compileFurther, compileKeyOfThis } from './pair.ts'
import { codecOf, compileWait } from './pair-join.ts'
import type { Pairing, Side } from './pairing.ts'
import type { RememberedEvent } from './remembered.ts'

const kind = 'met'

/** A join of types 6: an event meets each earlier one of the other side that satisfies, and waits for later ones itself. */
export function compileAllSide(pairing: Pairing, side: Side, other: Side, moving: Moving): Meet {
  const { rule, stream, passes } = side
  if (rule?.condition === undefined) throw new Error(`${stream.name} looks for no event`)
  const space = pairing.space(kind, other, side)
  const keyOf = compileKeyOfThis(rule.condition, stream, other.stream)
  const codec = codecOf(other, side)
  const further = compileFurther(rule.condition, stream, other.stream, codec)
  const conclude = compileConclude(rule, stream, codec, moving)
  const waits = compileWait(kind, pairing, side, other)
  const [waiting, waitingOther] = [pairing.waiting(side), pairing.waiting(other)]
  return (current, state, made) => {
    if (!passes(current, state)) return
    // Both keys of the event have been seen before it meets another.
    const wait = waits(current, state)
    const key = keyOf(current)
    let isAlone = true
    if (key !== undefined) {
      const horizon = pairing.see(current, state, key, side)
      for (const item of state.list(space, key).items as readonly Remembered<RememberedEvent>[]) {
        if (!pairing.reach.isNear(item, current, horizon, state) || (further && !further(item.value, current))) continue
        isAlone = false
        waitingOther.end(item, state)
        conclude(current, state, made, { event: item.value, pk: item.pk })
      }
    }
    wait?.()
    if (isAlone) waiting.begin(current, state)
  }
}
