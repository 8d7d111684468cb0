import { extname } from 'node:path'
import { Piscina } from 'piscina'
import type { BlockResult, BlockTask } from './predict-block.ts'

/** Threads that predict blocks, so that the event loop stays free. Idle ones end, and with them what their models hold. */
export function openBlockPool(threads: number) {
  // The sources run as .ts, what is built of them as .js.
  const file = new URL(`./predict-block${extname(import.meta.url)}`, import.meta.url).href
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const pool = new Piscina<BlockTask, BlockResult>({
    filename: file,
    workerData: stop,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 10_000,
  })
  return {
    threads,
    predict: (task: BlockTask): Promise<BlockResult> => pool.run(task),
    /** Blocks that are at work end between two batches: a thread that is ended inside of one takes the process with it. */
    async close(): Promise<void> {
      Atomics.store(stop, 0, 1)
      await pool.close({ force: true })
    },
  }
}

export type BlockPool = ReturnType<typeof openBlockPool>
