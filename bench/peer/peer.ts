import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { WorkloadName } from '../load/workloads.ts'
import { ask } from '../queries/ask.ts'
import { residentMegabytes } from '../service.ts'

export type PeerMessage =
  /** Makes the tables and views that Weir makes. */
  | { readonly kind: 'create'; readonly workload: WorkloadName; readonly path: string }
  | { readonly kind: 'open'; readonly path: string }
  /** Inserts the events from `first` on, `count` of them, in statements of `rows` rows. */
  | {
      readonly kind: 'insert'
      readonly workload: WorkloadName
      readonly first: number
      readonly count: number
      readonly rows: number
    }
  | { readonly kind: 'query'; readonly sql: string; readonly times: number }

export type Latency = { readonly p50_ms: number; readonly p99_ms: number }

const startWorker = (): ChildProcess =>
  fork(new URL('peer-worker.ts', import.meta.url), { env: { ...process.env, UV_THREADPOOL_SIZE: '16' } })

export async function createPeerTables(workload: WorkloadName, path: string): Promise<void> {
  const worker = startWorker()
  await ask(worker, { kind: 'create', workload, path } satisfies PeerMessage)
  worker.disconnect()
  await once(worker, 'exit')
}

/** What one would have without Weir, in a process of its own: the same ClickHouse with the same views, by its client. */
export async function startPeer(path: string) {
  const started = performance.now()
  const worker = startWorker()
  const send = <Answer>(message: PeerMessage): Promise<Answer> => ask(worker, message)
  await send({ kind: 'open', path })
  const start_ms = performance.now() - started

  return {
    /** From the start of the process to its first answer. */
    start_ms,
    /** Resolves to the seconds it took. */
    insert: (workload: WorkloadName, first: number, count: number, rows: number): Promise<number> =>
      send({ kind: 'insert', workload, first, count, rows }),
    query: (sql: string, times: number): Promise<Latency> => send({ kind: 'query', sql, times }),
    residentMegabytes: (): number => residentMegabytes(worker.pid),
    async close(): Promise<void> {
      worker.disconnect()
      await once(worker, 'exit')
    },
  }
}

export type Peer = Awaited<ReturnType<typeof startPeer>>
