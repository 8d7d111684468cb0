import type { Event } from '../../../../base/json.ts'
import type { Sent } from '../../../activities/rules/oracle.ts'
import { doubled, type Finding, lost, wrong } from '../../ledger.ts'

/** Seconds of silence that end a session. */
const session_s = 2
/** Gets a row of each session. */
export const visits = 'visits'

/** Sessions of clients. */
export const visited = { gpat: ['c'], iatr: 'v', stat: ['RSTAT', 'LAST'], session: session_s, ostm: visits }

type Sums = { readonly times: Set<number>; count: number; sum: number }

/**
 * The rows of sessions. Clocks are set meanwhile and parts stand still, so that it is not known where a session was cut: each event
 * is in one session of its client, and a session begins and ends with events of it.
 */
export function checkVisits(name: string, rows: readonly Event[], events: readonly Sent[]): Finding[] {
  const findings: Finding[] = []
  const sent = new Map<unknown, Sums>()
  for (const { stream, event, pk } of events) {
    if (stream !== 'a') continue
    const of = sent.get(event.c) ?? { times: new Set(), count: 0, sum: 0 }
    of.times.add(pk)
    of.count++
    of.sum += Number(event.v)
    sent.set(event.c, of)
  }
  const told = new Map<unknown, { count: number; sum: number }>()
  for (const { c, from, to, cnt, sum, _pk } of rows) {
    const of = `the session of ${c} from ${from} to ${to} of ${name}.${visits}`
    const known = sent.get(c)
    if (!known?.times.has(Number(from)) || !known.times.has(Number(to)))
      findings.push(wrong(`${of} has no such events`))
    if (Number(_pk) > Number(to) + session_s * 1e6) findings.push(wrong(`${of} is told of ${_pk}`))
    const before = told.get(c) ?? { count: 0, sum: 0 }
    told.set(c, { count: before.count + Number(cnt), sum: before.sum + Number(sum) })
  }
  for (const [c, { count, sum }] of sent) {
    const found = told.get(c) ?? { count: 0, sum: 0 }
    const of = `${found.count} events with a sum of ${found.sum} are in sessions of ${c} of ${name}.${visits}, and ${count} with ${sum} were sent`
    if (found.count < count) findings.push(lost(of))
    else if (found.count > count) findings.push(doubled(of))
    else if (found.sum !== sum) findings.push(wrong(of))
  }
  return findings
}
