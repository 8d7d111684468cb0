import type { StepContext } from './step.ts'
import type { Asking } from './threads/memory-budget.ts'
import type { Hearing } from './threads/open-training-threads.ts'

/** Messages of a thread go to the journal of its step. */
export const hearing = (
  { journal, signal }: Pick<StepContext, 'journal' | 'signal'>,
  refusedState: Hearing['refusedState'],
): Hearing => ({ signal, log: journal.log, progress: (fraction) => journal.progress(fraction), refusedState })

/** Rows x columns from which on a step leaves a slot to others. */
const longCells = 500_000

export const turnOf = ({ schema, model, training }: StepContext['key'], cells: number, isAside = false) => ({
  owner: `${schema}:${model}:${training}`,
  isLong: cells >= longCells,
  isAside,
})

/** How a step waits for its turn: the log says so once, and the record its place and for what. */
export function waitingFor(
  { key, journal, signal }: Pick<StepContext, 'key' | 'journal' | 'signal'>,
  cells = 0,
  isAside = false,
): Asking {
  let isTold = false
  return {
    signal,
    turn: turnOf(key, cells, isAside),
    waits: (place, lacking) => {
      journal.waits(place, lacking)
      if (isTold) return
      isTold = true
      journal.log(
        lacking === 'memory'
          ? 'waiting for memory: steps of trainings take all that MAX_TRAINING_MB allows'
          : `waiting for its turn, at place ${place}: other trainings take all threads`,
      )
    },
    begins: () => journal.waits(0),
  }
}
