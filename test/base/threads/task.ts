// Runs in a thread of `threads.test.ts`.

import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'piscina'

export type Task = { readonly takes_ms: number; readonly answer: number }

const loads: unknown = workerData
if (loads instanceof Int32Array) {
  Atomics.store(loads, 0, 1)
  Atomics.notify(loads, 0)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  Atomics.store(loads, 0, 2)
}

// biome-ignore lint/style/noDefaultExport: Piscina calls the default export.
export default async function answer({ takes_ms, answer }: Task): Promise<number> {
  await sleep(takes_ms)
  return answer
}
