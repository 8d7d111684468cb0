import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { Refusal } from '../../../base/refusal.ts'
import { openThreads, threadFile } from '../../../base/threads.ts'
import type { FileRow } from '../file-rows.ts'
import { type ParquetSource, rowsOf, type Wanted } from '../parquet-rows.ts'
import type { Answer, Reply, Task, Told } from './read-parquet.ts'

/** JavaScript's heap of a thread, in which the decoded pages of a file are. */
const usualHeap_mb = 1024

/** Threads in which Parquet is decoded: a page of it takes the processor for as long as a thousand requests do. */
export function openParquetThreads(threads: number, heap_mb = usualHeap_mb) {
  const pool = openThreads<Task, Answer>(threadFile('read-parquet', import.meta.url), { threads, heap_mb })

  /** The rows behind the first `after`, as `partsOfParquet` reads them; `total` counts all rows of the file. */
  async function* rows(
    { bytes, slice }: ParquetSource,
    wanted: Wanted,
    after: number,
  ): AsyncGenerator<{ readonly rows: readonly FileRow[]; readonly total: number }> {
    const { port1, port2 } = new MessageChannel()
    const reply = (message: Reply, moved: ArrayBuffer[] = []): void => port1.postMessage(message, moved)
    let unread: unknown
    const ended = pool.run({ port: port2, bytes, wanted, after }, { transferList: [port2] }).catch((error: unknown) => {
      throw unread ?? (isOutOfMemory(error) ? tooLarge(heap_mb) : error)
    })
    try {
      for (;;) {
        const told = await Promise.race([messageOf(port1), ended])
        if ('columns' in told) {
          yield { rows: rowsOf(told), total: told.total }
          reply({ goesOn: true })
        } else if ('start' in told) {
          await slice(told.start, told.end).then(
            (some) => reply({ bytes: some }, [some]),
            (error: unknown) => {
              unread = error
              reply({ isBroken: true })
            },
          )
        } else if (told.refused !== undefined) throw new Refusal(told.refused)
        else return
      }
    } finally {
      // A thread whose rows nothing takes any more waits for this.
      reply({ goesOn: false })
      await ended.catch(() => {})
      port1.close()
    }
  }

  return { rows, close: (): Promise<void> => pool.close() }
}

export type ParquetThreads = ReturnType<typeof openParquetThreads>

const messageOf = (port: MessagePort): Promise<Told> => new Promise((resolve) => port.once('message', resolve))

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

const tooLarge = (heap_mb: number) =>
  new Refusal(
    `its pages take over ${heap_mb} MB of memory once they are decoded: write it with smaller row groups, or name fewer columns in map`,
  )
