import { type Allowance, addressName, type RateLimit } from '../../infra/limits/rate-limit.ts'
import { type Caller, nobody } from './caller.ts'
import type { KeyEngine } from './engine.ts'

/** The caller by the keys that a request shows; undefined where it shows none that is good, or two. */
export function callerOf(keys: Pick<KeyEngine, 'find'>, shown: readonly string[]): Caller | undefined {
  const [key, another] = shown
  return key === undefined || another !== undefined ? undefined : keys.find(key)
}

export const whyDenied = (shown: readonly string[]): string => {
  if (shown.length === 0) return 'this needs a key: send it as x-api-key, or as Authorization: Bearer <key>'
  if (shown.length > 1) return 'the request shows two different keys; send one'
  return 'the key is unknown, expired or revoked'
}

/** The name under which shares are counted: a key, or an address where there is no key. */
export const nameOf = ({ by }: Caller, address: string | undefined): string =>
  by === '' ? `address ${addressName(address ?? '')}` : by

/** An allowance, whether a key or an address has it, and whether it is the key's own. */
export type Turn = Allowance & { readonly of: 'key' | 'address'; readonly isOwn?: boolean }

/**
 * Counts a request of a key, or of an address where there is no key. A key with `ingest` may stand in a page that
 * everybody reads: its request counts for its address as well, and first, so that one refused there is none of the key's;
 * `isAddressCounted`: it was counted there before its key was read.
 */
export function takeTurn(
  limit: RateLimit,
  caller: Caller,
  address: string | undefined,
  isAddressCounted = false,
): Turn {
  if (caller.by !== '' && caller.scopes.has('ingest') && !isAddressCounted) {
    const ofAddress = limit.take('address', nameOf(nobody, address))
    if (ofAddress.isOver) return { ...ofAddress, of: 'address' }
  }
  const of = caller.by === '' ? 'address' : 'key'
  const { rate, token } = caller
  const name = token !== undefined && rate !== undefined ? token.by : nameOf(caller, address)
  return { ...limit.take(of, name, rate), of, isOwn: rate !== undefined }
}

/** With a refusal alone: on every answer they would cost more than the count itself. */
export const allowanceHeaders = ({ limit, remaining, reset_s }: Allowance): Record<string, string> => ({
  'Retry-After': String(reset_s),
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(reset_s),
})

export const whyTooMany = ({ limit, of, isOwn }: Turn): string =>
  `more than ${limit / 2} requests a second by one ${of}, and ${limit} at once (${isOwn ? 'its rate' : 'RATE_LIMIT'})`
