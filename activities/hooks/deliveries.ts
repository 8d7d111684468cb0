import type { Mismatch } from './verify.ts'

export type Verdict = Mismatch | 'accepted' | 'repeated' | 'challenge' | 'refused' | 'failed'

/** A delivery as it is remembered: nothing of its body, and of one that is not its sender's nothing that it claims. */
export type Delivery = {
  /** When it came, in microseconds since 1970. */
  readonly ts: number
  readonly verdict: Verdict
  readonly bytes?: number
  /** Events that it brought. */
  readonly accepted?: number
  readonly rejected?: number
  readonly repeated?: number
  readonly error?: string
}

/** Of a hook. Strangers who send to it push none of its own out. */
const [maxSigned, maxUnsigned] = [100, 20]
const longestError = 300

type Kept = { count: number; signed: Delivery[]; unsigned: Delivery[] }

const mismatches: readonly string[] = ['unsigned', 'wrong_signature', 'too_old', 'too_far_ahead'] satisfies Mismatch[]

/** The latest deliveries of each hook to this process. */
export function createDeliveries(now_us: () => number = () => Date.now() * 1000) {
  const since = now_us()
  const hooks = new Map<string, Kept>()
  /** No two deliveries are of one time: a page of them goes on behind it. */
  let last = 0

  return {
    add(hook: string, delivery: Omit<Delivery, 'ts'>): void {
      const kept = hooks.get(hook) ?? { count: 0, signed: [], unsigned: [] }
      hooks.set(hook, kept)
      kept.count++
      const isUnsigned = mismatches.includes(delivery.verdict)
      const list = isUnsigned ? kept.unsigned : kept.signed
      const { error } = delivery
      last = Math.max(now_us(), last + 1)
      list.push({ ts: last, ...delivery, ...(error !== undefined && { error: error.slice(0, longestError) }) })
      if (list.length > (isUnsigned ? maxUnsigned : maxSigned)) list.shift()
    },

    /** Newest first, and how many there were since the process began. */
    list(hook: string) {
      const { count = 0, signed = [], unsigned = [] } = hooks.get(hook) ?? {}
      const deliveries = [...signed, ...unsigned].toSorted((one, other) => other.ts - one.ts)
      return { deliveries, num_deliveries: count, since }
    },

    forget: (hook: string): void => void hooks.delete(hook),
  }
}

export type Deliveries = ReturnType<typeof createDeliveries>
