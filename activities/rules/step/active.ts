import type { Remembered, RuleList, RuleState } from '../../../infra/memory/state.ts'
import type { PairTerm } from '../../../sql/schema/schema.ts'
import type { CurrentEvent } from './current-event.ts'
import { compileConclude, type Meet, type Moving } from './outcome.ts'
import { compileFurther, compileKeyOfOther, compileKeyOfThis, compileMeets, isKeyed, namesOfOther } from './pair.ts'
import type { Pairing, Side } from './pairing.ts'
import { forgetOld } from './reach.ts'
import { compileCodec, type EventCodec, type RememberedEvent } from './remembered.ts'
import { createTimes } from './times.ts'

/** A passive event: the number of active events that met it, the times of the latest of them, and the remembered event itself. */
type Passive = readonly [met: number, times: readonly number[], remembered: RememberedEvent]

type Item = Remembered<Passive>

/** Remembers passive events, and finds the one that an active event meets. */
type Shelf = {
  remember(item: Item, current: CurrentEvent, state: RuleState): void
  /** With the way to remember that it was met once more. */
  find(current: CurrentEvent, state: RuleState): { readonly item: Item; replace(item: Item): void } | undefined
}

type Kind = (pairing: Pairing, passive: Side, active: Side, codec: EventCodec) => Shelf

const conditionOf = ({ rule, stream }: Side) => {
  if (rule?.condition === undefined) throw new Error(`${stream.name} looks for no event`)
  return rule.condition
}

/** Types 2 and 4: of the passive stream its very latest event counts, whatever its values. */
const createLatest: Kind = ({ space: spaceFor, reach, see }, passive, active, codec) => {
  const space = spaceFor('latest', passive, active)
  const condition = conditionOf(active)
  const keyOfPassive = compileKeyOfOther(condition, active.stream, passive.stream)
  const keyOfActive = compileKeyOfThis(condition, active.stream, passive.stream)
  const meets = compileMeets(conditionOf(active), active.stream, passive.stream, codec)
  const put = (item: Item, state: RuleState): void => state.set(space, '', item, item)
  return {
    remember(item, current, state) {
      const key = keyOfPassive(current)
      const isLate = key !== undefined && reach.isLate(current, see(current, state, key, active))
      if (!isLate) put(item, state)
      // One that nothing can meet takes the place of the one before all the same.
      else if (state.value(space, '') !== undefined) state.set(space, '', undefined)
    },
    find(current, state) {
      const key = keyOfActive(current)
      if (key === undefined) return undefined
      const horizon = see(current, state, key, active)
      const item = state.value(space, '') as Item | undefined
      if (item === undefined || !reach.isNear(item, current, horizon, state)) return undefined
      if (meets && !meets(item.value[2], current)) return undefined
      return { item, replace: (next) => put(next, state) }
    },
  }
}

/**
 * Types 3 and 5: of the passive events that satisfy the latest counts. An older one counts beside a later one where its
 * `_pk` is the greater.
 */
const createMatching: Kind = ({ space: spaceFor, reach, see }, passive, active, codec) => {
  const space = spaceFor('matching', passive, active)
  const condition = conditionOf(active)
  const keyOfPassive = compileKeyOfOther(condition, active.stream, passive.stream)
  const keyOfActive = compileKeyOfThis(condition, active.stream, passive.stream)
  const further = compileFurther(condition, active.stream, passive.stream, codec)

  /** All events of a key satisfy then, so those that the new one replaces are never asked for again. */
  function forgetReplaced(list: RuleList, { time }: CurrentEvent): void {
    for (let last = list.items.at(-1); last !== undefined && last.pk <= time; last = list.items.at(-1))
      list.remove(last)
  }

  return {
    remember(item, current, state) {
      const key = keyOfPassive(current)
      if (key === undefined) return
      const horizon = see(current, state, key, active)
      const list = state.list(space, key)
      forgetOld(list, horizon)
      if (!further) forgetReplaced(list, current)
      if (!reach.isLate(current, horizon)) list.add(item)
    },
    find(current, state) {
      const key = keyOfActive(current)
      if (key === undefined) return undefined
      const horizon = see(current, state, key, active)
      const list = state.list(space, key)
      const items = list.items as readonly Item[]
      let replaced = Number.NEGATIVE_INFINITY
      for (let i = items.length - 1; i >= 0; i--) {
        const item = items[i]
        if (item === undefined || item.pk <= replaced || (further && !further(item.value[2], current))) continue
        if (reach.isNear(item, current, horizon, state)) return { item, replace: (next) => list.replace(next) }
        replaced = item.pk
      }
      return undefined
    },
  }
}

const kinds = { latest: createLatest, matching: createMatching } as const

/** The latest event of all is under no key: all terms are tested on it. */
function codecOf(passive: Side, active: Side, mode: keyof typeof kinds): EventCodec {
  const isTested = (term: PairTerm): boolean => mode === 'latest' || !isKeyed(term)
  return compileCodec(passive.stream, [...namesOfOther(conditionOf(active), isTested), ...(active.rule?.results ?? [])])
}

export function compilePassive(pairing: Pairing, passive: Side, active: Side, mode: keyof typeof kinds): Meet {
  const codec = codecOf(passive, active, mode)
  const shelf = kinds[mode](pairing, passive, active, codec)
  const { passes } = passive
  const waiting = pairing.waiting(passive)
  return (current, state) => {
    if (!passes(current, state)) return
    waiting.begin(current, state)
    shelf.remember({ seq: current.seq, pk: current.time, value: [0, [], codec.encode(current)] }, current, state)
  }
}

export function compileActive(
  pairing: Pairing,
  active: Side,
  passive: Side,
  mode: keyof typeof kinds,
  moving: Moving,
): Meet {
  const { rule, stream, passes } = active
  if (rule === undefined) throw new Error(`${stream.name} makes no rows`)
  const codec = codecOf(passive, active, mode)
  const shelf = kinds[mode](pairing, passive, active, codec)
  const conclude = compileConclude(rule, stream, codec, moving)
  const { count, within_us } = rule
  const times = createTimes(count - 1, within_us)
  const [waiting, waitingPassive] = [pairing.waiting(active), pairing.waiting(passive)]
  return (current, state, made) => {
    if (!passes(current, state)) return
    const found = shelf.find(current, state)
    if (found === undefined) return waiting.begin(current, state)
    const { item } = found
    waitingPassive.end(item, state)
    const [met, before, other] = item.value
    if (count > 1) found.replace({ ...item, value: [Math.min(met + 1, count), times.add(before, current.time), other] })
    if (met + 1 >= count && times.isWithin(before, current.time))
      conclude(current, state, made, { event: other, pk: item.pk })
  }
}
