import { type Event, parseJson, writeJson } from '../../../base/json.ts'
import type { Attribute, StatisticKind, Stream } from '../../../sql/schema/schema.ts'
import { type ListedStates, listedKinds, type PlainStates, type States } from '../../../sql/schema/statistic-values.ts'
import { quantileMember } from '../../../sql/schema/statistics/quantile-member.ts'
import { isPlain, type Measure } from '../../../sql/schema/statistics.ts'
import { readMember, readScalar } from '../../events/places.ts'
import type { Scalar } from '../../events/values.ts'
import { type BinCounts, binsFrom, noBins, quantileOf, withNumber } from './bin-counts.ts'
import { type EndValue, endFrom, valueOfEnd, withEarlier, withLater } from './last-value.ts'
import { momentFields, momentsFrom, noMoments, numberOf, type RunningMoments, withValue } from './moments.ts'
import { countOf, hashers, noValues, type Place, type UniqueCount, uniqueFrom, withHash } from './unique-count.ts'

export type { Place } from './unique-count.ts'

/** A lifetime statistic that is kept up event by event. A state is never changed in place. */
type Part = {
  readonly empty: unknown
  /** Goes on with states that ClickHouse has merged; `sketch` is what those leave out. */
  begin(states: unknown, sketch: string, place: Place): unknown
  /**
   * Undefined where the memory has forgotten a part of the state. `pk`: of the event, as text. Events come in the order of
   * their arrival.
   */
  add(state: unknown, value: Scalar, place: Place, pk: string): unknown
  /** The members of the statistic's value object; undefined where there is none. */
  readonly fields: Readonly<Record<string, (state: unknown) => unknown>>
}

/** All statistics of a measure, kept up event by event. */
export type Counter = Omit<Part, 'begin'> & {
  /** Goes on with states that ClickHouse has merged, each with its sketch. */
  begin(states: States, sketches: readonly string[], place: Place): unknown
}

const totalOf = (states: unknown): number => Number(Array.isArray(states) ? states[0] : states)

const counted: Part = {
  empty: 0,
  begin: totalOf,
  add: (state) => Number(state) + 1,
  fields: { cnt: (state) => Number(state) },
}

const isNumeric = (value: Scalar): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

const end =
  (member: 'last' | 'first', add: typeof withLater) =>
  ({ input: { type } }: Measure): Part => ({
    empty: null,
    begin: (states, sketch) => endFrom(String(states), sketch, type),
    add: (state, value, _place, pk) => add(state as EndValue, value, pk),
    fields: { [member]: (state) => valueOfEnd(state as EndValue, type) },
  })

/** References take one value, which TOPK is not. */
type CountedKind = Exclude<StatisticKind, 'TOPK'>
const isCounted = (kind: StatisticKind | undefined): kind is CountedKind => kind !== undefined && kind !== 'TOPK'

const parts: Readonly<Record<CountedKind, (measure: Measure) => Part>> = {
  COUNT: () => counted,
  UCOUNT: ({ input }) => ({
    empty: noValues,
    begin: (states, sketch, place) => uniqueFrom(totalOf(states), sketch, place),
    add: (state, value, place) => withHash(state as UniqueCount, hashers[input.type](value), place),
    fields: { unique: (state) => countOf(state as UniqueCount) },
  }),
  RSTAT: () => ({
    empty: noMoments,
    begin: (states) => (typeof states === 'number' ? noMoments : momentsFrom(states as Exclude<PlainStates, number>)),
    add: (state, value) => (isNumeric(value) ? withValue(state as RunningMoments, value) : state),
    fields: Object.fromEntries(
      Object.entries(momentFields).map(([name, read]) => [name, (state: unknown) => read(state as RunningMoments)]),
    ),
  }),
  QUANTILES: ({ statistics: { levels = [] } }) => ({
    empty: noBins,
    begin(states, sketch) {
      const [, least, most] = states as readonly [unknown, string | null, string | null]
      const bins = parseJson(sketch, 'bins') as [number, number][]
      return binsFrom(bins, numberOf(least), numberOf(most))
    },
    add: (state, value) => (isNumeric(value) ? withNumber(state as BinCounts, value) : state),
    fields: Object.fromEntries(
      levels.map((level) => [quantileMember(level), (state: unknown) => quantileOf(state as BinCounts, level)]),
    ),
  }),
  LAST: end('last', withLater),
  FIRST: end('first', withEarlier),
}

/** Parts of a statistic's state that stand by themselves, apart from those of the others of its list. */
const placeIn = (place: Place, kind: StatisticKind): Place => ({
  seq: place.seq,
  value: (part) => place.value(`${kind}.${part}`),
  set: (part, value) => place.set(`${kind}.${part}`, value),
  now: place.now,
})

/** Keeps the statistics of a measure up; those of a list beside the number of values. */
export function createCounter(measure: Measure): Counter {
  const [kind] = measure.statistics.kinds
  if (isCounted(kind) && isPlain(measure.statistics)) {
    const part = parts[kind](measure)
    const begin: Counter['begin'] = (states, [sketch = ''], place) => part.begin(states, sketch, place)
    const { unique, ...fields } = part.fields
    return { ...part, begin, fields: unique ? { cnt: unique } : fields }
  }
  const all = listedKinds(measure.statistics)
    .filter(isCounted)
    .map((each) => ({ kind: each, part: parts[each](measure) }))
  const fields = all.flatMap(({ part }, index) =>
    Object.entries(part.fields).map(([name, read]): [string, Part['fields'][string]] => [
      name,
      (state) => read((state as readonly unknown[])[index + 1]),
    ]),
  )
  return {
    empty: [0, ...all.map(({ part }) => part.empty)],
    begin: (states, sketches, place) => [
      totalOf(states),
      ...all.map(({ kind, part }, index) =>
        part.begin((states as ListedStates)[index + 1], sketches[index] ?? '', placeIn(place, kind)),
      ),
    ],
    add: (state, value, place, pk) => {
      const [total, ...states] = state as ListedStates
      const added = all.map(({ kind, part }, index) => part.add(states[index], value, placeIn(place, kind), pk))
      return added.includes(undefined) ? undefined : [total + 1, ...added]
    },
    fields: { ...Object.fromEntries(fields), cnt: (state) => (state as ListedStates)[0] },
  }
}

/** Reads the values that a statistic counts; an OBJECT counts by its text. */
export function readCounted(stream: Stream, { name, type }: Pick<Attribute, 'name' | 'type'>) {
  if (type !== 'OBJECT') return readScalar(stream, name)
  const read = readMember(name)
  return (event: Event): Scalar | undefined => {
    const value = read(event)
    return value === undefined || value === null ? undefined : writeJson(value)
  }
}
