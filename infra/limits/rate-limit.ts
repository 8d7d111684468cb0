/** The part of its rate that a caller has left. */
export type Allowance = {
  readonly isOver: boolean
  /** Requests that may come at once. */
  readonly limit: number
  readonly remaining: number
  /** Seconds until one more request is taken, or until the full burst is, where none is refused now. */
  readonly reset_s: number
}

/** The requests that a name had left at a time. */
type Bucket = { left: number; at_ms: number }

/** Keys that are good, and addresses. */
type Kind = 'key' | 'address'

/** The seconds whose requests may come at once. */
const burst_s = 2
/** Max names of a kind that are counted apart; all further names of the kind are counted together. */
const maxCounted = 50_000
/** Rounding error of a sum of parts of a request. */
const rounding = 1e-6

/**
 * Counts requests by name: `rate` a second, and twice as many at once after a rest (a token bucket). Windows that begin anew
 * would let twice that through where one meets the next.
 */
export function createRateLimit(rate: number, now_ms: () => number = () => performance.now()) {
  const limit = rate * burst_s
  /** Addresses are without number, so they take no place of a key. */
  const kinds = { key: new Map<string, Bucket>(), address: new Map<string, Bucket>() }

  const filled = ({ left, at_ms }: Bucket, at: number): number => Math.min(limit, left + ((at - at_ms) / 1000) * rate)

  /** A bucket that is full again says nothing. */
  function forget(): void {
    const at = now_ms()
    for (const buckets of Object.values(kinds))
      for (const [name, bucket] of buckets) if (filled(bucket, at) >= limit) buckets.delete(name)
  }
  const forgetting = setInterval(forget, burst_s * 1000).unref()

  function bucketOf(kind: Kind, name: string, at: number): Bucket {
    const buckets = kinds[kind]
    const counted = buckets.has(name) || buckets.size < maxCounted ? name : 'others'
    const known = buckets.get(counted)
    if (known) return known
    const full = { left: limit, at_ms: at }
    buckets.set(counted, full)
    return full
  }

  return {
    take(kind: Kind, name: string): Allowance {
      const at = now_ms()
      const bucket = bucketOf(kind, name, at)
      const left = filled(bucket, at)
      const isOver = left + rounding < 1
      bucket.left = isOver ? left : left - 1
      bucket.at_ms = at
      const missing = isOver ? 1 - left : limit - bucket.left
      return {
        isOver,
        limit,
        remaining: Math.floor(bucket.left + rounding),
        reset_s: Math.max(1, Math.ceil(missing / rate)),
      }
    },
    close: (): void => clearInterval(forgetting),
  }
}

export type RateLimit = ReturnType<typeof createRateLimit>

/** The name by which an address is counted: of IPv6 the network of 64 bits, which one subscriber has to himself. */
export function addressName(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const [before, behind] = [head.split(':').filter(Boolean), (tail ?? '').split(':').filter(Boolean)]
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - behind.length)
  const groups = [...before, ...Array.from({ length: gap }, () => '0'), ...behind]
  return `${groups.slice(0, 4).join(':')}::`
}
