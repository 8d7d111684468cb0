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

/** The state of a delivery after a try, or before the first one. */
export type DeliveryResult = {
  readonly delivery: Delivery
  readonly state: 'pending' | 'delivered' | 'failed'
  /** The HTTP status of the last answer; null without an answer. */
  readonly status: number | null
  readonly error: string | null
  /** The time of the next try; undefined where there will be none. */
  readonly nextTry?: number
  /** The try answers every request to deliver that was made up to this moment. */
  readonly answers?: number
}

export const mailScheme = 'mailto:'

export const mailEndpoint = (addresses: readonly string[]): string => mailScheme + addresses.join(',')
