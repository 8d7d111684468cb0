import type { Json } from '../../../base/json.ts'
import { boundedRows } from './samples.ts'
import type { AlertSend } from './states.ts'
import type { Ready, Receivers } from './store.ts'

type Object = { [member: string]: Json }

/** The body that a receiver of an alert gets, beside the id and the time of the send. */
export function readyOf(
  name: string,
  at: number,
  send: AlertSend,
  { notf, format, version, labels }: Receivers,
): Ready[] {
  if (notf === undefined) return []
  const payload =
    format === 'alertmanager' ? alertmanagerBody(name, send, labels) : weirBody(name, version, at, send, labels)
  return [{ notifid: notf, format, payload }]
}

function weirBody(name: string, version: number, at: number, send: AlertSend, labels: Receivers['labels']): Object {
  const { state, about, since, ended, value, key, rows, error } = send
  const shown = boundedRows(rows)
  return {
    ...{ saved: name, version, state, about, since, at },
    ...(ended !== undefined && { ended }),
    ...{ value, key: { ...key }, labels: { ...labels }, rows: shown },
    ...(shown.length < rows.length && { rows_left_out: rows.length - shown.length }),
    ...(error !== undefined && { error }),
  }
}

const iso = (at_us: number): string => new Date(at_us / 1000).toISOString()
const textOf = (value: Json): string => (typeof value === 'string' ? value : String(value))
/** The names of labels have letters, digits and underscores alone. */
const labelName = (name: string): string => name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_')

/** The body that Alertmanager sends to webhooks, version 4, of one alert. */
function alertmanagerBody(name: string, send: AlertSend, own: Receivers['labels']): Object {
  const { state, about, since, ended, value, key, error } = send
  const labels = Object.fromEntries(
    Object.entries({ ...own, ...key, alertname: name, ...(about !== 'key' && { about }) }).map(([label, text]) => [
      labelName(label),
      textOf(text),
    ]),
  )
  const annotations = { value: textOf(value), ...(error !== undefined && { error }) }
  const alert = {
    status: state,
    labels,
    annotations,
    startsAt: iso(since),
    // The zero of Go's times stands for an alert that has not ended.
    endsAt: ended === undefined ? '0001-01-01T00:00:00Z' : iso(ended),
    generatorURL: `/saved/${name}`,
    fingerprint: fingerprintOf(labels),
  }
  return {
    version: '4',
    groupKey: `{}:{alertname=${JSON.stringify(name)}}`,
    truncatedAlerts: 0,
    status: state,
    receiver: 'weir',
    groupLabels: { alertname: name },
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: '',
    alerts: [alert],
  }
}

const separator = 0xff
const [offset, prime, mask] = [14695981039346656037n, 1099511628211n, 2n ** 64n - 1n]

/** FNV-1a (64 bits) over the sorted labels, each name and value with a byte of ones behind it, as Alertmanager's own. */
function fingerprintOf(labels: Readonly<Record<string, string>>): string {
  const names = Object.keys(labels).toSorted()
  const bytes = names.flatMap((name) => [
    ...Buffer.from(name),
    separator,
    ...Buffer.from(labels[name] ?? ''),
    separator,
  ])
  const hash = bytes.reduce((sum, byte) => ((sum ^ BigInt(byte)) * prime) & mask, offset)
  return hash.toString(16).padStart(16, '0')
}
