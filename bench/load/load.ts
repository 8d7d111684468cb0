import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { ask } from '../ask.ts'

export type Load = {
  readonly port: number
  readonly path: string
  readonly contentType: string
  /** Shown with each request. */
  readonly key?: string
  /** Sent in turn, over and over. */
  readonly bodies: readonly string[]
  readonly connections: number
  /** The end of the load. */
  readonly until: { readonly seconds: number } | { readonly requests: number }
}

export type LoadResult = {
  readonly requests: number
  /** Answers other than 200. */
  readonly failures: number
  readonly seconds: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** Share of one core that the generator took: near 1 it is the bottleneck. */
  readonly cpu: number
}

/** A load generator in a process of its own. */
export function createLoader() {
  const worker = fork(new URL(`load-worker${extname(import.meta.url)}`, import.meta.url), { serialization: 'advanced' })

  return {
    async run(load: Load): Promise<LoadResult> {
      const result = await ask<LoadResult>(worker, load)
      if (result.failures > 0) throw new Error(`${load.path}: ${result.failures} answers were no 200`)
      return result
    },
    async close(): Promise<void> {
      worker.disconnect()
      await once(worker, 'exit')
    },
  }
}

export type Loader = ReturnType<typeof createLoader>
