import type { MessagePort } from 'node:worker_threads'
import type { FitWatch } from '../../../learn/dataset.ts'

/** A message of a thread about its work. */
export type ThreadReport = { readonly line: string } | { readonly fraction: number; readonly note: string | undefined }

const pause_ms = 250

/** Lines go at once, progress a few times a second. */
export function createThreadWatch(port: MessagePort): FitWatch {
  let last_ms = 0
  const send = (report: ThreadReport): void => port.postMessage(report)
  return {
    log: (line) => send({ line }),
    beat: (fraction, note) => {
      const now_ms = performance.now()
      if (now_ms - last_ms < pause_ms) return
      last_ms = now_ms
      send({ fraction, note })
    },
  }
}
