import { uptime } from 'node:os'
import type { Logger } from './logger.ts'

/** A wall clock that is this far ahead of the time that has passed was set. */
const jump_us = 3_600 * 1e6
/** One that stays there for this long is believed: it was wrong before. */
const doubt_us = 60 * 1e6

export type SteadyWallDeps = {
  readonly logger: Logger
  readonly wall_us?: () => number
  /** Time that has passed, but for the time in which the machine slept. */
  readonly awake_us?: () => number
  /** Time for which the machine has slept. */
  readonly asleep_us?: () => number
}

const microsAwake = (): number => performance.now() * 1000

/**
 * The wall clock without jumps of an hour and more that are over within a minute: `_pk` never goes back, so a computer's
 * clock that was a day ahead for a second would hold the times of all later events there for a day.
 */
export function createSteadyWall({
  logger,
  wall_us = () => Date.now() * 1000,
  awake_us = microsAwake,
  asleep_us = () => uptime() * 1e6 - microsAwake(),
}: SteadyWallDeps): () => number {
  let [wall, awake, asleep] = [wall_us(), awake_us(), asleep_us()]
  let doubtedSince: number | undefined

  const believe = (now: number, at: number): number => {
    wall = now
    awake = at
    doubtedSince = undefined
    return now
  }

  return () => {
    const [now, at] = [wall_us(), awake_us()]
    const steady = wall + (at - awake)
    const ahead_us = now - steady
    if (ahead_us < jump_us) {
      if (doubtedSince !== undefined) logger.info('clock of the computer is back from its jump')
      return believe(now, at)
    }
    const slept_us = asleep_us() - asleep
    if (slept_us > ahead_us - jump_us) {
      asleep += slept_us
      return believe(now, at)
    }
    const ahead_s = Math.round(ahead_us / 1e6)
    if (doubtedSince === undefined) {
      doubtedSince = at
      logger.warn({ ahead_s }, 'clock of the computer jumped ahead; for a minute events get times as if it had not')
    }
    if (at - doubtedSince < doubt_us) return Math.floor(steady)
    logger.warn({ ahead_s }, 'clock of the computer stays ahead; events get its times from now on, which never go back')
    return believe(now, at)
  }
}
