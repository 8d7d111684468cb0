import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../base/faults.ts'
import type { Arrivals } from '../../infra/log/arrivals.ts'
import type { Feeder } from '../../infra/log/port.ts'
import type { Logger } from '../../infra/logger.ts'
import type { OtherProcesses } from './other-processes.ts'
import type { Position } from './position.ts'

export type HorizonsDeps = {
  readonly feeder: Pick<Feeder, 'mark' | 'followed'>
  readonly arrivals: Pick<Arrivals, 'settled' | 'isQuiet'>
  readonly logger: Logger
  /** Absent where this process is alone on its ClickHouse. */
  readonly others?: Pick<OtherProcesses, 'settled'>
}

/** The pause between two looks at a stream, and what each of its readers adds to it: they cost more than the look. */
const pause_ms = 100
const pauseOfReader_ms = 0.1
const longestPause_ms = 400
const longestWait_us = 10_000_000
/** A queue that is not fed by then is asked for again. */
const patience_ms = 5_000

/**
 * How far the events of some queues can be read in the order of their `_seq`: up to there all of them are in ClickHouse, and
 * no event will come that belongs before. One look serves all readers of a stream; a stream without readers has none.
 */
type Horizon = {
  readonly queues: readonly string[]
  readers: number
  /** All events up to this `_seq` are in ClickHouse. */
  reached: number
  /** The value that `reached` had when events last may have come. */
  news: number
  /** No event lies between `news` and this place. */
  calmTo: number
  /** `news` and `calmTo` as they were before the last news; absent where there was none. */
  before: Span | undefined
  readonly waiting: Set<() => void>
  isLookedAt: boolean
}

/** No event lies between the two places. */
type Span = { readonly from: number; readonly to: number }

export function createHorizons({ feeder, arrivals, logger, others }: HorizonsDeps) {
  const horizons = new Map<string, Horizon>()

  function start(name: string, horizon: Horizon): void {
    if (horizon.isLookedAt) return
    horizon.isLookedAt = true
    void look(horizon).finally(() => {
      horizon.isLookedAt = false
      if (horizon.readers > 0) start(name, horizon)
      else horizons.delete(name)
    })
  }

  async function look(horizon: Horizon): Promise<void> {
    const { queues, waiting } = horizon
    let known: string | undefined
    while (horizon.readers > 0) {
      const isQuiet = arrivals.isQuiet(queues)
      const settled = arrivals.settled(queues)
      const mark = feeder.mark(queues)
      try {
        if (mark !== known) await feeder.followed(queues, patience_ms)
        const bound = await others?.settled(queues)
        horizon.reached = Math.max(horizon.reached, Math.min(settled, bound ?? settled))
        if (bound !== undefined) known = undefined // Events of others make no mark.
        if (mark === known) horizon.calmTo = horizon.reached
        // An event that is on its way holds the others up.
        else if (horizon.reached > horizon.calmTo) {
          horizon.before = horizon.news === 0 ? undefined : { from: horizon.news, to: horizon.calmTo }
          horizon.news = horizon.reached
          horizon.calmTo = horizon.reached
          for (const wake of [...waiting]) wake()
        }
        // An event that is in the log may be behind one that is still on its way: then there is news without another mark.
        known = isQuiet && bound === undefined ? mark : undefined
      } catch (error) {
        // Events that ClickHouse does not take now are logged by the feeder.
        if (!(error instanceof Fault)) logger.warn({ err: error, queues }, 'stream not followed, retrying')
        known = undefined
      }
      await sleep(Math.min(longestPause_ms, pause_ms + pauseOfReader_ms * horizon.readers), undefined, { ref: false })
    }
  }

  return {
    /** The place of a reader that begins now: behind what was acknowledged, and before all that will be. */
    async now(queues: readonly string[]): Promise<number> {
      const settled = arrivals.settled(queues)
      const bound = await others?.settled(queues)
      // A process that is long behind does not bring events of long ago.
      return bound === undefined ? settled : Math.max(settled - longestWait_us, Math.min(settled, bound))
    },

    /** A reader's view of the horizon of these queues; `leave` has to be called. */
    join(queues: readonly string[]) {
      const name = queues.join()
      const horizon = horizons.get(name) ?? newHorizon(queues)
      horizons.set(name, horizon)
      horizon.readers++
      start(name, horizon)
      return {
        /** Events up to here may be read. */
        reached: (): number => horizon.reached,
        /** Whether events behind this `_seq` may be there to be read. */
        hasNews: (seq: number): boolean => horizon.news > seq,
        /**
         * The place from which readers read on together: they stand apart, by the moments at which they began, and what lies
         * before their own places is not for them.
         */
        togetherFrom(position: Position): Position {
          const { before } = horizon
          const isNear = before !== undefined && position.seen === undefined && position.seq >= before.from
          return isNear ? { seq: before.to } : position
        },
        /** Resolves with the next news, after `most_ms`, or when the signal comes. */
        wait: (most_ms: number, signal: AbortSignal): Promise<void> =>
          new Promise((resolve) => {
            const end = (): void => {
              horizon.waiting.delete(end)
              signal.removeEventListener('abort', end)
              clearTimeout(timer)
              resolve()
            }
            const timer = setTimeout(end, most_ms).unref()
            horizon.waiting.add(end)
            signal.addEventListener('abort', end)
            if (signal.aborted) end()
          }),
        leave(): void {
          horizon.readers--
        },
      }
    },
  }
}

const newHorizon = (queues: readonly string[]): Horizon => ({
  queues,
  readers: 0,
  reached: 0,
  news: 0,
  calmTo: 0,
  before: undefined,
  waiting: new Set(),
  isLookedAt: false,
})

export type Horizons = ReturnType<typeof createHorizons>
export type ReaderHorizon = ReturnType<Horizons['join']>
