import type { Metrics } from '../../../infra/metrics.ts'
import type { Answered, Outbound } from '../../../infra/outbound/http.ts'
import { InternalAddress } from '../../../infra/outbound/lookup.ts'
import type { Mailer, Refused } from '../../../infra/outbound/mail.ts'
import type { Notification } from '../../../sql/notification/decode.ts'
import { sendId } from '../payload.ts'
import { sign } from '../secrets.ts'
import type { TemplateVersion } from '../template-store.ts'
import { type Delivery, type DeliveryResult, mailEndpoint, mailScheme, pauseAfter_us, saidOfOff } from './delivery.ts'
import { mailText } from './mail-text.ts'

export type TryDeps = {
  /** Nothing goes out (`NOTIFY_SEND=0`). */
  readonly isMute: boolean
  readonly outbound: Pick<Outbound, 'post'>
  /** Undefined where no mail goes out. */
  readonly mailer: Pick<Mailer, 'send'> | undefined
  /** A template as it is now; undefined where it was removed. */
  readonly template: (notifid: number) => TemplateVersion | undefined
  readonly payload: (delivery: Delivery) => Promise<string | undefined>
  /** Ends what goes to an endpoint of a template that answered 410 to a try which began at that moment. */
  readonly switchOff: (notifid: number, endpoint: string, began_us: number) => Promise<void>
  readonly now_us: () => number
  readonly metrics: Pick<Metrics, 'notificationTries'>
}

/** Will not change by a repeat. */
class Final extends Error {}

/**
 * Tries a delivery once, and returns the result to keep. Throws where its payload cannot be read, where it cannot be
 * written that its endpoint is gone, and before anything goes out where the try has `ended` meanwhile or `mayGo` says no.
 */
export function createTryDelivery(deps: TryDeps) {
  const { isMute, outbound, mailer, template, payload, switchOff, now_us, metrics } = deps

  async function post(delivery: Delivery, body: string, secret: string, ended: AbortSignal): Promise<Answered> {
    const id = sendId(delivery.notifid, delivery.ts)
    // Receivers compare it with their own clock, and refuse some minutes; Weir's own may be ahead of it.
    const timestamp_s = Math.floor(Date.now() / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'weir',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp_s),
      'webhook-signature': sign(secret, id, timestamp_s, body),
    }
    return outbound.post(delivery.endpoint, headers, body, ended)
  }

  async function mail(delivery: Delivery, body: string, template: Notification): Promise<readonly Refused[]> {
    if (!mailer) throw new Final('no mail goes out: SMTP_URL is not set')
    const to = delivery.endpoint.slice(mailScheme.length).split(',')
    return mailer.send({ id: sendId(delivery.notifid, delivery.ts), to, ...mailText(body, template) })
  }

  return async (delivery: Delivery, ended: AbortSignal, mayGo: () => boolean = () => true): Promise<DeliveryResult> => {
    const { notifid, ts } = delivery
    const tried = { ...delivery, version: delivery.version + 1, tries: delivery.tries + 1 }
    const untried = { ...delivery, version: delivery.version + 1 }
    const current = template(notifid)
    if (current === undefined || current.registered > ts) return failed(untried, null, 'the notification was removed')
    if (delivery.asked === undefined && isOver(ts, now_us()))
      return failed(untried, null, 'not delivered within 24 hours')
    if (isMute) return failed(untried, null, 'not tried: nothing is sent here, since NOTIFY_SEND is 0')
    if (delivery.asked === undefined && current.endpointsOff.includes(delivery.endpoint))
      return failed(untried, null, saidOfOff(notifid))
    const body = await payload(delivery)
    if (body === undefined) return failed(untried, null, 'what was sent is not there any more')
    ended.throwIfAborted()
    if (!mayGo()) throw new Error('another process delivers')
    const began_us = now_us()

    let status: number | null = null
    let retryAfter: string | undefined
    let error: unknown
    let refused: readonly Refused[] = []
    try {
      if (delivery.endpoint.startsWith(mailScheme)) refused = await mail(delivery, body, current.notification)
      else ({ status, retryAfter } = await post(delivery, body, current.secret, ended))
    } catch (caught) {
      if (ended.aborted) throw caught
      error = caught
    }
    const isTaken = error === undefined && (status === null || (status >= 200 && status < 300))
    const isDelivered = isTaken && refused.length === 0
    metrics.notificationTries.inc({ outcome: isDelivered ? 'delivered' : 'failed' })
    if (isDelivered) return { delivery: tried, state: 'delivered', status, error: null }
    const said = refused.length > 0 ? saidOf(refused) : error === undefined ? `status ${status}` : saidBy(error)
    if (error instanceof InternalAddress || error instanceof Final) return failed(tried, status, said)
    if (status === gone) {
      await switchOff(notifid, delivery.endpoint, began_us)
      return failed(tried, status, 'status 410: the endpoint is gone for good, and switched off')
    }
    // An address that has taken the mail gets it once.
    const left =
      refused.length > 0 ? { ...tried, endpoint: mailEndpoint(refused.map(({ address }) => address)) } : tried
    const ended_us = now_us()
    const next = nextTry(ts, tried.tries, ended_us, askedPause_us(retryAfter, Date.now() * 1000))
    return next === undefined
      ? failed(left, status, said)
      : { delivery: { ...left, nextTry: next }, state: 'pending', status, error: said, nextTry: next }
  }
}

export type TryDelivery = ReturnType<typeof createTryDelivery>

const longestText = 300

const failed = (delivery: Delivery, status: number | null, error: string): DeliveryResult => ({
  delivery,
  state: 'failed',
  status,
  error,
})

const saidOf = (refused: readonly Refused[]): string =>
  `not taken for ${refused.map(({ address, reason }) => `${address} (${reason})`).join(', ')}`.slice(0, longestText)

/** A connection that fails gives its reason in `code` alone where several addresses were tried. */
function saidBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, longestText)
  const code = 'code' in error ? String(error.code) : error.name
  return (error.message === '' ? code : error.message).slice(0, longestText)
}

const second_us = 1_000_000
const hour_s = 3_600
const longest_us = 24 * hour_s * second_us

/** The status by which an endpoint says that it takes nothing any more. */
const gone = 410

/** The pause that an endpoint asks for: seconds, or a date of HTTP; 0 where it says nothing that is one. */
export function askedPause_us(retryAfter: string | undefined, now_us: number): number {
  if (retryAfter === undefined) return 0
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * second_us
  const at_us = Date.parse(retryAfter) * 1_000
  return Number.isNaN(at_us) ? 0 : Math.max(0, at_us - now_us)
}

/**
 * When a delivery is tried again after `tries` tries, of which the last ended at `ended_us`; undefined after a day. A longer
 * pause that the endpoint asks for is kept.
 */
export function nextTry(sent_us: number, tries: number, ended_us: number, asked_us = 0): number | undefined {
  const next = ended_us + Math.max(pauseAfter_us(tries), asked_us)
  return isOver(sent_us, next) ? undefined : next
}

const isOver = (sent_us: number, now_us: number): boolean => now_us > sent_us + longest_us
