import { fault } from '../../../base/faults.ts'
import { machineMemory } from '../../../base/memory.ts'
import { openThreads, threadFile } from '../../../base/threads.ts'
import type { Answer, Task } from './run-task.ts'

/** JavaScript's heap of a thread: a graph at the bounds takes a third of it. There are four, and the service beside them. */
const heap_mb = Math.min(2048, Math.floor(machineMemory() / 6 / 1024 / 1024))
/** The max tasks that wait behind the running ones; more are refused. */
const maxWaiting = 64

type Refused = { readonly refused: string }

/** Threads for tasks that would keep the event loop busy. */
export function openGraphThreads(threads: number) {
  const pool = openThreads<Task, Answer>(threadFile('run-task', import.meta.url), { threads, heap_mb })

  return {
    /** A fault `invalid` where the graph is too much for the algorithm. An abort of `signal` ends the thread. */
    async run(task: Task, signal?: AbortSignal): Promise<Exclude<Answer, Refused>> {
      if (pool.waiting() >= maxWaiting)
        throw fault('limited', `${maxWaiting} tasks on graphs are waiting already`, { retryAfter: 5 })
      const answer = await pool.run(task, { signal }).catch(refuseTooLarge)
      if ('refused' in answer) throw fault('invalid', answer.refused)
      return answer
    },
    close: (): Promise<void> => pool.close(),
  }
}

/** Tried again it would take as much. */
function refuseTooLarge(error: unknown): never {
  const isOut = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  throw isOut ? fault('invalid', `this takes more than the ${heap_mb} MB that a thread has; narrow it`) : error
}

export type GraphThreads = ReturnType<typeof openGraphThreads>
