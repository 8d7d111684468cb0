import { createHash } from 'node:crypto'
import type { Database, RootDatabase } from 'lmdb'
import type { KeyedAnswer } from '../port.ts'
import { countOf } from './tree-statistics.ts'

const hour_us = 3_600 * 1_000_000
const lifetime_us = 24 * hour_us
const sweepEvery_ms = 60_000

/**
 * Answers lie by the half day in which they were given. Of four trees the present one and the two before hold the
 * answers younger than 24 hours; the fourth is emptied as a whole, which costs the same however many it holds.
 */
const period_us = 12 * hour_us
const trees = 4

/** When an answer was given stands before it. */
const timeBytes = 8

/** How often the trees are asked how much they hold. */
const countEvery_ms = 1_000

export type AnswersOptions = {
  readonly every_ms?: number
  /** A time that is known to have been: the computer's clock may have been set back since. */
  readonly known_us?: number
  readonly wall_us?: () => number
}

/** Answers by idempotency key, for 24 hours. `put` and `unput` take part in the commit of the turn in which they are called. */
export function createAnswers(
  root: RootDatabase,
  { every_ms = sweepEvery_ms, known_us = 0, wall_us = () => Date.now() * 1000 }: AnswersOptions = {},
) {
  const byPeriod = Array.from({ length: trees }, (_, number) =>
    root.openDB<Buffer, string>({ name: `answers ${number}`, encoding: 'binary' }),
  )
  /** By queue, how often it was dropped: its keys of before are found no more. */
  const drops: Database<number, string> = root.openDB({ name: 'answersDropped' })

  const periodOf = (at: number): number => Math.floor(at / period_us)
  const treeOf = (period: number): Database<Buffer, string> => {
    const tree = byPeriod[period % trees]
    if (!tree) throw new Error(`there is no tree of period ${period}`)
    return tree
  }

  /** The prefixes of keys, by queue: eight characters of a hash, to keep each key short. */
  const beginnings = new Map<string, string>()
  function beginningOf(queue: string): string {
    const whole = `${drops.get(queue) ?? 0} ${queue}`
    const known = beginnings.get(whole)
    if (known !== undefined) return known
    const made = createHash('sha256').update(whole).digest('base64url').slice(0, 8)
    beginnings.set(whole, made)
    return made
  }

  /**
   * Does not go back where the computer's clock is set back: the tree that comes next would be the one that was written
   * to last. A clock that was ahead by more than a day is not believed on: no key would be forgotten until then.
   */
  let latest_us = known_us
  function now_us(): number {
    const wall = wall_us()
    latest_us = latest_us - wall > lifetime_us ? wall : Math.max(latest_us, wall)
    return latest_us
  }

  /** Empties the tree that comes next, all of whose answers are too old. */
  async function sweep(): Promise<void> {
    const next = treeOf(periodOf(now_us()) + 1)
    if (countOf(next) > 0) await next.clearAsync()
  }

  let counted = { at_ms: Number.NEGATIVE_INFINITY, keys: 0 }
  let sweeping: Promise<void> | undefined
  const timer = setInterval(() => {
    // The next sweep makes up for one that failed (a full disk).
    sweeping ??= sweep()
      .catch(() => {})
      .finally(() => {
        sweeping = undefined
      })
  }, every_ms).unref()

  return {
    put(queue: string, keyed: readonly KeyedAnswer[], at: number): Set<Promise<boolean>> {
      const commits = new Set<Promise<boolean>>()
      const given = Math.min(at, now_us())
      const tree = treeOf(periodOf(given))
      const beginning = beginningOf(queue)
      for (const { key, answer } of keyed) {
        const value = Buffer.allocUnsafe(timeBytes + Buffer.byteLength(answer))
        value.writeDoubleBE(given, 0)
        value.write(answer, timeBytes)
        commits.add(tree.put(beginning + key, value))
      }
      counted.keys += keyed.length
      return commits
    },
    /** Undoes a `put` of the same turn: a key that had an answer before, as a batch's progress, has it again. */
    unput(queue: string, keyed: readonly KeyedAnswer[], at: number): Set<Promise<boolean>> {
      const commits = new Set<Promise<boolean>>()
      const tree = treeOf(periodOf(Math.min(at, now_us())))
      const beginning = beginningOf(queue)
      for (const { key } of keyed) {
        const before = tree.get(beginning + key) // `get` does not find the puts of this turn yet.
        commits.add(before === undefined ? tree.remove(beginning + key) : tree.put(beginning + key, before))
      }
      return commits
    },
    get(queue: string, key: string): string | undefined {
      const now = now_us()
      const place = beginningOf(queue) + key
      for (let before = 0; before < trees - 1; before++) {
        const found = treeOf(periodOf(now) - before).get(place)
        if (found && found.readDoubleBE(0) > now - lifetime_us) return found.toString('utf8', timeBytes)
      }
      return undefined
    },
    /** The number of answers that are kept, at most a second old. */
    count(): number {
      if (performance.now() - counted.at_ms > countEvery_ms) {
        const keys = byPeriod.reduce((sum, tree) => sum + countOf(tree), 0)
        counted = { at_ms: performance.now(), keys }
      }
      return counted.keys
    },
    /** Forgets all of a queue; the room that they take is given back in their time. */
    async drop(queue: string): Promise<void> {
      await drops.put(queue, (drops.get(queue) ?? 0) + 1)
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await sweeping
    },
  }
}

export type Answers = ReturnType<typeof createAnswers>
