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
  /** In microseconds since 1970. */
  readonly nextTry: number
  readonly tries: number
  /** The moment, in microseconds since 1970, at which a try was asked for; absent for tries that are due by themselves. */
  readonly asked?: number
}

/** The name of a delivery among all. */
export type DeliveryKey = Pick<Delivery, 'notifid' | 'ts' | 'place'>

/** A try that is asked for, and the moment of that. */
export type DeliveryRetry = DeliveryKey & { readonly asked: number }

/** A delivery as it is after a try, or before the first. */
export type DeliveryResult = {
  readonly delivery: Delivery
  readonly state: 'pending' | 'delivered' | 'failed'
  /** The last answer's; null without one. */
  readonly status: number | null
  readonly error: string | null
  /** Undefined where none is to come. */
  readonly nextTry?: number
  /** The try did what was asked for until this moment. */
  readonly answers?: number
}

export const mailScheme = 'mailto:'

export const mailEndpoint = (addresses: readonly string[]): string => mailScheme + addresses.join(',')
