import type { Logger } from './logger.ts'

const patience_ms = 9_000

/**
 * Runs `close` once on SIGTERM or SIGINT, or when the `npm start` above this process is gone, and ends the process.
 * Work that is not closed after nine seconds is left to the next start, which takes it up again.
 */
export function onStop(logger: Logger, close: () => Promise<void>): void {
  let stopping = false
  const stop = (reason: string): void => {
    if (stopping) return
    stopping = true
    logger.info({ reason }, 'stopping')
    setTimeout(() => process.exit(1), patience_ms).unref()
    close().then(
      () => process.exit(0),
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
