import type { Remembered, RuleState } from '../../../infra/memory/state.ts'
import { isPast } from '../rule-event.ts'
import type { CurrentEvent } from './current-event.ts'
import { compileConclude, type Meet, type Moving } from './outcome.ts'
import { compileFurther, compileKeyOfOther, compileKeyOfThis, isKeyed, namesOfOther } from './pair.ts'
import { isActive, type Pairing, type Side } from './pairing.ts'
import { forgetOld } from './reach.ts'
import { compileCodec, type RememberedEvent } from './remembered.ts'
import { type Counted, createTimes, never } from './times.ts'

const kind = 'free'

/**
 * The events of one side of a rule of type 1: one takes the oldest free event of the other side that satisfies, and both
 * are used up; else it waits, free, for an event of a side that looks for it.
 */
export function compilePairSide(pairing: Pairing, side: Side, other: Side, moving: Moving): Meet {
  const finds = isActive(side) ? compileFind(pairing, side, other, moving) : undefined
  const waits = isActive(other) ? compileWait(kind, pairing, side, other) : undefined
  const { passes } = side
  const waiting = pairing.waiting(side)
  return (current, state, made) => {
    if (!passes(current, state)) return
    // Both keys of the event have been seen, whether it waits or not.
    const wait = waits?.(current, state)
    if (finds?.(current, state, made)) return
    wait?.()
    waiting.begin(current, state)
  }
}

/** The other side's definition says which attributes of a side's events are remembered. */
export const codecOf = (of: Side, { rule }: Side) =>
  compileCodec(
    of.stream,
    rule?.condition ? [...namesOfOther(rule.condition, (term) => !isKeyed(term)), ...rule.results] : [],
  )

function compileFind(
  pairing: Pairing,
  side: Side,
  other: Side,
  moving: Moving,
): (...meet: Parameters<Meet>) => boolean {
  const { rule, stream } = side
  if (rule?.condition === undefined) throw new Error(`${stream.name} looks for no event`)
  const { condition, count } = rule
  const space = pairing.space(kind, other, side)
  const keyOf = compileKeyOfThis(condition, stream, other.stream)
  const codec = codecOf(other, side)
  const further = compileFurther(condition, stream, other.stream, codec)
  const conclude = compileConclude(rule, stream, codec, moving)
  const counts = count > 1 ? compileCount(pairing, side) : undefined
  const waitingOther = pairing.waiting(other)
  return (current, state, made) => {
    const key = keyOf(current)
    if (key === undefined) return false
    const horizon = pairing.see(current, state, key, side)
    const list = state.list(space, key)
    for (const item of list.items as readonly Remembered<RememberedEvent>[]) {
      if (!pairing.reach.isNear(item, current, horizon, state) || (further && !further(item.value, current))) continue
      list.remove(item)
      waitingOther.end(item, state)
      if (!counts || counts(key, horizon, current, state, made))
        conclude(current, state, made, { event: item.value, pk: item.pk })
      return true
    }
    return false
  }
}

/** Takes note of an event; what it returns lets the event wait, in the space of that kind. */
export function compileWait(kind: string, pairing: Pairing, side: Side, other: Side) {
  if (other.rule?.condition === undefined) throw new Error(`${other.stream.name} looks for no event`)
  const space = pairing.space(kind, side, other)
  const keyOf = compileKeyOfOther(other.rule.condition, other.stream, side.stream)
  const codec = codecOf(side, other)
  return (current: CurrentEvent, state: RuleState): (() => void) | undefined => {
    const key = keyOf(current)
    if (key === undefined) return undefined
    const horizon = pairing.see(current, state, key, other)
    return () => {
      const list = state.list(space, key)
      forgetOld(list, horizon)
      if (pairing.reach.isLate(current, horizon)) return
      list.add({ seq: current.seq, pk: current.time, value: codec.encode(current) })
    }
  }
}

type Count = readonly [pk: number, seq: number, ...counted: Counted]

/**
 * Counts the rows of a key, whichever side made them; whether there are enough of them now. Without a bound on their time
 * they count for ever.
 */
function compileCount({ space: spaceFor, sides, rule: { distance_us } }: Pairing, side: Side) {
  const { rule } = side
  const needed = rule?.count ?? 1
  const within_us = rule?.within_us
  const times = createTimes(needed - 1, within_us)
  const space = spaceFor('count', sides[0].stream.name < sides[1].stream.name ? sides[0] : sides[1], side, within_us)
  return (key: string, horizon: number, ...[{ seq, time: pk }, state]: Parameters<Meet>): boolean => {
    const known = state.value(space, key) as Count | undefined
    const isOld =
      known !== undefined &&
      within_us !== undefined &&
      (known[0] < horizon - within_us || isPast({ pk: known[0], seq: known[1] }, distance_us + within_us, state.now()))
    const [count, before]: Counted = known === undefined || isOld ? never : [known[2], known[3]]
    if (count < needed || within_us !== undefined) {
      const next: Count = [pk, seq, Math.min(count + 1, needed), times.add(before, pk)]
      state.set(space, key, next, within_us === undefined ? undefined : { seq, pk })
    }
    return count + 1 >= needed && times.isWithin(before, pk)
  }
}
