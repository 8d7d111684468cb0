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

/** Values of one millisecond are no lead: most wall clocks tell no less. */
const resolution_us = 1_000

const microsPassed = (): number => performance.now() * 1000

/**
 * `last_us` is the greatest value of an earlier run, 0 if there was none. Where the wall clock is behind the last value, as
 * after a jump ahead and back, values grow at half the speed at which time passes until the wall clock has caught up: events an
 * hour apart get times half an hour apart. Values that are ahead since many were asked for wait for the wall clock.
 */
export function createClock(
  last_us = 0,
  now_us: () => number = wallClockMicros,
  passed_us: () => number = microsPassed,
): Clock {
  let last = last_us
  let [slot, slots] = [0, 1]
  /** When values began to be ahead of the wall clock, by the time that passes, and the last value then. */
  let began: { readonly passed: number; readonly from: number } | undefined

  function whileAhead(): number {
    const passed = passed_us()
    began ??= { passed, from: last }
    return Math.max(last + 1, began.from + Math.floor((passed - began.passed) / 2))
  }

  return {
    next() {
      const now = now_us()
      let least = now
      if (now > last) began = undefined
      else least = last - now < resolution_us ? last + 1 : whileAhead()
      last = least + ((slot - (least % slots) + slots) % slots)
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
      began = undefined
    },
  }
}

/** How far a clock's values are ahead of the computer's own time: it was ahead once, and values never go back. */
export const secondsAhead = ({ last }: Pick<Clock, 'last'>, now_us: () => number = wallClockMicros): number =>
  Math.max(0, last() - now_us()) / 1e6
