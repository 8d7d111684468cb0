import { openThreads, threadFile } from '../../../infra/threads.ts'
import type { BlockResult, BlockTask } from './predict-block.ts'

/** Threads that predict blocks. With an idle one ends what its models hold. */
export function openBlockPool(threads: number) {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const file = threadFile('predict-block', import.meta.url)
  const pool = openThreads<BlockTask, BlockResult>(file, { threads, workerData: stop })
  return {
    threads,
    predict: (task: BlockTask): Promise<BlockResult> => pool.run(task),
    /** Blocks that are at work end between two batches: a thread that is ended inside of one takes the process with it. */
    async close(): Promise<void> {
      Atomics.store(stop, 0, 1)
      await pool.close({ letsEnd: true })
    },
  }
}

export type BlockPool = ReturnType<typeof openBlockPool>
