import { isDeepStrictEqual } from 'node:util'
import type { Event } from '../../../base/json.ts'
import type { Sent } from '../../activities/rules/oracle.ts'
import type { Client } from '../../support/requests/client.ts'
import { openEventStream } from '../../support/requests/event-stream.ts'
import { type Finding, lost, wrong } from '../ledger.ts'

/** The events of a stream with their places in the log, as a live reader gets them from the beginning. */
export async function inOrder(reader: Client, schema: string, stream: string, findings: Finding[]): Promise<Sent[]> {
  const from = `${schema}.${stream}`
  const stored: Event[] = (await reader.documents(`select * from ${from}`)).map(plain)
  const live = await openEventStream(reader.url, `/stream/${schema}/${stream}/live?after=0`)
  try {
    await live.until(`${stored.length} events of ${from}, live`, stored.length)
  } catch {
    findings.push(lost(`a live reader of ${from} has ${live.named('event').length} of ${stored.length} events`))
  }
  live.close()
  const came = live.named('event').map(({ id, data = '' }) => ({ seq: Number(id), event: plain(JSON.parse(data)) }))
  if (came.length === stored.length && !isDeepStrictEqual(byId(came.map(({ event }) => event)), byId(stored))) {
    findings.push(wrong(`a live reader of ${from} got other events than a query`))
  }
  return came.map(({ seq, event }) => ({ stream, event, pk: Number(event._pk), seq }))
}

const plain = ({ _v, ...event }: Event): Event => event
const byId = (events: readonly Event[]): Event[] => events.toSorted((one, other) => Number(one.id) - Number(other.id))
