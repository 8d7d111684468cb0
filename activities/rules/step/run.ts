import { spaceOf } from '../../../infra/memory/spaces.ts'
import type { Remembered, RuleState } from '../../../infra/memory/state.ts'
import type { PairTerm, Rule, Schema, Stream } from '../../../sql/schema/schema.ts'
import { compileCondition } from './condition.ts'
import type { CurrentEvent } from './current-event.ts'
import { compileConclude, type Meet } from './outcome.ts'
import { compileFurther, compileKeyOfOther, compileKeyOfThis, compileMeets, isKeyed, namesOfOther } from './pair.ts'
import { definitionOf, type RuleTools } from './pairing.ts'
import { createReach, forgetOld } from './reach.ts'
import { compileCodec, type RememberedEvent } from './remembered.ts'
import { type Carried, compileRunValues } from './run-values.ts'
import { createTimes } from './times.ts'

/**
 * A candidate: the joins of its run, the times of its latest events, and what is remembered of the last one, with its `_pk`
 * and place where it is the only candidate, or the run's figures stand behind them.
 */
type Candidate = readonly [
  joins: number,
  times: readonly number[],
  remembered: RememberedEvent,
  pk?: number,
  seq?: number,
  carried?: Carried,
]
type Only = readonly [
  joins: number,
  times: readonly number[],
  remembered: RememberedEvent,
  pk: number,
  seq: number,
  carried?: Carried,
]

type Item = Remembered<Candidate>

const noTimes: readonly number[] = []
/** The horizon where there is no key. */
const never = Number.NEGATIVE_INFINITY

/** Whether a term asks for one value of one attribute on both sides. */
const isSame = ({ operator, other, value }: PairTerm): boolean =>
  operator === '=' && value.kind === 'attribute' && value.name === other

/**
 * A run over one stream: an event that passes takes the oldest candidate that satisfies, and is itself a candidate with a
 * run one longer. With `between` the only candidate is the event immediately before, of the stream or of the key.
 */
