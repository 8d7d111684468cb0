import type { Heard } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import { isObject, type Json } from '../../base/json.ts'
import type { Exclusively } from '../../base/mutex.ts'
import { Refusal } from '../../base/refusal.ts'
import type { Logger } from '../../infra/logger.ts'
import { internalRange, isLoopbackName, literalAddress } from '../../infra/outbound/addresses.ts'
import {
  decodeNotification,
  decodeNotificationState,
  type NotificationState,
  type SentNotification,
} from '../../sql/notification/decode.ts'
import { generateSecret } from './secrets.ts'
import { type TemplateStore, type TemplateVersion, writeNotification } from './template-store.ts'
import type { Timeline } from './timeline.ts'

/** ClickHouse bounds a statement at 256 KB, and a payload carries the whole template. */
const maxBytes = 100_000
const maxInSchema = 1_000
const states = { paused: 0, active: 1, remove: -1 } as const satisfies Record<NotificationState, -1 | 0 | 1>

export type TemplatesDeps = {
  readonly store: TemplateStore
  readonly timeline: Timeline
  /** Makes one change at a time, in all processes. */
  readonly exclusively: Exclusively
  readonly now_us: () => number
  /** Nothing goes out (`NOTIFY_SEND=0`), so that every address is taken. */
  readonly isMute: boolean
  readonly allowsInternal: boolean
  /** Mail goes out, or may go out from another process. */
  readonly mails: boolean
  readonly logger: Logger
}

/** The result of a registration; `secret` where it is new. */
export type Registration = { readonly notifid: number; readonly isReplaced: boolean; readonly secret?: string }

