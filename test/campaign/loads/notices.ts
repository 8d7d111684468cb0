import type { Event } from '../../api/streams/oracle.ts'
import { doubled, type Finding, lost, wrong } from '../ledger.ts'
import type { LoadDeps } from './load.ts'
import { notable } from './schema.ts'

/** Two notifications of a generation's events: the sends that are stored, and the posts that came to their endpoints. */
export function createNotices({ asker, hook, generation }: Pick<LoadDeps, 'asker' | 'hook' | 'generation'>) {
  const [each, gathered] = [generation * 2 + 1, generation * 2 + 2]
  const path = (notifid: number): string => `/${notifid}`

  // biome-ignore lint/suspicious/noExplicitAny: a payload
  const stored = (notifid: number): Promise<any[]> =>
    asker.reader.documents(`select * from notif where notifid = ${notifid}`)

  /** Each send that was stored must have come to the endpoint, and no other. */
  // biome-ignore lint/suspicious/noExplicitAny: payloads
  function compare(notifid: number, rows: readonly any[]): Finding[] {
    const known = new Set(rows.map(({ id }) => String(id)))
    const came = hook.ids(path(notifid))
    return [
      ...[...known]
        .filter((id) => !came.has(id))
        .map((id) => lost(`send ${id} of notification ${notifid} did not come`)),
      ...[...came].filter((id) => !known.has(id)).map((id) => wrong(`send ${id} of ${notifid} came and is not stored`)),
    ]
  }

  return {
    each,
    gathered,
    async open(): Promise<void> {
      for (const notifid of [each, gathered]) {
        const body = { notifid, endpoints: [hook.url(path(notifid))], ...(notifid === gathered ? { freq: 1 } : {}) }
        await asker.surely(0, { what: 'templates', method: 'POST', path: '/db/notification/register', body })
      }
    },
    async check(events: readonly Event[]): Promise<readonly Finding[]> {
      const findings: Finding[] = []
      const matches = new Set(events.filter(({ n }) => Number(n) > notable).map(({ _pk }) => _pk))
      const single = await stored(each)
      const seen = new Set<number>()
      for (const { notif_event: event } of single) {
        const pk = Number(event._pk)
        if (seen.has(pk)) findings.push(doubled(`notification ${each} of event ${pk}`))
        if (!matches.has(pk)) findings.push(wrong(`notification ${each} of event ${pk}, which is not there`))
        seen.add(pk)
      }
      for (const pk of matches) if (!seen.has(pk)) findings.push(lost(`notification ${each} of event ${pk}`))
      const numbers = single.map(({ count_this_notif: count }) => Number(count)).sort((a, b) => a - b)
      if (!numbers.every((number, i) => number === i + 1)) findings.push(wrong(`${each} counts ${numbers.join()}`))
      const together = await stored(gathered)
      const sum = together.reduce((all, { count }) => all + Number(count), 0)
      const kind = sum < matches.size ? lost : doubled
      if (sum !== matches.size)
        findings.push(kind(`notification ${gathered} gathered ${sum} of ${matches.size} matches`))
      return [...findings, ...compare(each, single), ...compare(gathered, together)]
    },
  }
}
