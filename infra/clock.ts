export type Clock = {
  /** Microseconds since 1970, greater than every value before it, also across restarts when started from the last. */
  next(): number
  /** The greatest value handed out so far. */
  last(): number
}

const wallClockMicros = (): number => Date.now() * 1000

/** `last_us` is the greatest value of an earlier run, 0 if there was none. */
export function createClock(last_us = 0, now_us: () => number = wallClockMicros): Clock {
  let last = last_us
  return {
    next() {
      const now = now_us()
      last = now > last ? now : last + 1
      return last
    },
    last: () => last,
  }
}
