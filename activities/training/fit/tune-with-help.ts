import { setTimeout as sleep } from 'node:timers/promises'
import { askToLeave, endHelp, letHelp, openSharedFolds, type SharedFolds } from '../../../learn/tuning/shared-folds.ts'
import { trainingState } from '../../models/training-states.ts'
import type { TrainingDeps } from '../deps.ts'
import { hearing, turnOf, waitingFor } from '../hearing.ts'
import type { StepContext } from '../step.ts'
import type { Answer } from '../threads/run-task.ts'
import type { TuneRequest } from './try-candidates.ts'

/** A tuning that is done by then is not worth a second thread. */
const helpAfter_ms = 1_000

type Asked = {
  readonly context: StepContext
  readonly request: TuneRequest
  readonly need: { readonly bytes: number; readonly cells: number }
  /** Whether a helper can measure folds of the algorithm. */
  readonly isShared: boolean
}

/** Chooses parameters on a thread, which another one helps while no other training waits for that. */
export function tuneWithHelp(
  { files, memory, threads }: Pick<TrainingDeps, 'files' | 'memory' | 'threads'>,
  { context, request, need, isShared }: Asked,
): Promise<Answer> {
  const { key, signal } = context

  const choose = async (folds: SharedFolds | undefined): Promise<Answer> =>
    threads.run(
      {
        kind: 'tune',
        request,
        prepared: await files.read(key, 'prepared'),
        ...(folds !== undefined && { sharing: { folds, helps: false } }),
      },
      hearing(context, () => trainingState.tuning),
    )

  /** Goes when it is asked to, and not in the middle of its fold: its thread is free once this is over. */
  async function help(folds: SharedFolds, stops: AbortSignal): Promise<void> {
    letHelp(folds)
    const leave = (): void => askToLeave(folds)
    stops.addEventListener('abort', leave)
    const silent = { log: () => {}, progress: () => {}, refusedState: () => trainingState.tuning }
    try {
      const prepared = await files.read(key, 'prepared')
      stops.throwIfAborted()
      await threads.run({ kind: 'tune', request, prepared, sharing: { folds, helps: true } }, { ...silent, signal })
      // One that gave way is begun anew.
      stops.throwIfAborted()
    } finally {
      stops.removeEventListener('abort', leave)
      endHelp(folds)
    }
  }

  async function helpWhileIdle(folds: SharedFolds, isOver: AbortSignal): Promise<void> {
    await sleep(helpAfter_ms, undefined, { signal: isOver })
    // The helper's copy of the data counts toward the memory as a tuning's own. A helper waits behind tunings, as a measure
    // does, and its turn counts as short, since it can leave at any time.
    await memory.within(need.bytes, { signal: isOver, turn: turnOf(key, 0, true) }, (stops) => help(folds, stops))
  }

  return memory.within(need.bytes, waitingFor(context, need.cells), async () => {
    if (!isShared) return choose(undefined)
    const folds = openSharedFolds()
    const over = new AbortController()
    // Without help the tuning goes on by itself.
    const helped = helpWhileIdle(folds, AbortSignal.any([signal, over.signal])).catch(() => {})
    try {
      return await choose(folds)
    } finally {
      over.abort()
      await helped
    }
  })
}
