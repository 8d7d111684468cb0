import { valueOf } from './columns.ts'
import type { AttributeType, StatisticKind, Statistics } from './schema.ts'
import { count } from './statistics/count.ts'
import { first, last } from './statistics/ends.ts'
import { moments } from './statistics/moments.ts'
import { column, type Measure, mergedTotal, type ReadableColumn, type StatisticSql } from './statistics/part.ts'
import { quantiles } from './statistics/quantiles.ts'
import { top } from './statistics/top.ts'
import { uniqueCount } from './statistics/unique-count.ts'

export { noneFar } from './statistics/moments.ts'
export { type Measure, mergedTotal, type ReadableColumn } from './statistics/part.ts'
export { besideTop, hasTop } from './statistics/top.ts'

const kinds: Readonly<Record<StatisticKind, StatisticSql>> = {
  COUNT: count,
  UCOUNT: uniqueCount,
  RSTAT: moments,
  QUANTILES: quantiles,
  LAST: last,
  FIRST: first,
  TOPK: top,
}

const each = ({ statistics }: Pick<Measure, 'statistics'>): StatisticSql[] =>
  statistics.kinds.map((kind) => kinds[kind])

/** Columns of the aggregate table, as `name type`. */
export const columnsOf = (measure: Measure): string[] => [
  ...(measure.isUncounted ? [] : [`${column(measure.result, 'cnt')} SimpleAggregateFunction(sum, UInt64)`]),
  ...each(measure).flatMap(({ columns }) => columns(measure)),
]

/** The expressions that a view selects from the Null table for those columns. */
export const feedOf = (measure: Measure): string[] => [
  ...(measure.isUncounted ? [] : [`count(${valueOf(measure.input)}) AS ${column(measure.result, 'cnt')}`]),
  ...each(measure).flatMap(({ feed }) => feed(measure)),
]

/** Whether a value is a number by itself: how many there are, or how many different ones. */
export const isBareNumber = ({ kinds: [kind, ...others] }: Statistics): boolean =>
  others.length === 0 && (kind === 'COUNT' || kind === 'UCOUNT')

/** One statistic that was there before lists of them were: its states stand by themselves. */
export const isPlain = ({ kinds: [kind, ...others] }: Statistics): boolean =>
  others.length === 0 && (kind === 'COUNT' || kind === 'UCOUNT' || kind === 'RSTAT')

/** Whether no row of an aggregate table has states of these without their number of values. */
export const areCountedTogether = ({ statistics }: Pick<Measure, 'statistics'>): boolean =>
  statistics.kinds.every((kind) => kind === 'COUNT' || kind === 'RSTAT' || kind === 'TOPK')

/** Statistics whose states stand beside the number of values in the table of an aggregate. */
const hasStates = (kind: StatisticKind): boolean => kind !== 'COUNT' && kind !== 'TOPK'

/**
 * Merged states under any GROUP BY, as one value that `statistic-values.ts` finishes. States of TOPK come from a table of
 * their own, and are put behind the others.
 */
export function statesOf(measure: Measure): string {
  const { statistics, result } = measure
  const total = mergedTotal(result)
  const states = statistics.kinds.filter(hasStates).map((kind) => kinds[kind].states(measure))
  return isPlain(statistics) ? (states[0] ?? total) : `tuple(${[total, ...states].join(', ')})`
}

/** By statistic of `listedKinds` what its states leave out that a reference needs to go on with them; empty where nothing. */
export const sketchesOf = (measure: Measure): string[] =>
  measure.statistics.kinds.filter(hasStates).map((kind) => kinds[kind].sketch?.(measure) ?? "''")

/** Merges states under any GROUP BY; members and readable columns refer to these by alias. */
export const mergeOf = (measure: Measure): string[] => [
  `${mergedTotal(measure.result)} AS ${column(measure.result, 'n')}`,
  ...each(measure).flatMap(({ merge }) => merge(measure)),
]

/** The members of an answer's value object that conditions compare, over the aliases of `merge`. */
export function membersOf(measure: Measure): Readonly<Record<string, string>> {
  const { statistics, result } = measure
  const [members] = statistics.kinds.length === 1 && statistics.kinds[0] === 'UCOUNT' ? each(measure) : []
  if (members) return { cnt: members.members(measure).unique ?? '' }
  return Object.assign({ cnt: column(result, 'n') }, ...each(measure).map((kind) => kind.members(measure)))
}

type TypeOfInput = (input: AttributeType) => AttributeType

/** Types of members that are no DOUBLE. */
const memberTypes: ReadonlyMap<string, TypeOfInput> = new Map<string, TypeOfInput>([
  ['cnt', () => 'LONG'],
  ['unique', () => 'LONG'],
  ...['min', 'max', 'last', 'first'].map((name): [string, TypeOfInput] => [name, (input) => input]),
])

export const typeOfMember = (member: string, input: AttributeType): AttributeType =>
  memberTypes.get(member)?.(input) ?? 'DOUBLE'

const countOf = ({ result, input }: Measure): ReadableColumn => ({
  value: column(result, 'n'),
  type: 'UInt64',
  about: `Number of values of ${input.name}`,
})

/** Columns that analysts see, by suffix, over the aliases of `merge`. */
export function readableOf(measure: Measure): Readonly<Record<string, ReadableColumn>> {
  return Object.assign({ cnt: countOf(measure) }, ...each(measure).map(({ readable }) => readable(measure)))
}

/** The columns of states, by suffix; none where adding up the readable columns says all that there is. */
export function shownStatesOf(measure: Measure): Readonly<Record<string, ReadableColumn>> {
  const states: Readonly<Record<string, ReadableColumn>> = Object.assign(
    {},
    ...each(measure).map(({ shownStates }) => shownStates?.(measure)),
  )
  if (Object.keys(states).length === 0) return {}
  return { cnt: countOf(measure), ...states }
}

/** How analysts merge the columns of a view over its rows, by the names of the results; `of` gives the column of a suffix. */
export function askedOf(measure: Measure, of: (suffix: string) => string): Readonly<Record<string, string>> {
  const [only] = measure.statistics.kinds.length === 1 ? measure.statistics.kinds : []
  const counted = only === 'UCOUNT' ? {} : { cnt: `sum(${of('cnt')})` }
  return Object.assign(counted, ...each(measure).map(({ asked }) => asked(of, measure)))
}

/** The same, of what takes a longer statement. */
export const askedAtLengthOf = (measure: Measure, of: (suffix: string) => string) =>
  each(measure).flatMap(({ askedAtLength }) => askedAtLength?.(of) ?? [])

/** Merging the states of all groups would take much more memory than those of a page. */
export const hasLargeStates = (measure: Pick<Measure, 'statistics'>): boolean =>
  each(measure).some((kind) => kind.hasLargeStates)

/** A running statistic's value object as JSON text, over the aliases of `merge`; a number that no double holds is null. */
export function valueObject(measure: Measure): string {
  const members = Object.entries(membersOf(measure)).map(
    ([name, value], index) => `'${index === 0 ? '{' : ','}"${name}":', toJSONString(${value})`,
  )
  return `concat(${members.join(', ')}, '}')`
}

/** Statistics by the names of their codes, as messages and comparisons show them. */
export const shownStatistics = ({ kinds: kept, levels, top: values }: Statistics): string =>
  kept
    .map((kind) => {
      if (kind === 'QUANTILES') return `QUANTILES of ${levels?.join(', ')}`
      return kind === 'TOPK' ? `TOPK of ${values} values` : kind
    })
    .join(', ')
