import type { TrainingKey, TrainingRecord } from '../models/stores/training-record.ts'
import type { TrainingStore } from '../models/stores/trainings.ts'
import { type TrainingState, trainingState } from '../models/training-states.ts'
import type { Lacking } from './threads/memory-budget.ts'

/** Log and progress are written at this interval while a step goes on. */
const pause_ms = 2_000

/** The max lines of a record's log: one that grows without end would be read at each step. */
const maxLines = 2_000

/** Which part of a training a step is, from 0 to 1. */
export type Share = readonly [from: number, to: number]

/**
 * The journal of one step of a training: its log lines and its progress go to the record while it runs. `stopped` aborts
 * once the training was stopped, or has ended in another way.
 */
export function openJournal(trainings: TrainingStore, key: TrainingKey, [from, to]: Share) {
  const stopped = new AbortController()
  const lines: string[] = []
  let written = 0
  let fraction = 0
  let isChanged = true
  let about: string | undefined
  let waiting: Pick<TrainingRecord, 'place' | 'lacking'> = {}
  let writing: Promise<unknown> = Promise.resolve()

  async function write(change: (record: TrainingRecord) => TrainingRecord): Promise<boolean> {
    let upTo = written
    const wrote = await trainings.update(key, (record) => {
      const log = [...record.log, ...lines.slice(written)].slice(0, maxLines)
      upTo = lines.length
      return change({
        ...record,
        ...waiting,
        log,
        progress: Math.max(record.progress, from + (to - from) * fraction),
      })
    })
    written = upTo
    if (wrote === undefined) stopped.abort(new Error('the training was stopped'))
    return wrote !== undefined
  }

  const timer = setInterval(() => {
    const look = isChanged ? write((record) => record) : trainings.isUnderWay(key).then((is) => is || stopped.abort())
    isChanged = false
    writing = look.catch(() => {})
  }, pause_ms)

  return {
    stopped: stopped.signal,
    log: (line: string): void => {
      lines.push(line)
      isChanged = true
    },
    progress: (now: number): void => {
      fraction = now
      isChanged = true
    },
    /** The step's place among those that wait, and for what; 0 once it has its turn. */
    waits: (place: number, lacking?: Lacking): void => {
      waiting = { place, ...(lacking && { lacking }) }
      isChanged = true
    },
    /** Names for people the subject of the steps after this one. */
    tell: (what: string): void => {
      about = what
    },
    about: (): string | undefined => about,
    lines: (): readonly string[] => lines,
    fraction: (): number => from + (to - from) * fraction,

    /** Ends the step with the state that the training has reached. */
    async reach(state: TrainingState | undefined, more: Partial<TrainingRecord> = {}): Promise<boolean> {
      fraction = 1
      await writing
      return write((record) => ({ ...record, ...more, state: state ?? record.state }))
    },

    /** Ends the training. */
    async fail(state: TrainingState, reason: string): Promise<void> {
      lines.push(`${Date.now() * 1000} : training failed: ${reason}`)
      await writing
      await write((record) => ({ ...record, state, reason, end_us: Date.now() * 1000 }))
    },

    async close(): Promise<void> {
      clearInterval(timer)
      await writing
    },
  }
}

export type Journal = ReturnType<typeof openJournal>

/** A training's record after a client has stopped it. */
export const asStopped = (record: TrainingRecord, reason?: string): TrainingRecord => {
  const now_us = Date.now() * 1000
  return {
    ...record,
    state: trainingState.stopped,
    end_us: now_us,
    reason: reason ?? 'it was stopped by DELETE of its request',
    log: [...record.log, `${now_us} : training stopped${reason === undefined ? '' : `: ${reason}`}`],
  }
}
