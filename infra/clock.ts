export type Clock = {
  /** Microseconds since 1970, greater than every value before it, also across restarts when started from the last. */
  next(): number
  /** The greatest value handed out so far. */
  last(): number
  /** From now on only values that leave `slot` when divided by `slots`: processes with other slots share none. */
  share(slot: number, slots: number): void
  /** From now on only values greater than this one. */
  pass(value: number): void
}

const wallClockMicros = (): number => Date.now() * 1000

/**
 * `last_us` is the greatest value of an earlier run, 0 if there was none. Where the wall clock is behind the last value, as
 * after a jump ahead and back, values grow at half the speed of time until it has caught up: what is an hour apart stays
 * apart, and what waits for a second waits for two.
 */
export function createClock(last_us = 0, now_us: () => number = wallClockMicros): Clock {
  let last = last_us
  let [slot, slots] = [0, 1]
  /** The wall clock and the last value when values began to be ahead of it. */
  let [since, from] = [Number.POSITIVE_INFINITY, 0]

  function behind(now: number): number {
    if (now < since) [since, from] = [now, last]
    return Math.max(last + 1, from + Math.floor((now - since) / 2))
  }

  return {
    next() {
      const now = now_us()
      const isAhead = now <= last
      const min = isAhead ? behind(now) : now
      if (!isAhead) since = Number.POSITIVE_INFINITY
      last = min + ((slot - (min % slots) + slots) % slots)
      return last
    },
    last: () => last,
    share(mine, all) {
      slot = mine
      slots = all
    },
    pass(value) {
      if (value <= last) return
      last = value
      since = Number.POSITIVE_INFINITY
    },
  }
}

/** How far a clock's values are ahead of the computer's own time: it was ahead once, and values never go back. */
export const secondsAhead = ({ last }: Pick<Clock, 'last'>, now_us: () => number = wallClockMicros): number =>
  Math.max(0, last() - now_us()) / 1e6
