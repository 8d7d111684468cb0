import { setTimeout as after } from 'node:timers/promises'
import type { Database, RootDatabase } from 'lmdb'
import type { KeyedAnswer } from '../port.ts'

const lifetime_us = 24 * 3_600 * 1_000_000
const sweepEvery_ms = 60_000
/** Answers forgotten in one transaction, and the rest between two: commits of events wait behind it. */
const sweptAtOnce = 2_000
const rest_ms = 5

type Answer = { readonly at: number; readonly answer: string }

/** Answers by idempotency key, for 24 hours. `put` and `unput` take part in the commit of the turn in which they are called. */
export function createAnswers(root: RootDatabase, every_ms = sweepEvery_ms) {
  const answers: Database<Answer, [string, string]> = root.openDB({ name: 'answers' })
  const byTime: Database<boolean, [number, string, string]> = root.openDB({ name: 'answersByTime' })

  /** Forgets every answer whose time has passed, page by page. */
  async function sweep(): Promise<void> {
    const end = Date.now() * 1000 - lifetime_us
    while (!closed) {
      const old = [...byTime.getKeys({ start: [0], end: [end], limit: sweptAtOnce })]
      if (old.length === 0) return
      await root.transaction(() => {
        for (const [at, queue, key] of old) {
          void byTime.remove([at, queue, key])
          if (answers.get([queue, key])?.at === at) void answers.remove([queue, key])
        }
      })
      await after(rest_ms)
    }
  }

  let closed = false
  let sweeping: Promise<void> | undefined
  const timer = setInterval(() => {
    // One that failed (a full disk) is made up for by the next.
    sweeping ??= sweep()
      .catch(() => {})
      .finally(() => {
        sweeping = undefined
      })
  }, every_ms).unref()

  return {
    put(queue: string, keyed: readonly KeyedAnswer[], at: number): Set<Promise<boolean>> {
      const commits = new Set<Promise<boolean>>()
      for (const { key, answer } of keyed) {
        commits.add(answers.put([queue, key], { at, answer })).add(byTime.put([at, queue, key], true))
      }
      return commits
    },
    /** Takes back what `put` has put in the same turn. */
    unput(queue: string, keyed: readonly KeyedAnswer[], at: number): Set<Promise<boolean>> {
      const commits = new Set<Promise<boolean>>()
      for (const { key } of keyed) {
        try {
          commits.add(answers.remove([queue, key])).add(byTime.remove([at, queue, key]))
        } catch {
          // LMDB takes no such key: it is the one that was not put.
        }
      }
      return commits
    },
    get(queue: string, key: string): string | undefined {
      const found = answers.get([queue, key])
      return found && found.at > Date.now() * 1000 - lifetime_us ? found.answer : undefined
    },
    /** Forgets all of a queue; what stands in `byTime` goes when its time comes. */
    async drop(queue: string): Promise<void> {
      for (;;) {
        const range = answers.getKeys({ start: [queue, ''], limit: sweptAtOnce })
        const keys = [...range].filter(([of]) => of === queue)
        if (keys.length === 0) return
        await root.transaction(() => {
          for (const key of keys) void answers.remove(key)
        })
      }
    },
    async close(): Promise<void> {
      closed = true
      clearInterval(timer)
      await sweeping
    },
  }
}
