import type { PairTerm, Rule, Schema, Stream } from '../../../sql/schema/schema.ts'
import { spaceOf } from '../spaces.ts'
import type { Remembered } from '../state.ts'
import { compileCondition } from './condition.ts'
import { compileKept, type Kept } from './kept.ts'
import { compileConclude, type Meet, type Moving } from './outcome.ts'
import { compileFurther, compileKeyOfOther, compileKeyOfThis, compileMeets, namesOfOther } from './pair.ts'
import { createReach, type Forgets, forgetOld } from './reach.ts'
import { createTimes } from './times.ts'

/** A candidate: the joins of its run, the times of its latest events, and what is remembered of the last one. */
type Candidate = readonly [joins: number, times: readonly number[], kept: Kept]

type Item = Remembered<Candidate>

/** Whether a term asks for one value of one attribute on both sides. */
const isSame = ({ operator, other, value }: PairTerm): boolean =>
  operator === '=' && value.kind === 'attribute' && value.name === other

/**
 * A run over one stream: an event that passes takes the oldest candidate that satisfies, and is itself a candidate with a
 * run one longer. With `between` the only candidate is the event immediately before, of the stream or of the key.
 */
export function compileRun(schema: Schema, stream: Stream, rule: Rule, moving: Moving, forgets: Forgets): Meet {
  const { condition, filter, count, distance_us } = rule
  if (condition === undefined) throw new Error(`${stream.name}: run ${rule.name} has no condition`)
  const { notification: _notification, ...definition } = rule
  const space = spaceOf(schema.name, stream.name, 'run', definition)
  const reach = createReach(space, distance_us)
  forgets(space, reach.horizon)
  const passes = filter && compileCondition(filter, stream, moving)
  const keeping = compileKept(stream, [...namesOfOther(condition), ...rule.results])
  const conclude = compileConclude(rule, stream, keeping, moving)
  const times = createTimes(count, rule.within_us)

  /** The candidate that the event is after its join, or after none. */
  const candidateOf = (taken: Parameters<Meet>[0], before: Candidate | undefined): Candidate => [
    before === undefined ? 0 : before[0] + 1,
    times.add(before === undefined ? [] : before[1], taken.time),
    keeping.keep(taken),
  ]

  const join = (item: Item, ...[taken, state, made]: Parameters<Meet>): void => {
    const [joins, before, kept] = item.value
    if (joins + 1 < count || !times.isWithin(before, taken.time)) return
    conclude(taken, state, made, { kept, pk: item.pk })
  }

  if (condition.between === 'any') {
    const keyOfThis = compileKeyOfThis(condition, stream, stream)
    const keyOfOther = compileKeyOfOther(condition, stream, stream)
    const further = compileFurther(condition, stream, stream, keeping)
    const isOneKey = condition.terms.every((term) => term.operator !== '=' || isSame(term))
    return (taken, state, made) => {
      if (passes && !passes(taken, state)) return
      const horizon = reach.see(taken, state)
      const lookup = keyOfThis(taken)
      const list = lookup === undefined ? undefined : state.list(space, lookup)
      let found: Item | undefined
      for (const item of (list?.items ?? []) as readonly Item[]) {
        if (!reach.isNear(item.pk, taken, horizon) || (further && !further(item.value[2], taken))) continue
        found = item
        break
      }
      if (found) {
        list?.remove(found)
        join(found, taken, state, made)
      }
      const key = isOneKey ? lookup : keyOfOther(taken)
      if (key === undefined) return
      const own = list !== undefined && key === lookup ? list : state.list(space, key)
      forgetOld(own, horizon)
      own.add({ seq: taken.seq, pk: taken.time, value: candidateOf(taken, found?.value) })
    }
  }

  const keyed = { ...condition, terms: condition.between === 'none of the key' ? condition.terms.filter(isSame) : [] }
  const keyOf = compileKeyOfOther(keyed, stream, stream)
  const satisfies = compileMeets(condition, stream, stream, keeping, (term) => !keyed.terms.includes(term))
  return (taken, state, made) => {
    const isPart = !passes || passes(taken, state)
    const horizon = isPart ? reach.see(taken, state) : 0
    const key = keyOf(taken)
    if (key === undefined) return
    const before = state.value(space, `:${key}`) as Item | undefined
    if (!isPart) {
      if (before) state.set(space, `:${key}`, undefined)
      return
    }
    const isNext =
      before !== undefined &&
      reach.isNear(before.pk, taken, horizon) &&
      (satisfies === undefined || satisfies(before.value[2], taken))
    if (isNext) join(before, taken, state, made)
    const { seq, time: pk } = taken
    const value = candidateOf(taken, isNext ? before.value : undefined)
    state.set(space, `:${key}`, { seq, pk, value }, { seq, pk })
  }
}
