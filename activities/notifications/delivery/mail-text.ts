import { isObject, type Json, parseJson, writeJson } from '../../../base/json.ts'
import type { Attachment } from '../../../infra/outbound/mail.ts'
import type { Notification } from '../../../sql/notification/decode.ts'

/** The head and the text of a mail. */
export type MailText = {
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly attachments?: readonly Attachment[]
}

/** The mail for a payload: of matches, by the template as it was when they came; of an alert, by the present one. */
export function mailText(payload: string, template: Notification): MailText {
  const sent = parseJson(payload, 'what was sent')
  if (!isObject(sent)) throw new Error('what was sent is no object')
  if ('notif_event' in sent) return ofMatches(sent)
  if ('num_items' in sent) return ofAnswer(sent, template)
  const alert = alertIn(sent)
  const head = `[${alert.state.toUpperCase()}] ${alert.name}${alert.of === '' ? '' : ` ${alert.of}`}`
  const { msg, subject, mailfrom } = template
  return {
    from: mailfrom,
    subject: oneLine(subject === '' ? head : `${subject} ${head}`),
    text: [...(msg === '' ? [] : [msg, '']), head, ...alert.lines, ''].join('\n'),
  }
}

/** The mail with the answer of a schedule: its rows as a table, and the file. */
function ofAnswer(sent: { readonly [member: string]: Json }, { msg, subject, mailfrom }: Notification): MailText {
  const { saved, due, rows, num_items, rows_left_out, file, file_left_out } = sent
  const of = `${textOf(saved)}, ${new Date(Number(due) / 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const left = rows_left_out === undefined ? [] : [`and ${textOf(rows_left_out)} rows more`]
  const files = isObject(file)
    ? [{ name: textOf(file.name), type: textOf(file.type), content: textOf(file.content) }]
    : []
  return {
    from: mailfrom,
    subject: oneLine(subject === '' ? of : `${subject} ${of}`),
    text: [
      ...(msg === '' ? [] : [msg, '']),
      `${of}: ${textOf(num_items)} ${num_items === 1 ? 'row' : 'rows'}`,
      '',
      ...tableOf(Array.isArray(rows) ? rows.filter(isObject) : []),
      ...left,
      ...(file_left_out === undefined ? [] : [`the file is not attached: ${textOf(file_left_out)}`]),
      '',
    ].join('\n'),
    ...(files.length > 0 && { attachments: files }),
  }
}

const maxCell = 60

/** Rows as a table of text: a column as wide as its widest cell. */
function tableOf(rows: readonly { readonly [column: string]: Json }[]): string[] {
  const columns = Object.keys(rows[0] ?? {})
  if (columns.length === 0) return []
  const lines = [columns, ...rows.map((row) => columns.map((column) => textOf(row[column])))].map((cells) =>
    cells.map((cell) => oneLine(cell).slice(0, maxCell)),
  )
  const widths = columns.map((_, n) => Math.max(...lines.map((cells) => cells[n]?.length ?? 0)))
  return lines.map((cells) =>
    cells
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  )
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

function ofMatches(sent: { readonly [member: string]: Json }): MailText {
  const { name, subject, msg, mailfrom, count, notif_event, notif_events } = sent
  const events = Array.isArray(notif_events) ? notif_events : [notif_event ?? null]
  const which = events.length === 1 ? 'the last one' : `the last ${events.length}`
  return {
    from: textOf(mailfrom),
    subject: textOf(subject) || textOf(name) || 'notification',
    text: [
      ...(msg === '' ? [] : [textOf(msg), '']),
      `${textOf(count)} ${count === 1 ? 'match' : 'matches'}, ${which}:`,
      ...events.map((event) => writeJson(event)),
      '',
    ].join('\n'),
  }
}
