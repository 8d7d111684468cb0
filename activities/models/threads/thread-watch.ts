import type { MessagePort } from 'node:worker_threads'
import type { FitWatch } from '../../../learn/dataset.ts'

/** A message of a thread about its work. */
export type Told = { readonly line: string } | { readonly fraction: number; readonly note: string | undefined }

const pause_ms = 250

/** Lines go at once, progress a few times a second. */
export function createThreadWatch(port: MessagePort): FitWatch {
  let last_ms = 0
  const tell = (told: Told): void => port.postMessage(told)
  return {
    log: (line) => tell({ line }),
    beat: (fraction, note) => {
      const now_ms = performance.now()
      if (now_ms - last_ms < pause_ms) return
      last_ms = now_ms
      tell({ fraction, note })
    },
  }
}
