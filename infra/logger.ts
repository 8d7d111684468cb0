import { destination, type Logger, pino, stdSerializers } from 'pino'

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

/**
 * Texts of errors for the log, which has no content of events and statements: ClickHouse quotes the line, or the part of
 * a statement, that it did not understand.
 */

/** Codes of ClickHouse whose texts quote what could not be read: data, or a statement's text. */
const quoting = /\bCode: (?:6|25|26|27|32|33|38|41|43|53|62|69|70|72|117|131|321|349|407|467)\b/

export function withoutContent(text: string): string {
  const plain = text
    .replace(/\{\s*"[\s\S]*\}|\{\s*"[\s\S]*$/, '{...}')
    .replace(/\bbefore: '[\s\S]*?(?='?(?:\.? ?: ?\(?(?:at row|While)|: \(at row|: While|\(at row|$))/g, "before: '...")
  // From the first quotation mark to the last: the quoted text may have marks of its own.
  return quoting.test(plain)
    ? plain.replace(/(['"])[\s\S]*\1/, '$1...$1').replace(/: SELECT\b[\s\S]*/i, ': ...')
    : plain
}
