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
type Bucket = { left: number; at_ms: number; readonly rate: number }

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
 * would let twice that through where one meets the next. A rate of 0 limits nothing but names that have a rate of their own.
 */
export function createRateLimit(rate: number, now_ms: () => number = () => performance.now()) {
  /** Addresses are without number, so they take no place of a key. */
  const kinds = { key: new Map<string, Bucket>(), address: new Map<string, Bucket>() }

  const filled = ({ left, at_ms, rate }: Bucket, at: number): number =>
    Math.min(rate * burst_s, left + ((at - at_ms) / 1000) * rate)

  /** A bucket that is full again says nothing. */
  function forget(): void {
    const at = now_ms()
    for (const buckets of Object.values(kinds))
      for (const [name, bucket] of buckets) if (filled(bucket, at) >= bucket.rate * burst_s) buckets.delete(name)
  }
  const forgetting = setInterval(forget, burst_s * 1000).unref()

  function bucketOf(kind: Kind, name: string, rate: number, at: number): Bucket {
    const buckets = kinds[kind]
    const counted = buckets.has(name) || buckets.size < maxCounted ? name : `others ${rate}`
    const known = buckets.get(counted)
    if (known?.rate === rate) return known
    const full = { left: rate * burst_s, at_ms: at, rate }
    buckets.set(counted, full)
    return full
  }

  return {
    /** Whether it limits no more than names that have a rate of their own. */
    isOff: rate === 0,
    /** `own`: the rate of this name. */
    take(kind: Kind, name: string, own = rate): Allowance {
      const at = now_ms()
      const limit = own * burst_s
      if (own === 0) return { isOver: false, limit, remaining: 0, reset_s: 1 }
      const bucket = bucketOf(kind, name, own, at)
      const left = filled(bucket, at)
      const isOver = left + rounding < 1
      bucket.left = isOver ? left : left - 1
      bucket.at_ms = at
      const missing = isOver ? 1 - left : limit - bucket.left
      return {
        isOver,
        limit,
        remaining: Math.floor(bucket.left + rounding),
        reset_s: Math.max(1, Math.ceil(missing / own)),
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
