import type { Context, Middleware } from 'koa'
import { Fault } from '../../base/faults.ts'
import { Refusal } from '../../base/refusal.ts'
import { ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { type Dialect, familyOf } from './families.ts'
import { pathOf } from './requests.ts'
import { statusOf } from './statuses.ts'

declare module 'koa' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended from outside
  interface DefaultState {
    /** The dialect of this call's errors, in place of its family's. */
    dialect?: Dialect
  }
}

/** The first middleware: the one place that turns thrown errors into answers. */
export const answerFaults =
  (logger: Logger, metrics: Pick<Metrics, 'limitsHit'>): Middleware =>
  async (context, next) => {
    try {
      await next()
    } catch (error) {
      const reported = asFault(error, logger)
      if (reported.details.limit) metrics.limitsHit.inc({ setting: reported.details.limit })
      answer(context, reported)
    }
  }

/** The body that refuses a request with that error: for an answer that has begun. */
export const refusalOf = (context: Context, error: unknown, logger: Logger): Record<string, unknown> =>
  bodyOf(context, asFault(error, logger))

function bodyOf(context: Context, { kind, message, details }: Fault): Record<string, unknown> {
  const [, errcode] = statusOf[kind]
  const dialect: Dialect | undefined = context.state.dialect ?? familyOf(pathOf(context) ?? '')?.dialect
  return { errcode, error: details.problems ?? [message], ...dialect?.(errcode, message) }
}

function answer(context: Context, reported: Fault): void {
  const { kind, details } = reported
  const [status] = statusOf[kind]
  context.status = status
  const retryAfter = details.retryAfter ?? (status === 503 ? 1 : undefined)
  if (retryAfter !== undefined) context.set('Retry-After', String(retryAfter))
  for (const [name, value] of Object.entries(details.headers ?? {})) context.set(name, value)
  context.body = bodyOf(context, reported)
}

/** Errors that no table foresees are ours: they are logged, and the client learns that a part failed. */
function asFault(error: unknown, logger: Logger): Fault {
  if (error instanceof Fault) {
    if (error.kind === 'unavailable' || error.kind === 'limited') sayNotServed(error, logger)
    return error
  }
  if (error instanceof Refusal) return new Fault('invalid', error.message, { problems: error.problems })
  if (isDiskFull(error)) {
    const full = new Fault('limited', diskFull, { retryAfter: 5, cause: error, limit: 'disk' })
    sayNotServed(full, logger)
    return full
  }
  logger.error({ err: error }, 'request failed')
  const part = error instanceof ClickHouseError ? 'ClickHouse could not answer' : 'the service could not answer'
  return new Fault('unavailable', `${part}; try again`, { retryAfter: 1, cause: error })
}

const diskFull =
  'the disk of ClickHouse is full, so that it could not do this; make room there (docs/operate.md says how), and try again'

/** NOT_ENOUGH_SPACE, or the system's own words in any other code. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof ClickHouseError && (error.code === 243 || /No space left on device/.test(error.message))

const pause_ms = 1_000
/** By its text, when a refusal was last logged, and how many have not been since. */
const said = new WeakMap<Logger, Map<string, { at_ms: number; unsaid: number }>>()
const maxTexts = 100

/** Logs a refusal that is none of the client's, once a second for each text: on a full disk each request is refused. */
function sayNotServed({ message, cause }: Fault, logger: Logger): void {
  const texts = said.get(logger) ?? new Map<string, { at_ms: number; unsaid: number }>()
  said.set(logger, texts)
  const last = texts.get(message)
  if (last && performance.now() - last.at_ms < pause_ms) {
    last.unsaid++
    return
  }
  if (texts.size >= maxTexts) texts.clear()
  texts.set(message, { at_ms: performance.now(), unsaid: 0 })
  const reason = cause instanceof Error ? `${message}: ${cause.message}` : message
  logger.warn({ reason, ...(last && last.unsaid > 0 && { alike: last.unsaid }) }, 'request not served')
}
