import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { ask } from '../ask.ts'
import type { Workload } from '../load/workload.ts'
import { quantile } from '../quantile.ts'
import { residentMegabytes } from '../service.ts'

export type TablesMessage = { readonly schemaBody: object; readonly path: string }

export type PeerMessage =
  | { readonly kind: 'open'; readonly path: string }
  /** Each file is a statement's rows. */
  | { readonly kind: 'insert'; readonly table: string; readonly files: readonly string[] }
  | { readonly kind: 'query'; readonly sql: readonly string[]; readonly times: number }
  | { readonly kind: 'text'; readonly sql: string; readonly format: 'TSVRaw' | 'JSON' }

export type Latency = { readonly p50_ms: number; readonly p99_ms: number }

/** Makes the tables and views that Weir makes of a schema. */
export async function createPeerTables({ schemaBody }: Pick<Workload, 'schemaBody'>, path: string): Promise<void> {
  const worker = fork(new URL(`tables-worker${extname(import.meta.url)}`, import.meta.url))
  await ask(worker, { schemaBody, path } satisfies TablesMessage)
  worker.disconnect()
  await once(worker, 'exit')
}

/** Bodies of the events from `first` on, `rows` in each, as the log would hand them to ClickHouse. */
export function bodiesOf({ row }: Workload, first: number, count: number, rows: number): string[] {
  return Array.from({ length: Math.ceil(count / rows) }, (_, body) => {
    const start = first + body * rows
    const length = Math.min(rows, first + count - start)
    return Array.from({ length }, (_, i) => JSON.stringify(row(start + i))).join('\n')
  })
}

/** The same ClickHouse without Weir, in a process of its own, over a folder that it has made. */
export async function startPeer(path: string) {
  const started = performance.now()
  const worker = fork(new URL('peer-worker.js', import.meta.url), {
    env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
    execArgv: [],
  })
  const send = <Answer>(message: PeerMessage): Promise<Answer> => ask(worker, message)
  await send({ kind: 'open', path })
  const start_ms = performance.now() - started

  return {
    /** From the start of the process to its first answer. */
    start_ms,

    /** Ready bytes, each body a statement, two at a time. Resolves to the seconds it took. */
    async insert(table: string, bodies: readonly string[]): Promise<number> {
      const folder = mkdtempSync(join(tmpdir(), 'weir-bench-rows-'))
      try {
        const files = bodies.map((body, i) => {
          const file = join(folder, String(i))
          writeFileSync(file, body)
          return file
        })
        return await send<number>({ kind: 'insert', table, files })
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },

    /** The statements in turn, one after the other. */
    async query(sql: readonly string[], times: number): Promise<Latency> {
      const times_ms = await send<number[]>({ kind: 'query', sql, times })
      return { p50_ms: quantile(times_ms, 0.5), p99_ms: quantile(times_ms, 0.99) }
    },

    text: async (sql: string, format: 'TSVRaw' | 'JSON' = 'TSVRaw'): Promise<string> =>
      (await send<string>({ kind: 'text', sql, format })).trim(),

    residentMegabytes: (): number => residentMegabytes(worker.pid),

    async close(): Promise<void> {
      worker.disconnect()
      await once(worker, 'exit')
    },
  }
}

export type Peer = Awaited<ReturnType<typeof startPeer>>
