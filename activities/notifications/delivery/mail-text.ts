import { isObject, type Json, parseJson, writeJson } from '../../../base/json.ts'
import type { Notification } from '../../../sql/notification/decode.ts'

/** The head and the text of a mail. */
export type MailText = { readonly from: string; readonly subject: string; readonly text: string }

/** The mail for a payload: of matches, by the template as it was when they came; of an alert, by the present one. */
export function mailText(payload: string, template: Notification): MailText {
  const sent = parseJson(payload, 'what was sent')
  if (!isObject(sent)) throw new Error('what was sent is no object')
  if ('notif_event' in sent) return ofMatches(sent, payload)
  const alert = alertIn(sent)
  const head = `[${alert.state.toUpperCase()}] ${alert.name}${alert.of === '' ? '' : ` ${alert.of}`}`
  const { msg, subject, mailfrom } = template
  return {
    from: mailfrom,
    subject: oneLine(subject === '' ? head : `${subject} ${head}`),
    text: [...(msg === '' ? [] : [msg, '']), head, ...alert.lines, ''].join('\n'),
  }
}

const maxSubject = 200
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, maxSubject)

type AlertText = {
  readonly state: string
  readonly name: string
  readonly of: string
  readonly lines: readonly string[]
}

/** Either body of an alert: Weir's own, or Alertmanager's. */
function alertIn(sent: { readonly [member: string]: Json }): AlertText {
  const [first] = Array.isArray(sent.alerts) ? sent.alerts : []
  if (isObject(first)) {
    const { alertname = '', ...labels } = isObject(first.labels) ? first.labels : {}
    return { state: textOf(first.status), name: textOf(alertname), of: shown(labels), lines: linesOf(first) }
  }
  const { saved, state, key, value, rows } = sent
  const table = Array.isArray(rows) ? rows.map((row) => writeJson(row)) : []
  const members = isObject(sent)
    ? { ...(value !== undefined && { value }), ...(sent.error !== undefined && { error: sent.error }) }
    : {}
  return {
    state: textOf(state),
    name: textOf(saved),
    of: shown(isObject(key) ? key : {}),
    lines: [...linesOf(members), ...table],
  }
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : writeJson(value ?? ''))

const shown = (labels: { readonly [name: string]: Json }): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join(' ')

const linesOf = (members: { readonly [name: string]: Json }): string[] =>
  Object.entries(members).map(([name, value]) => `${name}: ${textOf(value)}`)

function ofMatches(sent: { readonly [member: string]: Json }, payload: string): MailText {
  const { name, subject, msg, mailfrom, count } = sent
  const event = eventIn(payload) ?? writeJson(sent.notif_event ?? null)
  const matches = `${textOf(count)} ${count === 1 ? 'match' : 'matches'}, the last one:`
  return {
    from: textOf(mailfrom),
    subject: textOf(subject) || textOf(name) || 'notification',
    text: [...(msg === '' ? [] : [textOf(msg), '']), matches, event, ''].join('\n'),
  }
}

const member = ',"notif_event":'

/** The event as it was written. */
function eventIn(payload: string): string | undefined {
  // Within a text each of these quotes would have a backslash before it.
  const begin = payload.indexOf(member)
  const end = payload.lastIndexOf(',"count":')
  return begin === -1 || end < begin ? undefined : payload.slice(begin + member.length, end)
}
