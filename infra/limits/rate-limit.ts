import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** How much of its rate somebody has left. */
export type Allowance = {
  readonly isOver: boolean
  /** Requests in a window. */
  readonly limit: number
  readonly remaining: number
  /** Until the window ends. */
  readonly reset_s: number
}

const window_s = 2
/** Counted apart in a window; whoever comes beyond them is counted together. */
const mostCounted = 50_000

/** Counts requests by name, `rate` a second: twice as many in two seconds, at whatever pace. */
export function createRateLimit(rate: number) {
  const limit = rate * window_s
  const limiter = new RateLimiterMemory({ points: limit, duration: window_s })
  let counted = new Set<string>()
  const forgetting = setInterval(() => {
    counted = new Set()
  }, window_s * 1000).unref()

  function counterOf(name: string): string {
    if (counted.has(name)) return name
    if (counted.size >= mostCounted) return 'others'
    counted.add(name)
    return name
  }

  const allowance = (isOver: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Allowance => ({
    isOver,
    limit,
    remaining: remainingPoints,
    reset_s: Math.max(1, Math.ceil(msBeforeNext / 1000)),
  })

  return {
    async take(name: string): Promise<Allowance> {
      try {
        return allowance(false, await limiter.consume(counterOf(name)))
      } catch (result) {
        if (result instanceof RateLimiterRes) return allowance(true, result)
        throw result
      }
    },
    close: (): void => clearInterval(forgetting),
  }
}

export type RateLimit = ReturnType<typeof createRateLimit>

/** What counts as one address: of IPv6 the network of 64 bits, which one subscriber has to himself. */
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
