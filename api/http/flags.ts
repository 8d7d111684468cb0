import { fault } from '../../base/faults.ts'

type Query = Readonly<Record<string, unknown>>

/** `?consistency=eventual`: the answer need not hold events that were acknowledged before it. */
export const isEventual = (query: Query): boolean => query.consistency === 'eventual'

/** `?force=1`: the change may lose data. */
export const isForced = (query: Query): boolean => query.force === '1'

/** The end of a path to a list: 1 for a verbose one, 0 for a brief one. */
export function isVerbose(flag: string): boolean {
  if (flag === '0' || flag === '1') return flag === '1'
  throw fault('invalid', `${JSON.stringify(flag.slice(0, 40))}: write 0 for a brief list or 1 for a verbose one`)
}
