/** Statistics over the hops of a window, each of which is a fixed number of items in a flat list: `width`. */
import { parseJson } from '../../../base/json.ts'
import type { AttributeType, StatisticKind } from '../../../sql/schema/schema.ts'
import type { PlainStates } from '../../../sql/schema/statistic-values.ts'
import { quantileMember } from '../../../sql/schema/statistics/quantile-member.ts'
import type { Measure } from '../../../sql/schema/statistics.ts'
import type { Scalar } from '../../events/values.ts'
import { lostOf } from '../step/moments.ts'
import { type BinCounts, binsFrom, mergeBins, noBins, quantileOf, withNumber } from './bin-counts.ts'
import {
  mergeMoments,
  momentFields,
  momentsFrom,
  noMoments,
  numberOf,
  type RunningMoments,
  withValue,
} from './moments.ts'
import { hashers, hashesFrom } from './unique-count.ts'

type Numeric = number | bigint
/** The items of one hop. They are never changed in place. */
export type Hop = readonly unknown[]

/** One statistic over hops. A hop has a value at least. */
export type WindowStatistic = {
  readonly width: number
  /** The hop with one value more; `hop` is undefined where it is the first one. */
  add(hop: Hop | undefined, value: Scalar): Hop
  /** The hop of states that ClickHouse has merged, and of what those leave out. */
  from(states: unknown, sketch: string): Hop
  /** Hops together, those at `places` of a list; undefined where there are none. A fold is what `members` read. */
  fold(list: Hop, places: readonly number[]): unknown
  /**
   * A fold, which is of no use any more then, with the hop at a place of a list. Of statistics alone whose folds are as
   * small as a hop.
   */
  readonly merge: ((fold: unknown, list: Hop, at: number) => unknown) | undefined
  /** A fold of hops as one hop. */
  together(fold: unknown): Hop
  /** By name a member of the value object, of a fold and of the hop that is still open. */
  readonly members: Readonly<Record<string, (fold: unknown, open: Hop | undefined) => unknown>>
}

const isNumeric = (value: Scalar): value is Numeric => typeof value === 'number' || typeof value === 'bigint'
const totalOf = (states: unknown): number => Number(Array.isArray(states) ? states[0] : states)

const counted: WindowStatistic = {
  width: 1,
  add: (hop) => [Number(hop?.[0] ?? 0) + 1],
  from: (states) => [totalOf(states)],
  fold: (list, places) => places.reduce((sum, place) => sum + Number(list[place]), 0),
  merge: (fold, list, at) => Number(fold ?? 0) + Number(list[at]),
  together: (fold) => [fold],
  members: { cnt: (fold, open) => Number(fold ?? 0) + Number(open?.[0] ?? 0) },
}

/** Sums alone, with the least and the greatest value where those are kept. */
function sums(hasEnds: boolean): WindowStatistic {
  const width = hasEnds ? 5 : 3
  // Numbers in an array of their own are not boxed, as they are in one that has texts beside them.
  const copy = (list: Hop, at: number): unknown[] =>
    hasEnds ? list.slice(at, at + width) : [Number(list[at]), Number(list[at + 1]), Number(list[at + 2])]
  const merge = (fold: unknown, list: Hop, at: number): unknown => {
    const all = fold as number[] | undefined
    if (all === undefined || all[0] === 0) return copy(list, at)
    // A hop of events without the value has no least one.
    const n = Number(list[at])
    if (n === 0) return all
    const [before, sum] = [all[1] ?? 0, Number(list[at + 1])]
    all[0] = (all[0] ?? 0) + n
    all[1] = before + sum
    all[2] = (all[2] ?? 0) + Number(list[at + 2]) + lostOf(before, sum)
    if (!hasEnds) return all
    const [least, most] = [Number(list[at + 3]), Number(list[at + 4])]
    all[3] = Math.min(all[3] ?? least, least)
    all[4] = Math.max(all[4] ?? most, most)
    return all
  }
  const expanded = (fold: unknown, open: Hop | undefined): RunningMoments => {
    const before = fold as number[] | undefined
    const all = (open && before ? merge(before.slice(), open, 0) : (open ?? before)) as number[] | undefined
    if (all === undefined) return noMoments
    return [all[0] ?? 0, all[1] ?? 0, all[2] ?? 0, 0, 0, 0, 0, 0, all[3] ?? null, all[4] ?? null]
  }
  const ofNone: Hop = [0, 0, 0, null, null].slice(0, width)
  const ofOne = (value: Numeric): Hop => (hasEnds ? [1, Number(value), 0, value, value] : [1, Number(value), 0])
  return {
    width,
    add(hop, value) {
      if (!isNumeric(value)) return hop ?? ofNone
      return hop ? (merge(hop.slice(), ofOne(value), 0) as Hop) : ofOne(value)
    },
    from(states) {
      const all = typeof states === 'number' ? noMoments : momentsFrom(states as Exclude<PlainStates, number>)
      return [all[0], all[1], all[2], all[8], all[9]].slice(0, width)
    },
    merge,
    fold(list, places) {
      let all: unknown
      for (const place of places) all = merge(all, list, place)
      return all
    },
    together: (fold) => fold as number[],
    members: membersFrom(expanded),
  }
}

