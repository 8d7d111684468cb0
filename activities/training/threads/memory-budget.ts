import { machineMemory } from '../../../base/memory.ts'
import type { Config } from '../../../infra/config.ts'

const megabyte = 1024 * 1024
const shareOfMemory = 1 / 4

/** The memory, in bytes, that all trainings may take together. */
export const trainingBytes = ({ MAX_TRAINING_MB: set }: Pick<Config, 'MAX_TRAINING_MB'>): number =>
  set === undefined ? Math.floor(machineMemory() * shareOfMemory) : set * megabyte

/** Whose a step is, and how it stands to the steps of other trainings. */
export type Turn = {
  readonly owner: string
  /** It goes on for long: one slot is left to steps that do not. */
  readonly isLong: boolean
  /** A measure: beside the fit of its own training it gives way to the steps of others. */
  readonly isAside: boolean
}

/** The thing for want of which a step waits. */
export type Lacking = 'memory' | 'slot'

export type Asking = {
  readonly signal: AbortSignal
  readonly turn?: Turn
  /**
   * Called with its place in the line, from 1, where its training has to wait for it, and at each change: not while
   * another step of its training runs, and not for a measure while the fit is still to come.
   */
  readonly waits?: (place: number, lacking: Lacking) => void
  readonly begins?: () => void
}

type Step = { readonly bytes: number; readonly turn: Turn; readonly giveWay: AbortController }
type Waiting = Step & { readonly begin: () => void; readonly waits: Asking['waits']; place: number; lacking?: Lacking }

const unnamed: Turn = { owner: '', isLong: false, isAside: false }

/**
 * Memory and slots that steps of trainings share, in the order in which they come: a large one has its turn before
 * the small ones behind it, but while a long step runs, short ones pass those that wait for its end. A step that needs
 * more than there is takes all of it.
 */
export function createMemoryBudget(max: number, slots = Number.POSITIVE_INFINITY) {
  const line = new Set<Waiting>()
  const running = new Set<Step>()
  let free = max

  const runningLong = (): number => [...running].filter(({ turn }) => turn.isLong).length

  /** Its own training waits for it alone once the fit is done. */
  const isAside = ({ turn }: Step): boolean =>
    turn.isAside && [...running, ...line].some((other) => other.turn.owner === turn.owner && !other.turn.isAside)

  function lackOf({ bytes, turn }: Step): Lacking | undefined {
    if (running.size >= slots) return 'slot'
    if (turn.isLong && runningLong() >= Math.max(1, slots - 1)) return 'slot'
    return bytes > free ? 'memory' : undefined
  }

  const inOrder = (): Waiting[] => [...line].sort((a, b) => Number(isAside(a)) - Number(isAside(b)))

  function beginNext(): void {
    let shortAlone = false
    for (const waiting of inOrder()) {
      if (shortAlone && waiting.turn.isLong) continue
      if (lackOf(waiting) === undefined) {
        line.delete(waiting)
        take(waiting)
        waiting.begin()
      } else {
        if (running.size >= slots || runningLong() === 0) break
        shortAlone = true
      }
    }
    for (const [i, waiting] of inOrder().entries()) {
      if (isAside(waiting)) continue
      if (i === 0) makeRoomFor(waiting)
      if (isAtWork(waiting)) {
        waiting.place = 0
        continue
      }
      const lacking = lackOf(waiting) ?? 'slot'
      if (waiting.place === i + 1 && waiting.lacking === lacking) continue
      waiting.place = i + 1
      waiting.lacking = lacking
      waiting.waits?.(i + 1, lacking)
    }
  }

  /** Another step of its training runs: the training itself does not wait. */
  const isAtWork = ({ turn }: Waiting): boolean =>
    turn.owner !== unnamed.owner && [...running].some((step) => step.turn.owner === turn.owner)

  /** A measure that gave way for nothing would begin again at once. */
  function makeRoomFor({ bytes, turn }: Step): void {
    for (const step of running) {
      if (step.turn.owner === turn.owner || !isAside(step) || bytes > free + step.bytes) continue
      const long = runningLong() - Number(step.turn.isLong)
      if (running.size <= slots && (!turn.isLong || long < Math.max(1, slots - 1))) step.giveWay.abort()
    }
  }

  function take(step: Step): void {
    running.add(step)
    free -= step.bytes
  }

  function giveBack(step: Step): void {
    running.delete(step)
    free += step.bytes
    beginNext()
  }

  function turnOf(step: Step, { signal, waits, begins }: Asking): Promise<Step> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        line.delete(waiting)
        reject(signal.reason)
        beginNext()
      }
      const waiting: Waiting = {
        ...step,
        waits,
        place: 0,
        begin: () => {
          signal.removeEventListener('abort', leave)
          if (waiting.place > 0) begins?.()
          resolve(waiting)
        },
      }
      signal.addEventListener('abort', leave)
      line.add(waiting)
      beginNext()
    })
  }

  return {
    max,
    /** Runs `work` once it has `need` bytes and a slot. Work that has to give way is aborted, and begun anew later. */
    async within<Result>(
      need: number,
      asking: Asking,
      work: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      const { signal, turn = unnamed } = asking
      for (;;) {
        signal.throwIfAborted()
        const giveWay = new AbortController()
        const step = await turnOf({ bytes: Math.min(need, max), turn, giveWay }, asking)
        try {
          return await work(turn.isAside ? AbortSignal.any([signal, giveWay.signal]) : signal)
        } catch (error) {
          if (!giveWay.signal.aborted || signal.aborted) throw error
        } finally {
          giveBack(step)
        }
      }
    },
  }
}

export type MemoryBudget = ReturnType<typeof createMemoryBudget>
