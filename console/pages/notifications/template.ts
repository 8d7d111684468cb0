import { parseJson } from '../../api/json.ts'

/** A template of notifications, as `reg_notif` shows it. */
export type Template = {
  readonly notifid: number
  readonly name: string
  readonly rule: string
  readonly subject: string
  readonly msg: string
  readonly freq: number
  readonly pri: number
  readonly mailto: readonly string[]
  readonly endpoints: readonly string[]
  readonly tags: readonly string[]
  readonly mailfrom: string
  /** 0 paused, 1 active. */
  readonly state: number
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])
const numberOf = (value: unknown, otherwise = 0): number => (typeof value === 'number' ? value : otherwise)

export function templateOf({ v }: { readonly v?: unknown }): Template {
  const wire = Object(typeof v === 'string' ? parseJson(v) : v)
  return {
    notifid: Number(wire.notifid),
    name: textOf(wire.name),
    rule: textOf(wire.rule),
    subject: textOf(wire.subject),
    msg: textOf(wire.msg),
    freq: numberOf(wire.freq),
    pri: numberOf(wire.pri, 1),
    mailto: textsOf(wire.mailto),
    endpoints: textsOf(wire.endpoints),
    tags: textsOf(wire.tags),
    mailfrom: textOf(wire.mailfrom),
    state: numberOf(wire.state, 1),
  }
}

/** A send, as `notif` shows it. */
export type Send = {
  readonly id: string
  readonly ts: number
  readonly count: number
  readonly dur: number
  readonly event: unknown
  readonly payload: string
}

export function sendOf({ k, v }: { readonly k?: unknown; readonly v?: unknown }): Send {
  const payload = typeof v === 'string' ? v : JSON.stringify(v)
  const wire = Object(parseJson(payload))
  return {
    id: textOf(wire.id),
    ts: Number(k),
    count: numberOf(wire.count),
    dur: numberOf(wire.dur),
    event: wire.notif_event,
    payload,
  }
}

/** The lines of a text, without blanks and empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
