/** How often something was met, and the times of the latest ones where a rule asks how far those reach. */
export type Counted = readonly [count: number, times: readonly number[]]

export const never: Counted = [0, []]

/** Keeps the latest `back` times, where a bound is set on how far they reach. */
export function createTimes(back: number, within_us: number | undefined) {
  const max = within_us === undefined ? 0 : back
  return {
    add: (times: readonly number[], time: number): readonly number[] => {
      if (max === 0) return times
      return times.length < max ? [...times, time] : [...times.slice(times.length - max + 1), time]
    },
    /** Whether the one `back` times ago is within the bound. */
    isWithin: (times: readonly number[], time: number): boolean => {
      if (within_us === undefined || back === 0) return true
      const first = times[times.length - back]
      return first !== undefined && Math.abs(time - first) <= within_us
    },
  }
}
