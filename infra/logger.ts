import { destination, type Logger, pino, stdSerializers } from 'pino'
import { withoutContent } from './without-content.ts'

export type { Logger }

/** Logs to standard error, one JSON line each: standard output stays free for a command's own output. */
export const createLogger = (level: string): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        err: shown,
        reason: (reason: unknown) => (typeof reason === 'string' ? withoutContent(reason) : reason),
      },
    },
    destination({ fd: 2, sync: true }),
  )

/** An error and its causes without the content of events and statements that ClickHouse quotes. */
function shown(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack, ...more } = stdSerializers.err(error)
  const code = 'code' in more ? { code: more.code } : {}
  return { type, message: withoutContent(message), stack: withoutContent(stack), ...code }
}

export const silentLogger = (): Logger => pino({ level: 'silent' })

export type LogOncePerOutageDeps = { readonly logger: Logger; readonly begins: string; readonly ended: string }

/** Runs work that is tried over and over, and logs when it begins to fail and when it works again: no line a try. */
export function createLogOncePerOutage({ logger, begins, ended }: LogOncePerOutageDeps) {
  let isFailing = false
  return async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      if (isFailing) logger.info(ended)
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, begins)
      isFailing = true
    }
  }
}
