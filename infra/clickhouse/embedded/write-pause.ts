import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '../../../base/faults.ts'

/** How long new writes are held for the running ones to end; a statement that takes longer lets them pass again. */
const hold_ms = 1_000
const rest_ms = 2_000
const patience_ms = 60_000

/** Lets writes pass, and holds them all for a moment in which none is under way. */
export function createWritePause({ hold = hold_ms, rest = rest_ms, patience = patience_ms } = {}) {
  let running = 0
  let held: Promise<void> | undefined
  let onQuiet = (): void => {}

  /** Whether all that run end in time. */
  function quiet(): Promise<boolean> {
    if (running === 0) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), hold)
      onQuiet = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }

  return {
    async writing<Result>(work: () => Promise<Result>): Promise<Result> {
      while (held) await held
      running++
      try {
        return await work()
      } finally {
        running--
        if (running === 0) onQuiet()
      }
    },

    /**
     * Does `work` while no write is under way; for one caller at a time. Fault `unavailable` where a long statement (a
     * rebuild) keeps on running.
     */
    async still<Result>(work: () => Promise<Result>): Promise<Result> {
      for (const end = performance.now() + patience; ; ) {
        let release = (): void => {}
        held = new Promise((resolve) => {
          release = resolve
        })
        try {
          if (await quiet()) return await work()
        } finally {
          onQuiet = () => {}
          held = undefined
          release()
        }
        if (performance.now() > end) {
          throw fault('unavailable', 'a long change of ClickHouse (a rebuild, an edit) is under way; try again later', {
            retryAfter: 30,
          })
        }
        await sleep(rest)
      }
    },
  }
}
