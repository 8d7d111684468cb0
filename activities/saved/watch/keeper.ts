import type { Logger } from '../../../infra/logger.ts'
import type { Metrics } from '../../../infra/metrics.ts'
import type { Lease, Leases } from '../../../infra/processes/leases.ts'
import type { Watch } from '../../../sql/saved/watch.ts'
import type { Told } from '../saved.ts'
import type { Evaluate } from './evaluate.ts'
import { type Evaluation, Superseded, type Turns } from './turns.ts'

/** The wall clock, and a pause that ends early where its signal is aborted; tests have one of their own. */
export type WallClock = {
  now_us(): number
  sleep(milliseconds: number, ended: AbortSignal): Promise<void>
}

export type KeeperDeps = {
  /** Undefined where no other process is on this ClickHouse. */
  readonly leases: Pick<Leases, 'tryTake'> | undefined
  readonly turns: Turns
  readonly evaluate: Evaluate
  /** The questions that have a watch. */
  readonly watched: () => Iterable<Told>
  readonly clock: WallClock
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'watchEvaluations'>
}

/** Evaluations that are under way at once. */
const maxRunning = 4
/** Evaluations that are due together begin one after the other, the last of them after half a minute at most. */
const tick_ms = 25
const spread_ms = 30_000
const idle_ms = 200
/** How often it is looked which watches are due, and whether another process evaluates them. */
const look_us = 200_000
const follow_us = 1_000_000
/** Turns that follow each other at once would be one. */
const turn_us = 200_000
const again_ms = 1_000

const alone: Pick<Lease, 'isHeld' | 'end'> = { isHeld: () => true, end: async () => {} }

type Due = { readonly told: Told; readonly watch: Watch }

/**
 * Evaluates watches at whole multiples of their `every`, in one process at a time. Watches that are due together begin
 * one after the other. A watch has one evaluation at a time, and one for all times that have passed meanwhile.
 */
export function createKeeper({ leases, turns, evaluate, watched, clock, logger, metrics }: KeeperDeps) {
  /** By name: evaluations that are to begin, in the order in which they became due. */
  const waiting = new Map<string, Due>()
  const running = new Map<string, Promise<void>>()
  /** Evaluations that no turn has taken. They outlast a ClickHouse that is away, so that a failure is told. */
  let ended: Evaluation[] = []

  const timeOf = ({ every }: Watch, now_us: number): number => {
    const every_us = every * 1_000_000
    return Math.floor(now_us / every_us) * every_us
  }

  function look(now_us: number): Set<string> {
    const names = new Set<string>()
    const busy = new Set(ended.map(({ name }) => name))
    for (const told of watched()) {
      const { watch } = told.question
      if (!watch) continue
      names.add(told.name)
      const last = turns.lastOf(told.name) ?? told.at
      const isFree = !running.has(told.name) && !busy.has(told.name)
      if (isFree && timeOf(watch, now_us) > last) waiting.set(told.name, { told, watch })
    }
    for (const name of waiting.keys()) if (!names.has(name)) waiting.delete(name)
    return names
  }

  function begin({ told, watch }: Due, signal: AbortSignal): void {
    const { name, number } = told
    const begun = clock.now_us()
    const at = timeOf(watch, begun)
    const work = evaluate(told, watch, signal).then(
      (outcome) => {
        const took_ms = Math.round((clock.now_us() - begun) / 1000)
        metrics.watchEvaluations.inc({ outcome: outcome.kind })
        ended.push({ name, version: number, watch, at, took_ms, outcome })
      },
      () => {}, // The process ends, or leaves the watches to another.
    )
    running.set(
      name,
      work.finally(() => running.delete(name)),
    )
  }

  function beginSome(signal: AbortSignal): void {
    let most = Math.ceil((waiting.size * tick_ms) / spread_ms)
    for (const [name, due] of waiting) {
      if (most-- === 0 || running.size >= maxRunning) return
      waiting.delete(name)
      begin(due, signal)
    }
  }

  async function turn(gone: readonly string[], now_us: number): Promise<void> {
    const taken = ended
    await turns.take(taken, gone, now_us)
    ended = ended.filter((each) => !taken.includes(each))
  }

  async function keep(lease: Pick<Lease, 'isHeld' | 'end'>, stopped: AbortSignal): Promise<void> {
    const leaving = new AbortController()
    const signal = AbortSignal.any([stopped, leaving.signal])
    let [looked, followed, turned] = [0, clock.now_us(), 0]
    let gone: string[] = []
    try {
      await turns.load()
      while (!stopped.aborted && lease.isHeld()) {
        const now_us = clock.now_us()
        if (Math.abs(now_us - looked) >= look_us) {
          const names = look(now_us)
          gone = turns.gone((name) => names.has(name))
          looked = now_us
        }
        if (leases && now_us - followed >= follow_us) {
          await turns.check()
          followed = now_us
        }
        beginSome(signal)
        if ((ended.length > 0 || gone.length > 0) && Math.abs(now_us - turned) >= turn_us) {
          await turn(gone, now_us)
          gone = []
          turned = now_us
        }
        await clock.sleep(waiting.size + running.size + ended.length > 0 ? tick_ms : idle_ms, stopped)
      }
    } finally {
      leaving.abort()
      waiting.clear()
      await Promise.all(running.values())
      await lease.end()
    }
  }

  return {
    /** Evaluates until it is asked to stop. */
    async run(stopped: AbortSignal): Promise<void> {
      while (!stopped.aborted) {
        try {
          const lease = leases ? await leases.tryTake('watches') : alone
          if (lease) await keep(lease, stopped)
          else await clock.sleep(again_ms, stopped)
        } catch (error) {
          if (stopped.aborted) return
          if (error instanceof Superseded) logger.warn('another process evaluates watches, leaving them to that one')
          else logger.error({ err: error }, 'watches not evaluated, retrying')
          await clock.sleep(again_ms, stopped)
        }
      }
    },
  }
}

export type Keeper = ReturnType<typeof createKeeper>
