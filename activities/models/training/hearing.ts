import type { Hearing } from '../threads/open-training-threads.ts'
import type { StepContext } from './step.ts'

/** Messages of a thread go to the journal of its step. */
export const hearing = (
  { journal, signal }: Pick<StepContext, 'journal' | 'signal'>,
  refusedState: Hearing['refusedState'],
): Hearing => ({ signal, log: journal.log, progress: (fraction) => journal.progress(fraction), refusedState })

/** How a step waits for memory. */
export const waitingFor = ({ journal, signal }: Pick<StepContext, 'journal' | 'signal'>) => ({
  signal,
  waits: () => journal.log('waiting for memory: steps of trainings take all that MAX_TRAINING_MB allows'),
})
