import { type Event, writeJson } from '../../../base/json.ts'
import type { Attribute, StatisticKind, Stream } from '../../../sql/schema/schema.ts'
import type { States } from '../../../sql/schema/statistic-values.ts'
import type { Measure } from '../../../sql/schema/statistics.ts'
import { readMember, readScalar } from '../../events/places.ts'
import type { Scalar } from '../../events/values.ts'
import { momentFields, momentsFrom, noMoments, type RunningMoments, withValue } from './moments.ts'
import { countOf, hashers, noValues, type Place, type UniqueCount, uniqueFrom, withHash } from './unique-count.ts'

export type { Place } from './unique-count.ts'

type Numeric = number | bigint

/** A lifetime statistic that is kept up event by event. A state is never changed in place. */
export type Counter = {
  readonly empty: unknown
  /** Goes on with states that ClickHouse has merged; `sketch` tells different values apart. */
  begin(states: States, sketch: string, place: Place): unknown
  /** Undefined where the memory has forgotten a part of the state. */
  add(state: unknown, value: Scalar, place: Place): unknown
  /** The members of the statistic's value object. */
  readonly fields: Readonly<Record<string, (state: unknown) => Numeric>>
}

const numberOf = (states: States): number => (typeof states === 'number' ? states : Number(states[0]))

export const counters: Readonly<Record<StatisticKind, (measure: Measure) => Counter>> = {
  COUNT: () => ({
    empty: 0,
    begin: (states) => Number(numberOf(states)),
    add: (state) => Number(state) + 1,
    fields: { cnt: (state) => Number(state) },
  }),
  UCOUNT: ({ input }) => ({
    empty: noValues,
    begin: (states, sketch, place) => uniqueFrom(numberOf(states), sketch, place),
    add: (state, value, place) => withHash(state as UniqueCount, hashers[input.type](value), place),
    fields: { cnt: (state) => countOf(state as UniqueCount) },
  }),
  RSTAT: () => ({
    empty: noMoments,
    begin: (states) => (typeof states === 'number' ? noMoments : momentsFrom(states)),
    add: (state, value) =>
      typeof value === 'number' || typeof value === 'bigint' ? withValue(state as RunningMoments, value) : state,
    fields: Object.fromEntries(
      Object.entries(momentFields).map(([name, read]) => [name, (state: unknown) => read(state as RunningMoments)]),
    ),
  }),
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
