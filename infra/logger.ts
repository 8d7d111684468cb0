import { destination, type Logger, pino } from 'pino'

export type { Logger }

/** Logs to standard error, one JSON line each: standard output stays free for what a command prints. */
export const createLogger = (level: string): Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination({ fd: 2, sync: true }))

export const silentLogger = (): Logger => pino({ level: 'silent' })