export function compileRun(schema: Schema, stream: Stream, rule: Rule, { moving, forgets, awaits }: RuleTools): Meet {
  const { condition, filter, count, distance_us } = rule
  if (condition === undefined) throw new Error(`${stream.name}: run ${rule.name} has no condition`)
  const definition = definitionOf(rule)
  const waiting = awaits({ stream, rule }, definition)
  const space = spaceOf(schema.name, stream.name, 'run', definition)
  const timeSpace = spaceOf(schema.name, stream.name, 'run-time', definition)
  const reach = createReach(timeSpace, distance_us)
  forgets(space, (record, state) => reach.isForgotten(record, state))
  forgets(timeSpace, reach.isNoteForgotten)
  const passes = filter && compileCondition(filter, stream, moving)
  const keyed = condition.between === 'none of the key' ? condition.terms.filter(isSame) : []
  const isTested =
    condition.between === 'any' ? (term: PairTerm) => !isKeyed(term) : (term: PairTerm) => !keyed.includes(term)
  const codec = compileCodec(stream, [...namesOfOther(condition, isTested), ...rule.results])
  const ofRun = compileRunValues(schema, stream, rule, reach, forgets)
  const conclude = compileConclude(rule, stream, codec, moving, ofRun)
  const times = createTimes(count, rule.within_us)
  const isSkipped = rule.skip === 'past'

  const joinsAfter = (before: Candidate | undefined): number => (before === undefined ? 0 : before[0] + 1)
  const timesAfter = (before: Candidate | undefined, time: number): readonly number[] =>
    times.add(before === undefined ? noTimes : before[1], time)

  /** The candidate that an event is, behind the one that it joins. */
  function candidateOf(before: Candidate | undefined, current: CurrentEvent, carried: Carried | undefined): Candidate {
    const joined = [joinsAfter(before), timesAfter(before, current.time), codec.encode(current)] as const
    return carried === undefined ? joined : [...joined, current.time, current.seq, carried]
  }

  /** Joins an event to a candidate; answers whether the run is a match, and its events are used up. */
  function join(
    pk: number,
    [joins, before, event]: Candidate,
    carried: Carried | undefined,
    ...[current, state, made]: Parameters<Meet>
  ): boolean {
    if (joins + 1 < count || !times.isWithin(before, current.time)) return false
    const run = carried && ofRun?.now(joins + 2, carried, state)
    return conclude(current, state, made, { event, pk, run }) && isSkipped
  }

  const keyOfThis = compileKeyOfThis(condition, stream, stream)
  const keyOfOther = compileKeyOfOther(condition, stream, stream)
  const isOneKey = condition.terms.every((term) => term.operator !== '=' || isSame(term))

  /** The event by its keys: those that it meets have the one, and it is met under the other. */
  function see(current: CurrentEvent, state: RuleState) {
    const lookup = keyOfThis(current)
    const key = isOneKey ? lookup : keyOfOther(current)
    const own = key === undefined ? never : reach.see(current, state, key)
    const others = lookup === undefined || lookup === key ? own : reach.see(current, state, lookup)
    return { lookup, key, own, others }
  }

  if (condition.between === 'any') {
    const further = compileFurther(condition, stream, stream, codec)
    return (current, state, made) => {
      if (passes && !passes(current, state)) return
      const { lookup, key, own: horizon, others } = see(current, state)
      const list = lookup === undefined ? undefined : state.list(space, lookup)
      let found: Item | undefined
      for (const item of (list?.items ?? []) as readonly Item[]) {
        if (!reach.isNear(item, current, others, state) || (further && !further(item.value[2], current))) continue
        found = item
        break
      }
      const carried = ofRun?.add(found?.value[5], current, state)
      if (found && list) {
        list.remove(found)
        waiting.end(found, state)
        if (join(found.pk, found.value, carried, current, state, made)) {
          // The next run begins behind the match.
          for (const item of [...(list.items as readonly Item[])]) {
            list.remove(item)
            ofRun?.end(item.value[5], state)
          }
          ofRun?.end(carried, state)
          return
        }
      }
      const isGone = key === undefined || reach.isLate(current, horizon)
      const own = key === undefined ? undefined : key === lookup && list ? list : state.list(space, key)
      if (own) forgetOld(own, horizon, ({ value }) => ofRun?.end((value as Candidate)[5], state))
      if (isGone) ofRun?.end(carried, state)
      else {
        own?.add({ seq: current.seq, pk: current.time, value: candidateOf(found?.value, current, carried) })
        waiting.begin(current, state)
      }
    }
  }

  const keyOf = compileKeyOfOther({ ...condition, terms: keyed }, stream, stream)
  const satisfies = compileMeets(condition, stream, stream, codec, isTested)
  return (current, state, made) => {
    const isPart = !passes || passes(current, state)
    const horizons = isPart ? see(current, state) : undefined
    const of = keyOf(current)
    if (of === undefined) return
    const key = `:${of}`
    const before = state.value(space, key) as Only | undefined
    const forget = (carried: Carried | undefined): void => {
      if (before) state.set(space, key, undefined)
      ofRun?.end(carried, state)
    }
    if (horizons === undefined) return forget(before?.[5])
    const isNext =
      before !== undefined &&
      reach.isNear({ pk: before[3], seq: before[4] }, current, horizons.others, state) &&
      (satisfies === undefined || satisfies(before[2], current))
    const last = isNext ? before : undefined
    if (!isNext) ofRun?.end(before?.[5], state)
    const carried = ofRun?.add(last?.[5], current, state)
    if (isNext) waiting.end({ pk: before[3], seq: before[4] }, state)
    const isUsed = isNext && join(before[3], before, carried, current, state, made)
    if (isUsed || reach.isLate(current, horizons.own)) return forget(carried)
    const { seq, time: pk } = current
    const [joins, ran, remembered] = candidateOf(last, current, undefined)
    const now: Only =
      carried === undefined ? [joins, ran, remembered, pk, seq] : [joins, ran, remembered, pk, seq, carried]
    state.set(space, key, now, { seq, pk })
    waiting.begin(current, state)
  }
}
