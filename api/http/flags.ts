import type { Undo } from '../../activities/undo/deletions.ts'
import { fault } from '../../base/faults.ts'

type Query = Readonly<Record<string, unknown>>

/** `?consistency=eventual`: the answer need not hold events that were acknowledged before it. */
export function isEventual({ consistency }: Query): boolean {
  if (consistency === undefined || consistency === 'eventual') return consistency !== undefined
  throw fault('invalid', 'consistency: write consistency=eventual, or leave it out for an answer that holds all events')
}

/** `?force=1`: the change may lose data. */
export const isForced = (query: Query): boolean => isOn(query, 'force', 'for a change that may lose data')

/** A switch that is 1, 0 or absent. No other value passes for "no": the call would do what its sender meant to try. */
function isOn(query: Query, name: 'dry' | 'force' | 'strict' | 'rebuild' | 'details', effect: string): boolean {
  const value = query[name]
  if (value === undefined || value === '0') return false
  if (value === '1') return true
  throw fault('invalid', `${name}: write ${name}=1 ${effect}, or leave it out`)
}

/** `?dry=1`: the call answers what it would do, and changes nothing. */
export const isDry = (query: Query): boolean => isOn(query, 'dry', 'for an answer of what would be done')

/** `?strict=1`: members that Weir does not know are refused. */
export const isStrict = (query: Query): boolean => isOn(query, 'strict', 'to have unknown members refused')

/** `?rebuild=1`: Weir makes the statistics, entities and graph anew from the events that are left. */
export const isRebuilding = (query: Query): boolean =>
  isOn(query, 'rebuild', 'to have statistics made anew from what is left')

/** `?details=1`: the answer tells more of each thing in it. */
export const isDetailed = (query: Query): boolean => isOn(query, 'details', 'for more of each thing')

const maxHours = 720

/** `?undo=24`: Weir sets the deleted data aside for 24 hours, in which the deletion can be undone. */
export function undoOf({ undo }: Query): Undo | undefined {
  if (undo === undefined) return undefined
  const hours = typeof undo === 'string' && /^\d{1,3}$/.test(undo) ? Number(undo) : 0
  if (hours >= 1 && hours <= maxHours) return { hours }
  throw fault('invalid', `undo: for how many hours to keep what goes, a whole number of 1 to ${maxHours}`)
}

/** Refuses `?undo` on a deletion that keeps nothing. */
export function refuseUndo({ undo }: Query, what: string): void {
  if (undo !== undefined) throw fault('invalid', `undo: ${what} goes for good; leave undo out`)
}

/** The end of a path to a list: 1 for a verbose one, 0 for a brief one. */
export function isVerbose(flag: string): boolean {
  if (flag === '0' || flag === '1') return flag === '1'
  throw fault('invalid', `${JSON.stringify(flag.slice(0, 40))}: write 0 for a brief list or 1 for a verbose one`)
}

/** `?for=answers`: the service is ready where it answers queries, not where it takes events. */
export function readinessOf({ for: asked }: Query): 'takes' | 'answers' {
  if (asked === undefined || asked === 'takes') return 'takes'
  if (asked === 'answers') return asked
  throw fault('invalid', 'for: write for=takes, or for=answers')
}
