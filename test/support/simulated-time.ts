import { setImmediate as turn } from 'node:timers/promises'
import type { Time } from '../../base/time.ts'

type Due = { readonly at: number; readonly run: () => void }

/** A time that passes as fast as a test asks for: what is due in between happens in its order. */
export function createSimulatedTime() {
  let now = 0
  const waiting = new Set<Due>()
  const add = (milliseconds: number, run: () => void): Due => {
    const due = { at: now + milliseconds, run }
    waiting.add(due)
    return due
  }
  const time: Time = {
    now: () => now,
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        add(milliseconds, resolve)
      }),
    after(milliseconds, work) {
      const due = add(milliseconds, work)
      return { stop: () => waiting.delete(due) }
    },
    every(milliseconds, work) {
      let next: Due
      const again = () => {
        next = add(milliseconds, () => {
          again()
          work()
        })
      }
      again()
      return { stop: () => waiting.delete(next) }
    },
  }
  const first = (): Due | undefined =>
    [...waiting].reduce<Due | undefined>((least, each) => (least && least.at <= each.at ? least : each), undefined)

  /** Goes on to what is due next, up to `end`; false where nothing is. */
  async function step(end: number): Promise<boolean> {
    await turn()
    const due = first()
    if (due === undefined || due.at > end) return false
    waiting.delete(due)
    now = Math.max(now, due.at)
    due.run()
    await turn()
    return true
  }

  return {
    ...time,
    async pass(milliseconds: number): Promise<void> {
      const end = now + milliseconds
      while (await step(end));
      now = end
    },
    /** Lets time pass until the promise is settled. */
    async passUntil<Value>(promise: Promise<Value>): Promise<Value> {
      let isOver = false
      const over = promise.finally(() => {
        isOver = true
      })
      over.catch(() => {})
      while (!isOver) await step(Number.POSITIVE_INFINITY)
      return over
    },
  }
}
