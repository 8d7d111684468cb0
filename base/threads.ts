import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TransferListItem } from 'node:worker_threads'
import { Piscina } from 'piscina'

export type ThreadOptions = {
  /** How many tasks run at a time, each in a thread of its own. */
  readonly threads: number
  /** JavaScript's heap of a thread; typed arrays do not count. */
  readonly heap_mb?: number
  /** Linux: how far each thread stands back behind the service's own, from 0 to 19. */
  readonly nice?: number
  /** Each thread is given this when it starts. */
  readonly workerData?: unknown
  /** An idle thread still handles its timers and child processes: else it sleeps until its next task. */
  readonly listens?: boolean
}

export type RunOptions = {
  /** An abort takes the task out of the line, with the abort's reason, or ends its thread, with an AbortError. */
  readonly signal?: AbortSignal | undefined
  readonly transferList?: TransferListItem[]
}

/** A task in the line. */
type Waiting = { begin(): void; refuse(reason: unknown): void }

const closed = (): Error => new Error('the threads are closed')

/** The file of a thread beside the module that asks: the sources run as .ts, their build as .js. */
export const threadFile = (name: string, asker: string): string => new URL(`./${name}${extname(asker)}`, asker).href

/**
 * Threads that run the default export of `file`, so that the event loop stays free. Idle ones end.
 *
 * Tasks wait here and not in Piscina: there, tasks in the line of a pool whose threads were all ended by aborts would
 * wait for ever. And a thread is not ended before it has loaded its file: Node 20 takes the whole process along.
 */
export function openThreads<Task, Answer>(
  file: string,
  { threads, heap_mb, nice = 0, workerData, listens = false }: ThreadOptions,
) {
  const pool = new Piscina<Task, Answer>({
    filename: file,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 10_000,
    niceIncrement: nice,
    atomics: listens ? 'disabled' : 'sync',
    workerData,
    ...(heap_mb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: heap_mb } }),
  })
  const loaded = new Set<number>()
  // Piscina announces a thread once it is ready for tasks.
  pool.on('workerCreate', ({ id }: { id: number }) => loaded.add(id))
  const areLoaded = (): boolean => pool.threads.every(({ threadId }) => threadId < 0 || loaded.has(threadId))

  const running = new Set<Promise<unknown>>()
  const line = new Set<Waiting>()
  let free = threads
  let isClosed = false

  /** Waits for a task that ends, and has its thread. */
  const turn = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => waiting.refuse(signal?.reason)
      const end = (): void => {
        line.delete(waiting)
        signal?.removeEventListener('abort', leave)
      }
      const waiting: Waiting = {
        begin: () => {
          end()
          resolve()
        },
        refuse: (reason) => {
          end()
          reject(reason)
        },
      }
      signal?.addEventListener('abort', leave)
      line.add(waiting)
    })

  const giveBack = (): void => {
    const [first] = line
    if (first === undefined) free++
    else first.begin()
  }

  return {
    /** How many tasks wait behind the running ones. */
    waiting: (): number => line.size,

    async run(task: Task, { signal, transferList = [] }: RunOptions = {}): Promise<Answer> {
      signal?.throwIfAborted()
      if (isClosed) throw closed()
      if (free > 0) free--
      else await turn(signal)
      if (isClosed) throw closed() // while it waited
      const answer = pool.run(task, { transferList, signal: signal ?? null }).finally(giveBack)
      running.add(answer)
      try {
        return await answer
      } finally {
        running.delete(answer)
      }
    },

    /** Tasks that wait are refused at once, and tasks that run are ended, or where `letsEnd` says so waited for. */
    async close({ letsEnd = false } = {}): Promise<void> {
      isClosed = true
      for (const { refuse } of [...line]) refuse(closed())
      if (letsEnd) await Promise.allSettled(running)
      while (!areLoaded()) await sleep(5)
      await pool.destroy()
    },
  }
}
