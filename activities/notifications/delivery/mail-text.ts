/** What a mail says of a payload: the template's texts, and the event. */
export function mailText(payload: string): { readonly from: string; readonly subject: string; readonly text: string } {
  const { name, subject, msg, mailfrom, count, notif_event } = JSON.parse(payload) as Payload
  const event = eventIn(payload) ?? JSON.stringify(notif_event)
  const matches = `${count} ${count === 1 ? 'match' : 'matches'}, the last one:`
  return {
    from: mailfrom,
    subject: subject || name || 'notification',
    text: [...(msg === '' ? [] : [msg, '']), matches, event, ''].join('\n'),
  }
}

type Payload = {
  readonly name: string
  readonly subject: string
  readonly msg: string
  readonly mailfrom: string
  readonly count: number
  readonly notif_event: unknown
}

const member = ',"notif_event":'

/** The event as it was written: JSON.parse would round its long integers. */
function eventIn(payload: string): string | undefined {
  // Within a text each of these quotes would have a backslash before it.
  const begin = payload.indexOf(member)
  const end = payload.lastIndexOf(',"count":')
  return begin === -1 || end < begin ? undefined : payload.slice(begin + member.length, end)
}
