/**
 * The kinds of failures. `api/http/statuses.ts` alone knows which HTTP status and errcode a kind has. A message says
 * what is wrong, with which thing, and what would be right.
 */
export type FaultKind =
  | 'invalid'
  | 'denied'
  | 'forbidden'
  | 'missing'
  | 'method'
  | 'conflict'
  /** A key that stands for another request. */
  | 'reused'
  | 'off'
  | 'too large'
  | 'unsupported'
  | 'out of range'
  | 'limited'
  | 'too many'
  | 'unavailable'
  | 'late'
  /** No client is there to read the answer. */
  | 'abandoned'

export type FaultDetails = {
  /** All the messages, where one request has several faults. */
  readonly problems?: readonly string[]
  /** Seconds after which a repeat may succeed. */
  readonly retryAfter?: number
  readonly cause?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The setting whose limit the request met: metrics count how often. */
  readonly limit?: string
  /** Of a key that stands for a batch of other lines, of which only the first are kept: how many. */
  readonly keptLines?: number
}

export class Fault extends Error {
  readonly kind: FaultKind
  readonly details: FaultDetails

  constructor(kind: FaultKind, message: string, details: FaultDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.name = 'Fault'
    this.kind = kind
    this.details = details
  }
}

export const fault = (kind: FaultKind, message: string, details?: FaultDetails): Fault =>
  new Fault(kind, message, details)