/** Registers, pauses and removes templates of notifications (docs/notifications.md). */
export function createTemplates(deps: TemplatesDeps) {
  const { store, timeline, exclusively, now_us, isMute, mails, logger } = deps
  const allowsInternal = deps.allowsInternal || isMute

  function decode(wire: Json, path: string, notes: Heard): SentNotification {
    const sent = decodeNotification(wire, path, notes)
    if (bytesOf(sent) > maxBytes) {
      throw fault('invalid', `the notification has over ${maxBytes} bytes; shorten its texts`)
    }
    const internal = allowsInternal ? [] : sent.notification.endpoints.flatMap((url, place) => internalOf(url, place))
    if (internal.length > 0)
      throw new Refusal(internal.map((problem) => (path === '' ? problem : `${path}.${problem}`)))
    const note = (member: 'endpoints' | 'mailto', why: string): void =>
      notes.add(path === '' ? member : `${path}.${member}`, why)
    const { endpoints, mailto } = sent.notification
    if (isMute && endpoints.length > 0) note('endpoints', 'get nothing, since NOTIFY_SEND is 0')
    if (mailto.length > 0 && isMute) note('mailto', 'gets no mail, since NOTIFY_SEND is 0')
    else if (mailto.length > 0 && !mails) note('mailto', 'gets no mail, since SMTP_URL and MAIL_FROM are not set')
    return sent
  }

  /** When a change is made: behind the last one, which a process whose clock is ahead of this one's may have made. */
  const changeTime = (notifid: number): number => Math.max(now_us(), (timeline.of(notifid).at(-1)?.at ?? 0) + 1)

  /** The version that a registration makes, and whether its secret is new. */
  function versionOf({ notification, secret: given }: SentNotification): { version: TemplateVersion; fresh: boolean } {
    const { notifid } = notification
    const present = timeline.current(notifid)
    const at = changeTime(notifid)
    const secret = given ?? present?.secret ?? generateSecret()
    return {
      version: {
        notifid,
        at,
        registered: present?.registered ?? at,
        state: present?.state ?? 1,
        secret,
        endpointsOff: [],
        notification,
      },
      fresh: secret !== present?.secret,
    }
  }

  async function put(sent: readonly SentNotification[]): Promise<Registration[]> {
    if (sent.length === 0) return []
    return exclusively(async () => {
      await timeline.refresh()
      const made = sent.map((each) => ({ isReplaced: isThere(each), ...versionOf(each) }))
      await keep(made.map(({ version }) => version))
      return made.map(({ version: { notifid, secret }, fresh, isReplaced }) => ({
        notifid,
        isReplaced,
        ...(fresh && { secret }),
      }))
    })
  }

  const isThere = ({ notification }: SentNotification): boolean => timeline.current(notification.notifid) !== undefined

  async function keep(versions: readonly TemplateVersion[]): Promise<void> {
    await store.put(versions)
    timeline.add(versions)
  }

  return {
    decode: (wire: Json, notes: Heard): SentNotification => decode(wire, '', notes),

    /** The notifids without a template. */
    async absent(notifids: readonly number[]): Promise<ReadonlySet<number>> {
      if (notifids.length > 0) await timeline.refresh()
      return new Set(notifids.filter((notifid) => timeline.current(notifid) === undefined))
    },

    /** Tells what `register` would do. */
    async tryRegister(sent: SentNotification): Promise<Omit<Registration, 'secret'>> {
      await timeline.refresh()
      return { notifid: sent.notification.notifid, isReplaced: isThere(sent) }
    },

    /** The same `notifid` replaces, and keeps its state, its counts, and its secret unless a new one comes. */
    async register(sent: SentNotification): Promise<Registration> {
      const [made] = await put([sent])
      if (!made) throw new Error('a template was registered and is not there')
      return made
    },

    /** The templates that a schema brings in `notifs`: all are good, or a Refusal says which are not. */
    decodeAll(wire: Json, notes: Heard): SentNotification[] {
      if (!Array.isArray(wire)) throw new Refusal('notifs: must be an array of notifications')
      if (wire.length > maxInSchema) throw new Refusal(`notifs: has over ${maxInSchema} items`)
      const sent = wire.map((each, place) => decode(isObject(each) ? each : null, `notifs[${place}]`, notes))
      const ids = sent.map(({ notification }) => notification.notifid)
      const twice = ids.find((id, place) => ids.indexOf(id) !== place)
      if (twice !== undefined) throw new Refusal(`notifs: notifid ${twice} is there twice`)
      return sent
    },

    registerAll: put,

    /**
     * An endpoint that answers 410 gets nothing more until its template is registered again or made active. An answer to a try
     * that began before the template's last change says nothing about what is registered now.
     */
    switchOff: (notifid: number, endpoint: string, began_us: number): Promise<void> =>
      exclusively(async () => {
        await timeline.refresh()
        const present = timeline.current(notifid)
        if (!present || present.at > began_us || present.endpointsOff.includes(endpoint)) return
        await keep([{ ...present, at: changeTime(notifid), endpointsOff: [...present.endpointsOff, endpoint] }])
        logger.warn({ notifid, host: new URL(endpoint).host }, 'endpoint answered 410, nothing more is sent to it')
      }),

    setState: (wire: Json): Promise<{ notifid: number; state: number; msg: string }> =>
      exclusively(async () => {
        const { notifid, state } = decodeNotificationState(wire)
        await timeline.refresh()
        const present = timeline.current(notifid)
        if (!present) throw missing(notifid)
        const endpointsOff = state === 'active' ? [] : present.endpointsOff
        await keep([{ ...present, at: changeTime(notifid), state: states[state], endpointsOff }])
        const msg = `notification ${notifid} is ${state === 'remove' ? 'removed' : state}`
        return { notifid, state: states[state], msg }
      }),
  }
}

export type Templates = ReturnType<typeof createTemplates>

export const missing = (notifid: number | string) =>
  fault('missing', `no notification ${String(notifid).slice(0, 40)}; select * from reg_notif tells which there are`)

function bytesOf({ notification }: SentNotification): number {
  try {
    return Buffer.byteLength(writeNotification(notification))
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('the notification is nested too deep')
    throw error
  }
}

function internalOf(endpoint: string, place: number): string[] {
  const url = new URL(endpoint)
  const address = literalAddress(url)
  const range = address === undefined ? undefined : internalRange(address)
  const internal = isLoopbackName(url.hostname) ? `${url.hostname} is this machine` : undefined
  const reason = range === undefined ? internal : `${address} is an internal address (${range})`
  return reason === undefined ? [] : [`endpoints[${place}]: ${reason}; NOTIFY_PRIVATE=1 allows those`]
}
