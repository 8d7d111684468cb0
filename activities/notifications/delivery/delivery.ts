import type { States } from '../../../base/states.ts'

/** A delivery of one send to one endpoint, or by mail to all of `mailto`. */
export type Delivery = {
  readonly notifid: number
  /** The time of the send, in microseconds since 1970. */
  readonly ts: number
  /** Its place among the deliveries of its send. */
  readonly place: number
  /** Counts the states that were written of it. */
  readonly version: number
  /** A URL; `mailto:` and the addresses, for mail. */
  readonly endpoint: string
  /** 1 goes first. */
  readonly priority: number
  /** Microseconds since 1970. */
  readonly nextTry: number
  readonly tries: number
  /** The moment, in microseconds since 1970, at which a try was asked for; absent for tries that are due by themselves. */
  readonly asked?: number
}

/** The name of a delivery among all. */
export type DeliveryKey = Pick<Delivery, 'notifid' | 'ts' | 'place'>

/** A try that is asked for, and the moment of that. */
export type DeliveryRetry = DeliveryKey & { readonly asked: number }

/**
 * The states of a delivery in ClickHouse: that with the greatest version counts.
 *
 * | State | What holds | What leads on | What a crash leaves |
 * |---|---|---|---|
 * | pending | A try is to come, at `nextTry`. | A try delivers it, puts it off or fails it. | The delivery as it was: the next process with the lease takes it up. A try whose result was not written is made again, under the same id. |
 * | failed | No try comes by itself: the endpoint refused for good, a day is over, or the notification is gone. | A client may ask for a try, which does as one of a pending delivery. | The request for a try, until the result of the try is written. |
 * | delivered | The endpoint took it. | - | A request for a try is answered without one. |
 */
export const deliveryStates: States<'pending' | 'delivered' | 'failed'> = {
  pending: ['pending', 'delivered', 'failed'],
  failed: ['pending', 'delivered', 'failed'],
  delivered: [],
}

/** The state of a delivery after a try, or before the first one. */
export type DeliveryResult = {
  readonly delivery: Delivery
  readonly state: keyof typeof deliveryStates
  /** The HTTP status of the last answer; null without an answer. */
  readonly status: number | null
  readonly error: string | null
  /** The time of the next try; undefined where there will be none. */
  readonly nextTry?: number
  /** The try answers every request to deliver that was made up to this moment. */
  readonly answers?: number
}

/** Why a delivery to an endpoint that has answered 410 before is not tried. */
export const saidOfOff = (notifid: number): string =>
  `not tried: the endpoint answered 410 before and is switched off; register notification ${notifid} again, or set its state to 1, to switch it on`

export const mailScheme = 'mailto:'

export const mailEndpoint = (addresses: readonly string[]): string => mailScheme + addresses.join(',')

const pauses_s = [1, 5, 30, 120, 600, 1_800]
const longestPause_s = 3_600

/** The pause behind so many tries, in microseconds. */
export const pauseAfter_us = (tries: number): number => (pauses_s[tries - 1] ?? longestPause_s) * 1_000_000
