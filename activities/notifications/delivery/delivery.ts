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
}

/** A delivery as it is after a try, or before the first. */
export type DeliveryResult = {
  readonly delivery: Delivery
  readonly state: 'pending' | 'delivered' | 'failed'
  /** The last answer's; null without one. */
  readonly status: number | null
  readonly error: string | null
  /** Undefined where none is to come. */
  readonly nextTry?: number
}

export const mailScheme = 'mailto:'

export const mailEndpoint = (addresses: readonly string[]): string => mailScheme + addresses.join(',')
