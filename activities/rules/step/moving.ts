import { spaceOf } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import { hasMoments } from '../../../sql/references/seed-intervals.ts'
import type { MovingValue, RuleCondition, Schema, Stream } from '../../../sql/schema/schema.ts'
import type { MemorySpace } from '../references/seed.ts'
import type { ReadMoving } from './condition.ts'
import type { CurrentEvent } from './current-event.ts'
import { createIntervals, type Intervals, levelsFor } from './intervals.ts'
import { type Moments, momentsOf, ofNoValue, statistics } from './moments.ts'
import { compileMovingByKey, isKeyed } from './moving-by-key.ts'
import type { Forgets } from './reach.ts'
import { placeOf, type Read } from './read.ts'
import { seedMoving } from './seed-moving.ts'

/** An attribute over which statistics move: all those of one granularity share its intervals. */
type Observed = {
  readonly stream: string
  readonly intervals: Intervals
  readonly number: Read<number>
  readonly space: MemorySpace
}

/** Compiles the moving values in the conditions of a schema. */
export function compileMovingValues(schema: Schema, forgets: Forgets) {
  const byName = new Map<string, Observed>()
  const found = schema.streams.flatMap(movingIn)
  const keyed = compileMovingByKey(schema, found.filter(isKeyed), forgets)
  const all = found.filter((value) => !isKeyed(value))
  for (const value of all) {
    const name = nameOf(value)
    if (byName.has(name)) continue
    const lengths = all.filter((each) => nameOf(each) === name).map(({ length_us }) => length_us)
    byName.set(name, compileObserved(schema, value, Math.max(...lengths)))
  }

  return {
    /** The parts of the memory that are filled by statistics of before. */
    spaces: [...byName.values()].map(({ space }) => space),

    /** Takes the event into the statistics of its stream. */
    observe(stream: string): ((current: CurrentEvent, state: RuleState) => void)[] {
      const observed = [...byName.values()].filter((each) => each.stream === stream)
      const ofAll = observed.map(({ intervals, number }) => (current: CurrentEvent, state: RuleState): void => {
        const value = number(current)
        if (value !== undefined) intervals.add(state, current.time, value)
      })
      return [...ofAll, ...keyed.observe(stream)]
    },

    /** Reads a moving value at the time of an event of `stream`. */
    read(stream: Stream, value: MovingValue): ReadMoving {
      const withMargin = compileMargin(value.margin)
      if (isKeyed(value)) {
        const figure = keyed.read(stream, value)
        return (current, state) => {
          const found = figure(current, state)
          const result = found === undefined ? Number.NaN : withMargin(found)
          return Number.isFinite(result) ? result : undefined
        }
      }
      const observed = byName.get(nameOf(value))
      if (observed === undefined) throw new Error(`${value.stream}.${value.attribute} is not observed`)
      const { intervals, number } = observed
      const statistic = statistics[value.statistic]
      const ofNothing = ofNoValue[value.statistic]
      // An event that came too late for its interval counts all the same.
      const alone = stream.name === value.stream ? number : () => undefined
      return (current, state) => {
        const { time } = current
        const moments = intervals.over(state, time - value.length_us, time) ?? aloneMoments(alone(current))
        const found = moments === undefined ? ofNothing : statistic(moments)
        if (found === undefined) return undefined
        const result = withMargin(found)
        return Number.isFinite(result) ? result : undefined
      }
    },
  }
}

const aloneMoments = (value: number | undefined): Moments | undefined =>
  value === undefined ? undefined : momentsOf(value)

const nameOf = ({ stream, attribute, granularity }: MovingValue): string => `${stream} ${attribute} ${granularity}`

const valuesIn = (condition: RuleCondition): MovingValue[] =>
  'terms' in condition
    ? condition.terms.flatMap(valuesIn)
    : [condition.left, condition.right].filter((operand) => operand.kind === 'moving')

const movingIn = ({ movingFilters, rules }: Stream): MovingValue[] =>
  [...movingFilters.map(({ condition }) => condition), ...rules.flatMap(({ filter, closing }) => [filter, closing])]
    .filter((condition) => condition !== undefined)
    .flatMap(valuesIn)

function compileObserved(schema: Schema, value: MovingValue, longest_us: number): Observed {
  const { attribute, granularity } = value
  const stream = schema.streams.find(({ name }) => name === value.stream)
  if (stream === undefined) throw new Error(`${schema.name} has no stream ${value.stream}`)
  const measured = stream.attributes.find(({ name }) => name === attribute)
  const { statistics } = measured ?? {}
  if (measured === undefined || statistics === undefined)
    throw new Error(`${stream.name}.${attribute} has no statistic that moves`)
  const levels = levelsFor(longest_us, granularity)
  // A statistic that only counts fills nothing else: one with moments begins anew.
  const isCounted = !hasMoments(statistics) || undefined
  const space = spaceOf(schema.name, stream.name, 'moving', { attribute, granularity, levels, isCounted })
  const intervals = createIntervals(space, granularity, longest_us)
  const source = { schema, stream, attribute: { ...measured, statistics, granularity } }
  return {
    ...{ stream: stream.name, intervals, number: numberRead(stream, attribute) },
    space: {
      ...{ name: space, stream: stream.name, keys: [], window_us: longest_us },
      seed: (clickhouse, isOwn) => seedMoving(space, source, intervals, clickhouse, isOwn),
    },
  }
}

/** Of an attribute that is no number its presence alone counts. */
function numberRead(stream: Stream, attribute: string): Read<number> {
  const { read } = placeOf(stream, attribute)
  return (current) => {
    const value = read(current)
    if (value === undefined) return undefined
    return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0
  }
}

const compileMargin = (margin: MovingValue['margin']): ((value: number) => number) => {
  if (margin === undefined) return (value) => value
  return margin.kind === 'percent' ? (value) => value + (value * margin.value) / 100 : (value) => value + margin.value
}
