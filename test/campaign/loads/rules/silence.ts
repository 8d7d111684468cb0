import type { Event } from '../../../../base/json.ts'
import type { Sent } from '../../../activities/rules/oracle.ts'
import { doubled, type Finding, lost, wrong } from '../../ledger.ts'

/** Seconds after which an event of a client that none followed is told. */
export const silence_s = 2
/** Gets a row of each. */
export const silent = 'alones'

/** A pattern of nothing but silence: the next event of the same client does not come. */
export const alone = {
  ...{ name: 'alone', type: 1, rstm: 'a', jqry: { cond: ['c'], args: ['c'] }, iatr: ['id'], tloc: silence_s },
  absent: { ostm: silent },
}

/**
 * The rows of events that none followed. Clocks are set meanwhile and parts stand still, so that it is not known of each event
 * whether another one came in time: each row is there once, of an event that was, later by so much; and the last event of each client has one.
 */
export function checkSilence(name: string, rows: readonly Event[], events: readonly Sent[]): Finding[] {
  const findings: Finding[] = []
  const known = new Map(events.filter(({ stream }) => stream === 'a').map((sent) => [sent.event.id, sent]))
  const told = new Set<unknown>()
  for (const { id, _pk } of rows) {
    const of = `the row of event ${id} of ${name}.${silent}`
    const sent = known.get(id)
    if (told.has(id)) findings.push(doubled(of))
    told.add(id)
    if (sent === undefined) findings.push(wrong(`${of} is of no event`))
    else if (Number(_pk) !== sent.pk + silence_s * 1e6)
      findings.push(wrong(`${of} is of ${_pk}, its event of ${sent.pk}`))
  }
  const [lasts, newest] = [new Map<unknown, Sent>(), new Map<unknown, number>()]
  for (const sent of known.values()) {
    const { c } = sent.event
    lasts.set(c, sent)
    newest.set(c, Math.max(sent.pk, newest.get(c) ?? sent.pk))
  }
  for (const { event, pk } of lasts.values()) {
    // One that came with an earlier time may have been too late to be waited for.
    if (pk === newest.get(event.c) && !told.has(event.id))
      findings.push(lost(`the row of event ${event.id} of ${name}.${silent}`))
  }
  return findings
}
