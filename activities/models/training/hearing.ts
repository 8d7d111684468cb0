import type { Hearing } from '../threads/open-training-threads.ts'
import type { StepContext } from './step.ts'

/** What a thread tells goes to the journal of its step. */
export const hearing = (
  { journal, signal }: Pick<StepContext, 'journal' | 'signal'>,
  refusedState: Hearing['refusedState'],
): Hearing => ({ signal, log: journal.log, progress: (fraction) => journal.progress(fraction), refusedState })
