import { setImmediate as breathe } from 'node:timers/promises'

/** How long others may wait for a search, and how many of its steps take less in any case. */
const longest_ms = 10
const stepsAtOnce = 128

/** Lets others have the event loop: call it at each step, and wait for its promise. */
export function createBreath(): () => Promise<void> | undefined {
  let steps = 0
  let last_ms = performance.now()
  return () => {
    if (++steps % stepsAtOnce !== 0 || performance.now() - last_ms < longest_ms) return undefined
    return breathe().then(() => {
      last_ms = performance.now()
    })
  }
}
