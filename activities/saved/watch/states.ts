/** The states of a watch, key by key, and the step from one evaluation to the next. It has no clock and does no I/O. */
import { type Json, writeJson } from '../../../base/json.ts'
import type { Watch } from '../../../sql/saved/watch.ts'

/** The subject of an alert: a key of the answer, an evaluation that failed, or an answer without rows. */
export type About = 'key' | 'error' | 'no_rows'

/** The values of the key's columns; empty for a watch without a key. */
export type Key = { readonly [column: string]: Json }

/**
 * The state of an alert that is not inactive. The names and the steps are those of Prometheus' alerts.
 *
 * | State | What holds | What leads on | What a crash leaves |
 * |---|---|---|---|
 * | inactive | The condition does not hold: there is no record. | It holds: pending, and firing at once where `for` is 0. | - |
 * | pending | It holds since `since`, for less than `for`. | `for` is over: firing. It holds no more: inactive, and nothing is sent. | The record, with `since`. |
 * | firing | It held for `for`, and since then, or until less than `keep` ago. | It does not hold for `keep`: resolved. | The record, with the time of the last send. |
 * | resolved | It holds no more. Readers see that for `shown_us`, and until receivers have its end. | It holds again: a new alert, pending. After `shown_us`: inactive. | The record; the send is in the same turn. |
 */
export type AlertState = 'pending' | 'firing' | 'resolved'

export type Alert = {
  readonly about: About
  readonly key: Key
  readonly state: AlertState
  /** When the condition began to hold; microseconds since 1970, as all times here. */
  readonly since: number
  /** When it began to fire. */
  readonly fired?: number
  /** When the condition ceased to hold, where the alert fires on for `keep`. */
  readonly ceased?: number
  readonly resolved?: number
  /** When its last send was made, or that of the one before, whose end receivers do not have; absent where they know of none. */
  readonly sent?: number
  /** Of the last evaluation in which it held. */
  readonly value: Json
}

export type WatchState = {
  /** The time of the last evaluation; a whole multiple of `every`. */
  readonly at: number
  readonly took_ms: number
  /** Times that passed without an evaluation, since the watch was made. */
  readonly skipped: number
  /** The last evaluation failed. */
  readonly problem?: { readonly since: number; readonly says: string }
  readonly alerts: ReadonlyMap<string, Alert>
}

/** One key of an answer. */
export type Sample = {
  readonly key: Key
  readonly holds: boolean
  readonly value: Json
  readonly rows: readonly Json[]
}

export type Outcome =
  | { readonly kind: 'answered'; readonly samples: ReadonlyMap<string, Sample>; readonly hasRows: boolean }
  | { readonly kind: 'failed'; readonly says: string }

/** A change of one alert's state, for readers. */
export type Change = {
  readonly about: About
  readonly key: Key
  readonly state: AlertState | 'inactive'
  readonly at: number
  readonly value: Json
}

export type AlertSend = {
  readonly state: 'firing' | 'resolved'
  readonly about: About
  readonly since: number
  readonly ended?: number
  readonly value: Json
  readonly key: Key
  readonly rows: readonly Json[]
  readonly error?: string
}

export type Step = {
  readonly alerts: ReadonlyMap<string, Alert>
  readonly problem?: NonNullable<WatchState['problem']>
  readonly changes: readonly Change[]
  readonly sends: readonly AlertSend[]
}

/** How long a resolved alert is shown. */
const shown_us = 15 * 60_000_000

export type StepRequest = {
  readonly before: Pick<WatchState, 'alerts' | 'problem'>
  readonly watch: Watch
  readonly outcome: Outcome
  readonly at: number
  readonly isSilenced: (alert: Pick<Alert, 'about' | 'key'>) => boolean
}

const second_us = 1_000_000

/** The name of an alert among those of its watch; no key has the names of the other two. */
export const idOf = (about: About, key: Key): string => (about === 'key' ? writeJson(key) : about)

/** An alert whose condition holds at an evaluation. */
type Held = { readonly alert: Pick<Alert, 'about' | 'key'>; readonly value: Json; readonly rows: readonly Json[] }

const noKey: Key = {}
const special = (about: About, value: Json): Held => ({ alert: { about, key: noKey }, value, rows: [] })

function heldAt({ watch, outcome }: StepRequest): Map<string, Held> {
  if (outcome.kind === 'failed') {
    return watch.error === 'alert' ? new Map([['error', special('error', outcome.says)]]) : new Map()
  }
  const held = new Map<string, Held>()
  for (const [id, { key, holds, value, rows }] of outcome.samples)
    if (holds) held.set(id, { alert: { about: 'key', key }, value, rows })
  if (!outcome.hasRows && watch.no_rows === 'alert') held.set('no_rows', special('no_rows', null))
  return held
}

/** Whether an evaluation says nothing of an alert: after one that failed all but the alert of failures stay as they are. */
const staysAsItIs = ({ about }: Alert, { watch, outcome }: StepRequest): boolean =>
  outcome.kind === 'failed' ? about !== 'error' : about === 'key' && !outcome.hasRows && watch.no_rows === 'keep'

