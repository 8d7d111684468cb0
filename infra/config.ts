import { z } from 'zod'

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .trim()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`))

const text = z.string().trim().min(1)

/** Every setting of Weir: an environment variable, its default and its check. The README's table lists them. */
const settings = z.object({
  HOST: text.default('127.0.0.1'),
  PORT: wholeNumber(0, 65535).default(18080),
  DATA_DIR: text.default('./data'),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  CLICKHOUSE_URL: z.url().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Bounds a JSON or NDJSON body after unpacking. */
  MAX_BODY_MB: wholeNumber(1, 1024).default(32),
  /** Bounds the events that wait in the log for ClickHouse; past it ingest answers 503. */
  MAX_LOG_MB: wholeNumber(1, 1_000_000).default(4096),
  /** Memory that ClickHouse may cache, in megabytes. */
  CACHE_MB: wholeNumber(16, 1_000_000).default(256),
  ALLOW_OPEN: z.enum(['0', '1']).default('0'),
})

export type Config = Readonly<z.infer<typeof settings>>

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Reads the settings from an environment; an empty variable counts as unset. Throws one Error that lists every fault. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = settings.safeParse(given)
  const faults = result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const config = result.data
  const host = given['HOST']?.trim()
  if (host && !isLoopback(host) && given['ALLOW_OPEN'] !== '1') {
    faults.push(
      `HOST: ${host} can be reached from outside and API keys are off; set ALLOW_OPEN=1 to serve it all the same`,
    )
  }
  if (!config || faults.length > 0) throw new Error(`settings cannot be used:\n  ${faults.join('\n  ')}`)
  return config
}
