/** The states of alerts over time, of the changes of them. */
import type { TestWatchAnswer, WatchStateAnswer } from '../../api/calls.ts'
import { printJson } from '../../api/json.ts'
import { subjectText } from './watch-words.ts'

type Change = WatchStateAnswer['changes'][number] | TestWatchAnswer['changes'][number]
type Alert = WatchStateAnswer['alerts'][number]

/** A time in which an alert had one state; times are microseconds since 1970. */
export type Segment = { readonly state: Change['state']; readonly from: number; readonly to: number }
export type Track = { readonly id: string; readonly subject: string; readonly segments: readonly Segment[] }

const idOf = ({ about, key }: Pick<Change, 'about' | 'key'>): string => `${about} ${printJson(key)}`

/** The order in which tracks are shown: those that fire first. */
const urgency: Readonly<Record<Change['state'], number>> = { firing: 0, pending: 1, resolved: 2, inactive: 3 }

const lastOf = ({ segments }: Track): Segment | undefined => segments.at(-1)

/**
 * A track for each alert that has changed, or is not quiet, within a span. `changes` in any order; `alerts` as they are
 * at the end, which tells the state of those whose changes were too long ago to be known.
 */
export function tracksOf(
  changes: readonly Change[],
  alerts: readonly Alert[],
  from: number,
  to: number,
): readonly Track[] {
  const byId = new Map<string, { readonly subject: string; readonly changes: Change[] }>()
  for (const change of changes.toSorted((a, b) => a.at - b.at)) {
    const id = idOf(change)
    const known = byId.get(id) ?? { subject: subjectText(change), changes: [] }
    known.changes.push(change)
    byId.set(id, known)
  }
  for (const alert of alerts) {
    const id = idOf(alert)
    if (byId.has(id)) continue
    const { about, key, state, value } = alert
    const at =
      state === 'resolved' ? (alert.resolved ?? to) : state === 'firing' ? (alert.fired ?? alert.since) : alert.since
    byId.set(id, { subject: subjectText(alert), changes: [{ about, key, state, value, at }] })
  }
  return Array.from(
    byId,
    ([id, { subject, changes: own }]): Track => ({ id, subject, segments: segmentsOf(own, from, to) }),
  )
    .filter(({ segments }) => segments.length > 0)
    .sort(
      (a, b) =>
        urgency[lastOf(a)?.state ?? 'inactive'] - urgency[lastOf(b)?.state ?? 'inactive'] ||
        (lastOf(b)?.from ?? 0) - (lastOf(a)?.from ?? 0),
    )
}

/** Changes of one alert, the earliest first, as the times between them, without those in which it was quiet. */
function segmentsOf(changes: readonly Change[], from: number, to: number): readonly Segment[] {
  return changes.flatMap(({ state, at }, place): Segment[] => {
    const end = changes[place + 1]?.at ?? to
    if (state === 'inactive' || end <= from || at >= to) return []
    return [{ state, from: Math.max(at, from), to: Math.min(end, to) }]
  })
}

/** A time in which an alert fires. */
export type Episode = { readonly subject: string; readonly fired: number; readonly resolved: number | undefined }

/** The times in which alerts fire, the earliest first. */
export function episodesOf(changes: readonly Change[]): readonly Episode[] {
  const open = new Map<string, number>()
  const episodes: Episode[] = []
  for (const change of changes.toSorted((a, b) => a.at - b.at)) {
    const id = idOf(change)
    const place = open.get(id)
    if (change.state === 'firing' && place === undefined) {
      open.set(id, episodes.length)
      episodes.push({ subject: subjectText(change), fired: change.at, resolved: undefined })
    } else if (change.state !== 'firing' && place !== undefined) {
      const episode = episodes[place]
      if (episode) episodes[place] = { ...episode, resolved: change.at }
      open.delete(id)
    }
  }
  return episodes
}

/** Series with times of their own as lines over all times. */
export function alignedSeries<Value>(
  series: readonly {
    readonly name: string
    readonly points: readonly { readonly at: number; readonly value: Value }[]
  }[],
  numberOf: (value: Value) => number | undefined,
): {
  readonly x: readonly number[]
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
} {
  const x = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].sort((a, b) => a - b)
  const placeOf = new Map(x.map((at, place) => [at, place]))
  return {
    x,
    series: series.map(({ name, points }) => {
      const values: (number | null)[] = x.map(() => null)
      for (const { at, value } of points) values[placeOf.get(at) ?? 0] = numberOf(value) ?? null
      return { name, values }
    }),
  }
}