/** An alert of before that goes on, with its new value: the same object where that is the old one; undefined where it has ended. */
function stillHolding(before: Alert | undefined, value: Json): Alert | undefined {
  if (before === undefined || before.state === 'resolved') return undefined
  if (before.ceased === undefined) return before.value === value ? before : { ...before, value }
  const { ceased: _, ...rest } = before
  return { ...rest, value }
}

/** An alert whose condition holds. A failure is told at once, everything else once it has held for `for`. */
function holding(before: Alert | undefined, held: Held, { watch, at }: StepRequest): Alert {
  const alert: Alert = stillHolding(before, held.value) ?? {
    ...held.alert,
    state: 'pending',
    since: at,
    value: held.value,
    // Its end is theirs as well, where receivers do not have that of the one before.
    ...(before?.sent !== undefined && isOwed(before) && { sent: before.sent }),
  }
  const wait_us = alert.about === 'error' ? 0 : watch.for * second_us
  return alert.state === 'pending' && at - alert.since >= wait_us ? { ...alert, state: 'firing', fired: at } : alert
}

/** An alert whose condition does not hold; undefined where it is inactive. */
function ceasing(alert: Alert, { watch, at }: StepRequest): Alert | undefined {
  if (alert.state === 'pending')
    return alert.sent === undefined ? undefined : { ...alert, state: 'resolved', resolved: at }
  if (alert.state === 'resolved') return at - (alert.resolved ?? 0) > shown_us && !isOwed(alert) ? undefined : alert
  const ceased = alert.ceased ?? at
  const keep_us = alert.about === 'error' ? 0 : watch.keep * second_us
  if (at - ceased < keep_us) return { ...alert, ceased }
  const { ceased: _, ...rest } = alert
  return { ...rest, state: 'resolved', resolved: at }
}

/** Whether receivers know of a resolved alert, and not of its end, which a silence kept back. */
const isOwed = ({ sent, resolved = 0 }: Alert): boolean => sent !== undefined && sent < resolved

/** Whether to send the alert now: receivers get its beginning once, a reminder each `again`, and the end of what they were sent. */
function isDue(alert: Alert, { watch, at }: StepRequest): boolean {
  if (alert.state === 'pending') return false
  if (alert.state === 'resolved') return isOwed(alert)
  return (
    alert.sent === undefined ||
    alert.sent < alert.since ||
    (watch.again !== undefined && at - alert.sent >= watch.again * second_us)
  )
}

function sendOf(alert: Alert, rows: readonly Json[], { outcome }: StepRequest): AlertSend {
  const { about, key, since, value, resolved } = alert
  return {
    state: alert.state === 'resolved' ? 'resolved' : 'firing',
    ...{ about, key, since, value, rows },
    ...(resolved !== undefined && { ended: resolved }),
    ...(about === 'error' && outcome.kind === 'failed' && { error: outcome.says }),
  }
}

/** Takes an evaluation: returns the alerts after it, their changes, and the messages to send. */
export function step(request: StepRequest): Step {
  const { before, outcome, at, isSilenced } = request
  const held = heldAt(request)
  const alerts = new Map<string, Alert>()
  const changes: Change[] = []
  const sends: AlertSend[] = []

  function put(id: string, was: Alert | undefined, now: Alert | undefined): void {
    const state = now?.state ?? 'inactive'
    const last = now ?? was
    if (last && state !== (was?.state ?? 'inactive'))
      changes.push({ about: last.about, key: last.key, state, at, value: last.value })
    if (!now) return
    const isSent = isDue(now, request) && !isSilenced(now)
    alerts.set(id, isSent ? { ...now, sent: at } : now)
    if (isSent) sends.push(sendOf(now, rowsOf(id), request))
  }

  const rowsOf = (id: string): readonly Json[] =>
    outcome.kind === 'answered' ? (outcome.samples.get(id)?.rows ?? []) : []

  for (const [id, alert] of before.alerts) {
    if (held.has(id)) continue
    put(id, alert, staysAsItIs(alert, request) ? alert : ceasing(alert, request))
  }
  for (const [id, each] of held) {
    const was = before.alerts.get(id)
    put(id, was, holding(was, each, request))
  }
  const problem = outcome.kind === 'failed' ? { since: before.problem?.since ?? at, says: outcome.says } : undefined
  return { alerts, changes, sends, ...(problem && { problem }) }
}

/** The end of a watch that is gone: receivers that know of an alert get a send that it is over. */
export function endOf(before: Pick<WatchState, 'alerts'>, at: number): Pick<Step, 'changes' | 'sends'> {
  const alerts = [...before.alerts.values()]
  return {
    changes: alerts
      .filter(({ state }) => state !== 'resolved')
      .map(({ about, key, value }) => ({ about, key, state: 'inactive', at, value })),
    sends: alerts
      .filter((alert) => (alert.state === 'resolved' ? isOwed(alert) : alert.sent !== undefined))
      .map(({ about, key, since, value, resolved = at }) => {
        return { state: 'resolved', about, key, since, ended: resolved, value, rows: [] }
      }),
  }
}
