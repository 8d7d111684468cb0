import type { ChildProcess } from 'node:child_process'

type Reply<Answer> = { readonly result: Answer } | { readonly error: string }

/** A worker's answer to a message, one at a time. */
export function ask<Answer>(worker: ChildProcess, message: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('a worker ended before its answer'))
    worker.once('exit', ended)
    worker.once('message', (reply: Reply<Answer>) => {
      worker.off('exit', ended)
      if ('error' in reply) reject(new Error(reply.error))
      else resolve(reply.result)
    })
    worker.send(message)
  })
}
