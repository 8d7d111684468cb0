import { machineMemory } from '../../../base/memory.ts'
import type { Config } from '../../../infra/config.ts'

const megabyte = 1024 * 1024
const shareOfMemory = 1 / 4

/** The memory, in bytes, that all trainings may take together. */
export const trainingBytes = ({ MAX_TRAINING_MB: set }: Pick<Config, 'MAX_TRAINING_MB'>): number =>
  set === undefined ? Math.floor(machineMemory() * shareOfMemory) : set * megabyte

type Waiting = { readonly bytes: number; readonly begin: () => void }

/**
 * Memory that steps of trainings share: one that finds too little left waits, and those behind it wait too, so that a
 * large one has its turn. A step that needs more than there is takes all of it.
 */
export function createMemoryBudget(most: number) {
  const line = new Set<Waiting>()
  let free = most

  function beginNext(): void {
    for (const waiting of line) {
      if (waiting.bytes > free) return
      free -= waiting.bytes
      line.delete(waiting)
      waiting.begin()
    }
  }

  function turn(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        line.delete(waiting)
        reject(signal.reason)
        beginNext()
      }
      const begin = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const waiting = { bytes, begin }
      signal.addEventListener('abort', leave)
      line.add(waiting)
    })
  }

  return {
    most,
    /** Runs `work` once it may have `need` bytes; `waits` is called where they are not free yet. */
    async within<Result>(
      need: number,
      { signal, waits }: { readonly signal: AbortSignal; readonly waits?: () => void },
      work: () => Promise<Result>,
    ): Promise<Result> {
      signal.throwIfAborted()
      const bytes = Math.min(need, most)
      if (line.size === 0 && bytes <= free) free -= bytes
      else {
        waits?.()
        await turn(bytes, signal)
      }
      try {
        return await work()
      } finally {
        free += bytes
        beginNext()
      }
    },
  }
}

export type MemoryBudget = ReturnType<typeof createMemoryBudget>
