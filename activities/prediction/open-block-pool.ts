import { openThreads, threadFile } from '../../base/threads.ts'
import { type TextLimits, usualTextLimits } from '../../learn/algorithms/text/steps.ts'
import { type ModelProcessSettings, usualModelProcess } from '../models/process/model-processes.ts'
import type { BlockResult, BlockTask, ThreadData } from './predict-block.ts'

export type PredictLimits = { readonly apart: ModelProcessSettings; readonly texts: TextLimits }

export const usualLimits: PredictLimits = { apart: usualModelProcess, texts: usualTextLimits }

/** Threads that predict. An idle thread ends, with the memory and processes of its models. */
export function openPredictThreads<Task, Result>(threads: number, limits: PredictLimits) {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const file = threadFile('predict-block', import.meta.url)
  const workerData: ThreadData = { stop, ...limits }
  const pool = openThreads<Task, Result>(file, { threads, workerData, listens: true })
  return {
    run: pool.run,
    /** Blocks that are at work end between two batches: a thread that is ended inside of one takes the process with it. */
    async close(): Promise<void> {
      Atomics.store(stop, 0, 1)
      await pool.close({ letsEnd: true })
    },
  }
}

/** Threads that predict blocks of files. */
export function openBlockPool(threads: number, limits: PredictLimits = usualLimits) {
  const { run, close } = openPredictThreads<BlockTask, BlockResult>(threads, limits)
  return { threads, predict: (task: BlockTask): Promise<BlockResult> => run(task), close }
}

export type BlockPool = ReturnType<typeof openBlockPool>
