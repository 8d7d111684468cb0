import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Arrivals } from '../../../infra/log/arrivals.ts'
import type { TurnPlace } from '../../../infra/log/port.ts'
import { createLogOncePerOutage, type Logger } from '../../../infra/logger.ts'
import type { TurnGate } from '../host.ts'
import type { Sequencer } from './sequencer.ts'

/** Takes a turn of no event; resolves to how many waits are over by it, so many at most. */
export type TakeDue = (most: number) => Promise<number>

export type QuietTurn = {
  readonly takeDue: NonNullable<Sequencer['takeDue']>
  readonly gate: TurnGate
  readonly arrivals: Pick<Arrivals, 'begin'>
  /** The parts of the log to which rows may go. */
  readonly queues: readonly string[]
}

/** Takes a turn of no event as one of events is taken: not while tables change, and so that readers wait for its rows. */
export function takeQuietly(
  { takeDue, gate, arrivals, queues }: QuietTurn,
  most: number,
  place?: TurnPlace,
): Promise<number> {
  if (gate.isShut()) return Promise.resolve(0)
  return gate.pass(async () => {
    const coming = queues.map((queue) => arrivals.begin(queue))
    try {
      return await takeDue(most, place)
    } finally {
      for (const arrival of coming) arrival.end()
    }
  })
}

export type SilenceDeps = {
  readonly logger: Logger
  /** The clock by which silence is measured: it wants to be asked a few times a second. */
  readonly now: () => number
  /** One for each schema whose events wait for others. */
  readonly takers: () => Iterable<TakeDue>
  readonly repeat?: Repeat
}

/** Does something every so many milliseconds; returns what ends it. */
export type Repeat = (work: () => void, every_ms: number) => () => void

const repeatByTimer: Repeat = (work, every_ms) => {
  const timer = setInterval(work, every_ms).unref()
  return () => clearInterval(timer)
}

const look_ms = 250
/** Rows of one turn: no other request has its turn meanwhile. */
const maxDue = 250
/** A turn that fails, or that another process would have to take, is tried again after this many milliseconds. */
const pause_ms = 2_000

/** Takes turns of no event for as long as the process lives: a few times a second it is looked whether any wait is over. */
export function createSilence({ logger, now, takers, repeat = repeatByTimer }: SilenceDeps) {
  let end: (() => void) | undefined
  let isStopped = false
  const busy = new Set<TakeDue>()
  const logged = createLogOncePerOutage({
    logger,
    begins: 'rows of events that met no other cannot be made, retrying',
    ended: 'rows of events that met no other are made again',
  })

  async function takeAll(take: TakeDue): Promise<void> {
    // Other requests have their turns, and so have other schemas, however many waits of one are over.
    for (let more = true; more && !isStopped; await setImmediate()) more = (await take(maxDue)) === maxDue
  }

  async function look(take: TakeDue): Promise<void> {
    if (busy.has(take)) return
    busy.add(take)
    await logged(async () => {
      try {
        await takeAll(take)
      } catch (error) {
        if (isStopped) return
        await sleep(pause_ms, undefined, { ref: false })
        throw error
      }
    })
    busy.delete(take)
  }

  return {
    start(): void {
      end ??= repeat(() => {
        now()
        for (const take of takers()) void look(take)
      }, look_ms)
    },
    stop(): void {
      isStopped = true
      end?.()
    },
  }
}