/** The members of one event ask for the same moments, one after the other: the latest are kept. */
function membersFrom(together: (fold: unknown, open: Hop | undefined) => RunningMoments): WindowStatistic['members'] {
  let latest: { readonly fold: unknown; readonly open: Hop | undefined; readonly moments: RunningMoments } | undefined
  const momentsOf = (fold: unknown, open: Hop | undefined): RunningMoments => {
    if (latest === undefined || latest.fold !== fold || latest.open !== open)
      latest = { fold, open, moments: together(fold, open) }
    return latest.moments
  }
  return Object.fromEntries(
    Object.entries(momentFields).map(([name, read]) => [name, (fold: unknown, open) => read(momentsOf(fold, open))]),
  )
}

function allMoments(): WindowStatistic {
  const width = noMoments.length
  const expand = (list: Hop, at: number): RunningMoments => list.slice(at, at + width) as unknown as RunningMoments
  return {
    width,
    add: (hop, value) => {
      const before = hop ? expand(hop, 0) : noMoments
      return isNumeric(value) ? withValue(before, value) : before
    },
    from: (states) => (typeof states === 'number' ? noMoments : momentsFrom(states as Exclude<PlainStates, number>)),
    merge: (fold, list, at) => (fold ? mergeMoments(fold as RunningMoments, expand(list, at)) : expand(list, at)),
    fold(list, places) {
      let all: RunningMoments | undefined
      for (const place of places) all = all ? mergeMoments(all, expand(list, place)) : expand(list, place)
      return all
    },
    together: (fold) => fold as RunningMoments,
    members: membersFrom((fold, open) => {
      const folded = (fold as RunningMoments | undefined) ?? noMoments
      return open ? mergeMoments(folded, expand(open, 0)) : folded
    }),
  }
}

/** The moments that these members need: a dense window keeps the items of a hop many times over. */
function moments(members: readonly string[]): WindowStatistic {
  if (members.every((each) => ['cnt', 'sum', 'avg'].includes(each))) return sums(false)
  return members.every((each) => ['cnt', 'sum', 'avg', 'min', 'max'].includes(each)) ? sums(true) : allMoments()
}

/**
 * A sample of hashes, those of which the last `level` bits are zero: so many different values as it has, times two to the
 * power of the level (Wegman's adaptive sampling; Flajolet, "On adaptive sampling", 1990). Up to `maxSampled` of a hop it
 * has all.
 */
type Sample = readonly [level: number, ...hashes: number[]]
const maxSampled = 1_024

const isIn = (hash: number, level: number): boolean => hash % 2 ** level === 0

function bounded(level: number, hashes: readonly number[]): Sample {
  if (hashes.length <= maxSampled) return [level, ...hashes]
  return bounded(
    level + 1,
    hashes.filter((hash) => isIn(hash, level + 1)),
  )
}

type SampleFold = { readonly level: number; readonly hashes: ReadonlySet<number> }

function foldSamples(samples: readonly Sample[]): SampleFold {
  const level = Math.max(0, ...samples.map(([each]) => each))
  const hashes = new Set<number>()
  for (const [, ...own] of samples) for (const hash of own) if (isIn(hash, level)) hashes.add(hash)
  if (hashes.size <= maxSampled * 4) return { level, hashes }
  return foldSamples([[level + 1, ...hashes]])
}

const differentValues = (member: 'cnt' | 'unique', type: AttributeType): WindowStatistic => ({
  width: 1,
  merge: undefined,
  add: (hop, value) => {
    const [level, ...hashes] = (hop?.[0] as Sample | undefined) ?? [0]
    const hash = hashers[type](value)
    return [isIn(hash, level) && !hashes.includes(hash) ? bounded(level, [...hashes, hash]) : [level, ...hashes]]
  },
  from: (_states, sketch) => [bounded(0, hashesFrom(sketch))],
  fold: (list, places) => foldSamples(places.map((place) => list[place] as Sample)),
  together: (fold) => {
    const { level, hashes } = fold as SampleFold
    return [bounded(level, [...hashes])]
  },
  members: {
    [member]: (fold, open) => {
      const { level, hashes } = (fold as SampleFold | undefined) ?? { level: 0, hashes: new Set<number>() }
      const [own, ...more] = (open?.[0] as Sample | undefined) ?? [0]
      if (own > level)
        return (
          foldSamples([
            [level, ...hashes],
            [own, ...more],
          ]).hashes.size *
          2 ** own
        )
      return (hashes.size + more.filter((hash) => isIn(hash, level) && !hashes.has(hash)).length) * 2 ** level
    },
  },
})

