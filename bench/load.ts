import { fork } from 'node:child_process'
import { once } from 'node:events'

export type Load = {
  readonly port: number
  readonly path: string
  readonly contentType: string
  /** Sent in turn, over and over. */
  readonly bodies: readonly string[]
  readonly connections: number
  readonly seconds: number
  /** Ends the load before its seconds are over. */
  readonly requests?: number
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
  const worker = fork(new URL('load-worker.ts', import.meta.url), { serialization: 'advanced' })

  return {
    async run(load: Load): Promise<LoadResult> {
      worker.send(load)
      const [answer] = (await once(worker, 'message')) as [{ result: LoadResult } | { error: string }]
      if ('error' in answer) throw new Error(`the load failed: ${answer.error}`)
      return answer.result
    },
    close: (): void => worker.disconnect(),
  }
}

export type Loader = ReturnType<typeof createLoader>
