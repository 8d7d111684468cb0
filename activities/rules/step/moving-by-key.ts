import { spaceOf } from '../../../infra/memory/spaces.ts'
import type { EventRecord, RuleState } from '../../../infra/memory/state.ts'
import type { MovingValue, Schema, Stream } from '../../../sql/schema/schema.ts'
import { compileKey } from '../../events/compare.ts'
import type { Place } from '../references/unique-count.ts'
import { createWindowCounter, forgotten } from '../references/window-counter.ts'
import { ringPart } from '../references/window-ring.ts'
import { isPast } from '../rule-event.ts'
import type { CurrentEvent } from './current-event.ts'
import { ofNoValue } from './moments.ts'
import type { Forgets } from './reach.ts'
import { placeOf, type Read, scalarRead } from './read.ts'

/** A moving value of events that agree on an attribute. */
export type KeyedValue = MovingValue & { readonly by: string }

export const isKeyed = (value: MovingValue): value is KeyedValue => value.by !== undefined

/** The members of a value object in which the counter has the functions. */
const memberOf = {
  AVG: 'avg',
  SUM: 'sum',
  STD: 'stdd',
  MIN: 'min',
  MAX: 'max',
  COUNT: 'cnt',
} as const satisfies Readonly<Record<MovingValue['statistic'], string>>

/** All values that read one window of one attribute share what is remembered of a key. */
const nameOf = ({ stream, attribute, by, granularity, length_us }: KeyedValue): string =>
  [stream, attribute, by, granularity, length_us].join(' ')

type Observed = {
  readonly stream: string
  observe(current: CurrentEvent, state: RuleState): void
  /** A member at the time of an event of `stream`; undefined where the event has no key. */
  read(stream: Stream, member: string): (current: CurrentEvent, state: RuleState) => number | undefined
}

/** Compiles the moving values by key in the conditions of a schema. */
export function compileMovingByKey(schema: Schema, values: readonly KeyedValue[], forgets: Forgets) {
  const byName = new Map<string, Observed>()
  for (const value of values) {
    const name = nameOf(value)
    const alike = values.filter((each) => nameOf(each) === name)
    if (!byName.has(name)) byName.set(name, compileObserved(schema, value, alike, forgets))
  }
  return {
    observe: (stream: string) =>
      [...byName.values()].filter((each) => each.stream === stream).map(({ observe }) => observe),

    read(stream: Stream, value: KeyedValue): (current: CurrentEvent, state: RuleState) => number | undefined {
      const observed = byName.get(nameOf(value))
      if (observed === undefined) throw new Error(`${value.stream}.${value.attribute} by ${value.by} is not observed`)
      const count = observed.read(stream, 'cnt')
      const figure = observed.read(stream, memberOf[value.statistic])
      const ofNothing = ofNoValue[value.statistic]
      return (current, state) => {
        const n = count(current, state)
        return n === 0 ? ofNothing : n && figure(current, state)
      }
    },
  }
}

function compileObserved(
  schema: Schema,
  { attribute, by, granularity, length_us, stream: name }: KeyedValue,
  alike: readonly KeyedValue[],
  forgets: Forgets,
): Observed {
  const stream = schema.streams.find((each) => each.name === name)
  if (stream === undefined) throw new Error(`${schema.name} has no stream ${name}`)
  const members = [...new Set(['cnt', ...alike.map(({ statistic }) => memberOf[statistic])])].sort()
  const isCounted = members.length === 1
  const space = spaceOf(schema.name, name, 'moving', { attribute, by, granularity, length_us, members })
  // A window of section "moving conditions" has the interval at which it begins, too.
  const window = { length: length_us / 1e6 + 1e-6, hop: granularity }
  const counter = createWindowCounter(
    {
      result: attribute,
      input: { name: attribute, type: 'DOUBLE' },
      statistics: { kinds: [isCounted ? 'COUNT' : 'RSTAT'] },
    },
    window,
    members,
  )
  // A key's ring is older than its latest value, and goes behind that.
  const ringKeys = `${ringPart}/`
  forgets(space, (record: EventRecord, state) =>
    record.key.startsWith(ringKeys)
      ? state.value(space, `latest/${record.key.slice(ringKeys.length)}`) === undefined
      : isPast(record, length_us, state.now()),
  )

  const { read } = placeOf(stream, attribute)
  /** Of an attribute that is no number its presence alone counts. */
  const number: Read<number> = (current) => {
    const value = read(current)
    if (value === undefined) return undefined
    return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0
  }
  const keyIn = (of: Stream) => compileKey([scalarRead(placeOf(of, by))])
  const keyOf = keyIn(stream)

  /** The records of a key are of its latest event: they go when that is too old, or erased. */
  const partsOf = (state: RuleState, { seq, time }: CurrentEvent, key: string): Place => ({
    seq,
    value: (part) => state.value(space, `${part}/${key}`),
    set: (part, value) => state.set(space, `${part}/${key}`, value, { seq, pk: time }),
    now: state.now,
  })

  return {
    stream: name,
    observe(current, state) {
      const [value, key] = [number(current), keyOf(current)]
      if (value === undefined || key === undefined) return
      const parts = partsOf(state, current, key)
      const times = { time: current.time, now: state.now() }
      const before = parts.value('latest') ?? counter.empty
      // Where the earlier intervals are forgotten the key goes on with those that come.
      parts.set('latest', counter.add(before, value, parts, times) ?? counter.add(counter.empty, value, parts, times))
    },
    read(of, member) {
      const keyAt = keyIn(of)
      return (current, state) => {
        const key = keyAt(current)
        if (key === undefined) return undefined
        const parts = partsOf(state, current, key)
        const found = counter.members[member]?.(parts.value('latest') ?? counter.empty, parts, current.time)
        const alone = (): unknown => {
          const value = of.name === name ? number(current) : undefined
          const only =
            value === undefined
              ? counter.empty
              : counter.add(counter.empty, value, parts, { time: current.time, now: state.now() })
          return counter.members[member]?.(only, parts, current.time)
        }
        return Number(found === forgotten ? alone() : found)
      }
    },
  }
}