const quantiles = (levels: readonly number[]): WindowStatistic => ({
  width: 1,
  merge: undefined,
  add: (hop, value) => {
    const bins = (hop?.[0] as BinCounts | undefined) ?? noBins
    return [isNumeric(value) ? withNumber(bins, value) : bins]
  },
  from(states, sketch) {
    const [, least, most] = states as readonly [unknown, string | null, string | null]
    return [binsFrom(parseJson(sketch, 'bins') as [number, number][], numberOf(least), numberOf(most))]
  },
  fold: (list, places) => places.map((place) => list[place] as BinCounts).reduce(mergeBins, noBins),
  together: (fold) => [fold],
  members: Object.fromEntries(
    levels.map((level) => [
      quantileMember(level),
      (fold: unknown, open: Hop | undefined) => {
        const bins = (fold as BinCounts | undefined) ?? noBins
        return quantileOf(open ? mergeBins(bins, open[0] as BinCounts) : bins, level)
      },
    ]),
  ),
})

/** The statistic of that kind, of a list of several or by itself, for these members; undefined where it keeps none of them. */
function ofKind(
  { input, statistics: { kinds, levels = [] } }: Measure,
  kind: StatisticKind,
  wanted: readonly string[],
): WindowStatistic | undefined {
  const isAlone = kinds.length === 1
  const known: Partial<Record<StatisticKind, () => WindowStatistic>> = {
    COUNT: () => counted,
    UCOUNT: () => differentValues(isAlone ? 'cnt' : 'unique', input.type),
    RSTAT: () => moments(wanted.filter((member) => Object.hasOwn(momentFields, member))),
    QUANTILES: () => quantiles(levels),
  }
  const statistic = known[kind]?.()
  return statistic && wanted.some((member) => Object.hasOwn(statistic.members, member)) ? statistic : undefined
}

/** One of several statistics, the first of whose items is the `offset`th of a hop. `index` is its place among the states. */
type Part = { readonly statistic: WindowStatistic; readonly offset: number; readonly index: number }

/** All statistics of a measure over hops; `from` takes a sketch for each that is no COUNT. */
export type WindowStatistics = Omit<WindowStatistic, 'from'> & {
  from(states: unknown, sketches: readonly string[]): Hop
}

/** The statistics of a measure that these members of its value object need. */
export function windowStatistics(measure: Measure, wanted: readonly string[]): WindowStatistics {
  const { kinds } = measure.statistics
  const isPlain = kinds.length === 1 && kinds[0] !== 'QUANTILES'
  const stated = kinds.filter((kind) => kind !== 'COUNT')
  const parts: Part[] = []
  let width = 0
  // The number of values is that of RSTAT where that is kept.
  const hasTotal = wanted.includes('cnt') && !kinds.includes('RSTAT') && !(isPlain && kinds[0] === 'UCOUNT')
  for (const kind of hasTotal ? (['COUNT', ...stated] as const) : stated) {
    const statistic = kind === 'COUNT' ? counted : ofKind(measure, kind, wanted)
    if (statistic === undefined) continue
    parts.push({ statistic, offset: width, index: kind === 'COUNT' ? -1 : stated.indexOf(kind) })
    width += statistic.width
  }
  const [only] = parts
  if (only && parts.length === 1) {
    const { statistic, index } = only
    return {
      ...statistic,
      from: (states, sketches) =>
        statistic.from(
          isPlain || index < 0 ? states : (states as readonly unknown[])[index + 1],
          sketches[index] ?? '',
        ),
    }
  }
  const merges = parts.map(({ statistic }) => statistic.merge)
  const itemsOf = (hop: Hop | undefined, { offset, statistic }: Part): Hop | undefined =>
    hop?.slice(offset, offset + statistic.width)
  return {
    width,
    merge: merges.includes(undefined)
      ? undefined
      : (fold, list, at) =>
          merges.map((merge, index) =>
            merge?.((fold as readonly unknown[] | undefined)?.[index], list, at + (parts[index]?.offset ?? 0)),
          ),
    add: (hop, value) => parts.flatMap((part) => part.statistic.add(itemsOf(hop, part), value)),
    from: (states, sketches) =>
      parts.flatMap(({ statistic, index }) => {
        const own = isPlain || index < 0 ? states : (states as readonly unknown[])[index + 1]
        return statistic.from(own, sketches[index] ?? '')
      }),
    fold: (list, places) =>
      parts.map(({ statistic, offset }) =>
        statistic.fold(
          list,
          places.map((place) => place + offset),
        ),
      ),
    together: (fold) =>
      parts.flatMap(({ statistic }, index) => statistic.together((fold as readonly unknown[])[index])),
    members: Object.fromEntries(
      parts.flatMap((part, index) =>
        Object.entries(part.statistic.members).map(([name, read]) => [
          name,
          (fold: unknown, open: Hop | undefined) =>
            read((fold as readonly unknown[] | undefined)?.[index], itemsOf(open, part)),
        ]),
      ),
    ),
  }
}
