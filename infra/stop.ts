import { Worker } from 'node:worker_threads'
import type { Logger } from './logger.ts'

const usualPatience_ms = 9_000
/** A process whose own thread stands still is ended by another one, so much later. */
const grace_ms = 2_000

/**
 * An exit waits for the threads of libuv, and one of them may wait for this thread: LMDB calls back amid a write. Such a
 * process never ends.
 */
const kill = (): void => void process.kill(process.pid, 'SIGKILL')

/**
 * Ends the process from a thread of its own: closing embedded ClickHouse holds the process's thread, and never ends where a
 * consumer of ClickHouse waits for an answer of Kafka that does not come.
 */
function killFromAside(after_ms: number): void {
  const line = JSON.stringify({
    level: 40,
    msg: 'a part does not stop, ending all the same: the next start takes up the work',
  })
  const program = `setTimeout(() => {
    require('node:fs').writeSync(2, ${JSON.stringify(`${line}\n`)})
    process.kill(process.pid, 'SIGKILL')
  }, ${after_ms})`
  new Worker(program, { eval: true, execArgv: [] }).unref()
}

/**
 * Runs `close` once on SIGTERM or SIGINT, or when the `npm start` above this process is gone, and ends the process.
 * Work that is not closed after nine seconds is left to the next start, which takes it up again.
 */
export function onStop(logger: Logger, close: () => Promise<void>, patience_ms = usualPatience_ms): void {
  let stopping = false
  const stop = (reason: string): void => {
    if (stopping) return
    stopping = true
    logger.info({ reason }, 'stopping')
    const began = performance.now()
    setTimeout(() => {
      logger.warn({ patience_ms }, 'not stopped in time, ending all the same: the next start takes up the work')
      kill()
    }, patience_ms).unref()
    killFromAside(patience_ms + grace_ms)
    close().then(
      () => {
        logger.info({ took_ms: Math.round(performance.now() - began) }, 'stopped')
        process.exit(0)
      },
      (error: unknown) => {
        logger.error({ err: error }, 'not stopped cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  if (process.env.npm_lifecycle_event === 'start') {
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) stop('npm is gone')
    }, 200).unref()
  }
}
