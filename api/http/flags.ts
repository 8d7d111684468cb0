import type { Undo } from '../../activities/kept/kept.ts'
import { fault } from '../../base/faults.ts'

type Query = Readonly<Record<string, unknown>>

/** `?consistency=eventual`: the answer need not hold events that were acknowledged before it. */
export const isEventual = (query: Query): boolean => query.consistency === 'eventual'

/** `?force=1`: the change may lose data. */
export const isForced = (query: Query): boolean => query.force === '1'

/** `?dry=1`: the call answers what it would do, and changes nothing. No other value passes for "no": the call would do it. */
export function isDry({ dry }: Query): boolean {
  if (dry === undefined || dry === '0') return false
  if (dry === '1') return true
  throw fault('invalid', 'dry: write dry=1 for an answer of what would be done, or leave it out')
}

/** `?strict=1`: members that Weir does not know are refused. */
export function isStrict({ strict }: Query): boolean {
  if (strict === undefined || strict === '0') return false
  if (strict === '1') return true
  throw fault('invalid', 'strict: write strict=1 to have unknown members refused, or leave it out')
}

/** `?rebuild=1`: what is derived is made anew from what is left. */
export function isRebuilding({ rebuild }: Query): boolean {
  if (rebuild === undefined || rebuild === '0') return false
  if (rebuild === '1') return true
  throw fault('invalid', 'rebuild: write rebuild=1 to have statistics made anew from what is left, or leave it out')
}

const maxHours = 720

/** `?undo=24`: the deletion keeps what it takes for so many hours. */
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
