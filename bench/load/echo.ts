import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { ask } from '../ask.ts'

/** The floor of a request, in a process of its own: a bare Koa that parses the same JSON and answers as shortly. */
export async function startEcho() {
  const worker = fork(new URL(`echo-worker${extname(import.meta.url)}`, import.meta.url))
  const port = await ask<number>(worker, {})
  return {
    port,
    async close(): Promise<void> {
      worker.disconnect()
      await once(worker, 'exit')
    },
  }
}
