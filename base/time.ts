import { setTimeout as wait } from 'node:timers/promises'

/** The passing of time, in milliseconds since some moment: tests have one of their own, in which no one waits. */
export type Time = {
  now(): number
  /** `keeps`: the process lives until it is over. */
  sleep(milliseconds: number, options?: { readonly keeps: boolean }): Promise<void>
  /** Calls `work` once. */
  after(milliseconds: number, work: () => void): { stop(): void }
  /** Calls `work` again and again until it is stopped; the process does not live for it. */
  every(milliseconds: number, work: () => void): { stop(): void }
}

export const realTime: Time = {
  now: () => performance.now(),
  sleep: (milliseconds, { keeps } = { keeps: true }) => wait(milliseconds, undefined, { ref: keeps }),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds)
    return { stop: () => clearTimeout(timer) }
  },
  every(milliseconds, work) {
    const timer = setInterval(work, milliseconds)
    timer.unref()
    return { stop: () => clearInterval(timer) }
  },
}
