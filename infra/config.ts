import { z } from 'zod'
import { s3PlaceOf } from './backup/open-place.ts'

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .trim()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

const text = z.string().trim().min(1)
const zeroOrOne = z.enum(['0', '1'], { error: 'must be 0 or 1' })
const list = (text: string): string[] => text.split(',').map((item) => item.trim())
const filledList = (text: string): string[] => list(text).filter((item) => item !== '')
/** A name or an address, of any port where none is given. */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[^\s:/?#@*[\]]+)(?::\d{1,5})?$/
const otlpEndpoint = z.url({ protocol: /^https?$/, error: 'must be a URL, http or https' })
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
const otlpProtocol = z.enum(['http/protobuf', 'http/json'], {
  error: 'must be http/protobuf or http/json: traces go out over HTTP alone',
})

/** Every setting of Weir: an environment variable, its default and its check. docs/settings.md lists them. */
const settings = z.object({
  HOST: text.default('127.0.0.1'),
  PORT: wholeNumber(0, 65535).default(18080),
  DATA_DIR: text.default('./data'),
  /** The part of DATA_DIR that is missing, where a start is to go on all the same. */
  START_WITHOUT: z.enum(['log', 'clickhouse'], { error: 'must be log or clickhouse, or unset' }).optional(),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  /** A ClickHouse server, with user and password in the URL; without it ClickHouse is embedded. */
  CLICKHOUSE_URL: z.url({ protocol: /^https?$/, error: 'must be a URL, http or https' }).optional(),
  /** The cluster of that server over which tables are spread. */
  CLICKHOUSE_CLUSTER: text
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be letters, digits and "_", no digit first')
    .optional(),
  /** Kafka or Redpanda, `host:port` separated by commas; without it the log is embedded. */
  KAFKA_BROKERS: text
    .transform(list)
    .pipe(
      z.array(
        z.string().regex(/^(\[[0-9a-fA-F:]+\]|[^\s:/[\]]+):\d{1,5}$/, 'must be host:port, several separated by commas'),
      ),
    )
    .optional(),
  KAFKA_TLS: zeroOrOne.default('0'),
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_SASL_USERNAME: text.optional(),
  KAFKA_SASL_PASSWORD: text.optional(),
  /** Begins the name of every topic. */
  KAFKA_TOPIC_PREFIX: text
    .regex(/^[a-zA-Z0-9_-][a-zA-Z0-9._-]*$/, 'must be letters, digits, "_", "-" and ".", the first no "."')
    .max(100, 'must be at most 100 characters long')
    .default('weir'),
  /** Partitions of each topic, when it is made. */
  KAFKA_PARTITIONS: wholeNumber(1, 1000).default(3),
  KAFKA_REPLICATION: wholeNumber(1, 9).default(1),
  /** How long a topic keeps events: ClickHouse may be away for as long and lose none. */
  KAFKA_RETENTION_HOURS: wholeNumber(1, 100_000).default(168),
  /** Where analysts' SQL is answered, as ClickHouse does over HTTP. Unset: 18123 where that is free; 0: nowhere. */
  CLICKHOUSE_HTTP_PORT: wholeNumber(0, 65535).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Bounds a JSON or NDJSON body after unpacking. */
  MAX_BODY_MB: wholeNumber(1, 1024).default(32),
  /** Bounds the bodies that are in work together; unset: 64, or a twenty-fourth of the memory where that is less. */
  MAX_BODIES_MB: wholeNumber(1, 1_000_000).optional(),
  /** How long a query may wait for its place, and how long it may run. */
  MAX_QUERY_S: wholeNumber(1, 86_400).default(30),
  /** Queries that run at once. */
  MAX_QUERIES: wholeNumber(1, 1000).default(16),
  /** Live streams that are open at once. */
  MAX_LIVE: wholeNumber(1, 1_000_000).default(1000),
  /** Max rows that a query may read; 0 for no limit. */
  MAX_QUERY_ROWS: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
  /** Memory of a query; a third of the machine's where it is unset and ClickHouse is embedded. */
  MAX_QUERY_MB: wholeNumber(1, 1_000_000_000).optional(),
  /** Memory that trainings may take together; unset: a quarter of the machine's. */
  MAX_TRAINING_MB: wholeNumber(64, 1_000_000_000).optional(),
  /** Versions of a model that are kept, the current one among them. */
  MAX_MODEL_VERSIONS: wholeNumber(1, 100_000).default(20),
  /** Bounds the events that wait in the log for ClickHouse; past it ingest answers 503. */
  MAX_LOG_MB: wholeNumber(1, 1_000_000).default(4096),
  MAX_KEYS: wholeNumber(1000, 10_000_000_000).default(50_000_000),
  /** Bounds the events that rules remember, as the embedded log keeps them; past it the oldest are forgotten. */
  MAX_RULES_MB: wholeNumber(1, 1_000_000).default(512),
  /** How long the record of changes is kept, and that of sent notifications, which are delivered for a day. */
  AUDIT_DAYS: wholeNumber(1, 36_500).default(1100),
  NOTIFICATION_DAYS: wholeNumber(2, 36_500).default(400),
  /** The room that objects leave on the disk of DATA_DIR; unset: a twentieth of it, 96 MB at least and 1 GB at most. */
  DISK_RESERVE_MB: wholeNumber(0, 1_000_000_000).optional(),
  /** A folder, or `s3://bucket/prefix`, to which the log is shipped beside copies of all else. */
  BACKUP_TO: text.optional(),
  BACKUP_EVERY_S: wholeNumber(1, 86_400).default(60),
  /** Full copies that are kept there: one is made a day. */
  BACKUP_KEEP: wholeNumber(1, 10_000).default(7),
  /** Bounds what waits in DATA_DIR while that place is away. */
  MAX_BACKUP_MB: wholeNumber(1, 1_000_000).default(4096),
  /** Memory that ClickHouse may cache, in megabytes. */
  CACHE_MB: wholeNumber(16, 1_000_000).default(256),
  /** 1: Python scripts that train models run without a cage, as the service's own user. */
  PY_UNCAGED: zeroOrOne.default('0'),
  /** 1: they reach the network. */
  PY_NETWORK: zeroOrOne.default('0'),
  /** Memory of a process that runs a user's model, beside three times the model's file, and how long one run may take. */
  PY_MODEL_MB: wholeNumber(64, 1_000_000).default(1024),
  PY_MODEL_S: wholeNumber(1, 3600).default(10),
  /** The longest text that a model of texts takes. */
  MAX_TEXT_KB: wholeNumber(1, 65_536).default(1024),
  /** The S3 server of the buckets; unset, they are a folder under DATA_DIR. Needs its two keys. */
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be a URL, http or https' }).optional(),
  /** Begins the name in S3 of every bucket. S3 takes 63 characters in all. */
  S3_BUCKET_PREFIX: text
    .regex(/^[a-z0-9][a-z0-9-]+$/, 'must be two or more of a-z, 0-9 and "-", the first no "-"')
    .max(40, 'must be at most 40 characters long')
    .default('weir-'),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  /** `host:port` of a Temporal server; without it workflows run in this process. */
  TEMPORAL_ADDRESS: text.regex(/^[^\s/:]+:\d+$/, 'must be host:port').optional(),
  TEMPORAL_NAMESPACE: text.default('default'),
  /** Where people see Temporal's workflows, for links to them. */
  TEMPORAL_UI_URL: z.url({ protocol: /^https?$/, error: 'must be a URL, http or https' }).optional(),
  /** 1 for TLS; with any of the next four it is on. */
  TEMPORAL_TLS: zeroOrOne.default('0'),
  TEMPORAL_API_KEY: text.optional(),
  /**
   * PEM files, by the names of Temporal's own clients: the CA of the server's certificate, and Weir's own certificate
   * with its key.
   */
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: text.optional(),
  TEMPORAL_TLS_CLIENT_CERT_PATH: text.optional(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: text.optional(),
  ALLOW_OPEN: zeroOrOne.default('0'),
  /** Whether every call needs a key. */
  API_KEYS: z.literal('require', 'must be require, or unset for none').optional(),
  /** A key that may do all; it is kept nowhere. */
  ADMIN_KEY: text.regex(/^[!-~]{32,}$/, 'must be 32 characters or more, ASCII without blanks').optional(),
  /** Where keys are off: names of this machine beside its own ones, in the header Host of requests. */
  ALLOWED_HOSTS: text
    .toLowerCase()
    .transform(filledList)
    .pipe(
      z.array(z.string().regex(hostForm, 'must be names or addresses such as weir.example.org, separated by commas')),
    )
    .default([]),
  /** Origins whose pages may ask from their browsers and read answers; `*` for all, where keys are on. */
  CORS_ORIGINS: text
    .transform(list)
    .pipe(
      z.array(
        z.string().refine(isOrigin, 'must be origins such as https://app.example.org, separated by commas, or *'),
      ),
    )
    .default([]),
  /** Requests a second that a key may make, or an address where there are no keys; 0 for any number. */
  RATE_LIMIT: wholeNumber(0, 1_000_000).default(0),
  /** The mail server, with user and password in the URL; needs `MAIL_FROM`. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be a URL, smtp or smtps' }).optional(),
  /** The sender of every mail's envelope. */
  MAIL_FROM: text.regex(/^[^\s@<>,]+@[^\s@<>,]+$/, 'must be a mail address').optional(),
  /** 0: sends of notifications are recorded, and nothing goes to endpoints or by mail. */
  NOTIFY_SEND: zeroOrOne.default('1'),
  /** 1: notifications may go to internal addresses. */
  NOTIFY_PRIVATE: zeroOrOne.default('0'),
  /** The receiver of traces. The name is OpenTelemetry's, whose SDK reads its other variables itself. */
  OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: otlpEndpoint.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocol.optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: otlpProtocol.optional(),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none'], { error: 'must be otlp or none' }).optional(),
  OTEL_TRACES_SAMPLER: z.enum(samplers, { error: `must be one of ${samplers.join(', ')}` }).optional(),
  OTEL_TRACES_SAMPLER_ARG: text.regex(/^(?:1(?:\.0*)?|0?\.\d+|0)$/, 'must be a number from 0 to 1').optional(),
  OTEL_SDK_DISABLED: z
    .stringbool({ truthy: ['true'], falsy: ['false'], error: 'must be true or false' })
    .default(false),
})

/** As browsers write it: no path, no user, no port that goes without saying. */
function isOrigin(text: string): boolean {
  return text === '*' || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text)
}

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
  faults.push(
    // Keys alone would leave the buckets in a folder.
    ...faultsOfSet(given, ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']),
    ...faultsOfSet(given, ['SMTP_URL', 'MAIL_FROM']),
    ...faultsOfSet(given, ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH']),
    ...faultsOfClickHouse(given),
    ...faultsOfKafka(given),
    ...faultsOfBackup(given),
  )
  if (config?.CORS_ORIGINS.includes('*') && given.API_KEYS !== 'require') {
    faults.push(
      'CORS_ORIGINS: * lets every page do everything while API keys are off; name the origins, or set API_KEYS=require',
    )
  }
  const host = given.HOST?.trim()
  if (host && !isLoopback(host) && given.ALLOW_OPEN !== '1' && given.API_KEYS !== 'require') {
    faults.push(
      `HOST: ${host} can be reached from outside and API keys are off; set API_KEYS=require, or ALLOW_OPEN=1 to serve it all the same`,
    )
  }
  if (!config || faults.length > 0) throw new Error(`settings cannot be used:\n  ${faults.join('\n  ')}`)
  return config
}

/** Settings that belong together are set together, or not at all. */
function faultsOfSet(given: Readonly<Record<string, unknown>>, names: readonly string[]): string[] {
  const isSet = names.filter((name) => name in given)
  const missing = names.filter((name) => !(name in given))
  return isSet.length === 0 ? [] : missing.map((name) => `${name}: is missing beside ${isSet.join(' and ')}`)
}

function faultsOfClickHouse({ CLICKHOUSE_URL, CLICKHOUSE_CLUSTER, ROLE }: Readonly<Record<string, unknown>>): string[] {
  if (CLICKHOUSE_URL !== undefined) {
    const url = String(CLICKHOUSE_URL)
    const isSession = URL.canParse(url) && new URL(url).searchParams.has('session_id')
    return isSession
      ? ['CLICKHOUSE_URL: session_id is not for Weir; ClickHouse runs one statement of a session at a time']
      : []
  }
  return [
    ...(CLICKHOUSE_CLUSTER === undefined ? [] : ['CLICKHOUSE_CLUSTER: needs CLICKHOUSE_URL, a server of that cluster']),
    ...(ROLE === 'api' || ROLE === 'worker'
      ? [`ROLE: ${ROLE} needs CLICKHOUSE_URL: embedded ClickHouse serves one process, which does all`]
      : []),
  ]
}

/** Settings of how to reach brokers need brokers; a user's name needs a password. */
function faultsOfKafka(given: Readonly<Record<string, unknown>>): string[] {
  const sasl = ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD']
  const isSet = sasl.filter((name) => name in given)
  const brokers = isSet.length === 0 || 'KAFKA_BROKERS' in given
  return [...faultsOfSet(given, sasl), ...(brokers ? [] : [`KAFKA_BROKERS: is missing beside ${isSet.join(' and ')}`])]
}

/** Settings that other parts of the service, its tools and its runtime read. */
const readElsewhere = ['WEIR_URL', 'WEIR_KEY', 'UV_THREADPOOL_SIZE', 'NODE_EXTRA_CA_CERTS']

const plain = (name: string): string => name.toUpperCase().replaceAll('_', '')
/** Shorter names have too many neighbours. */
const shortestLike = 6

/** Variables that nothing reads and that are near to a setting: each was meant to be one. And settings without effect. */
export function doubtsAbout(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = [...Object.keys(settings.shape), ...readElsewhere]
  const doubts = Object.keys(environment).flatMap((name) => {
    if (known.includes(name) || name.startsWith('OTEL_') || !environment[name]) return []
    const meant = known.find((each) => plain(each) === plain(name) || isOneOff(plain(name), plain(each)))
    return meant === undefined ? [] : [`${name} is no setting and does nothing; did you mean ${meant}?`]
  })
  if (environment.ADMIN_KEY && environment.API_KEYS !== 'require') {
    doubts.push('ADMIN_KEY does nothing while API keys are off; set API_KEYS=require, which asks every call for a key')
  }
  return doubts
}

/** Whether one character makes the difference. */
function isOneOff(name: string, known: string): boolean {
  const [short, long] = name.length < known.length ? [name, known] : [known, name]
  if (short.length < shortestLike || long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1)
}

/** Servers keep their own data, and have means of their own to back it up. */
function faultsOfBackup(given: Readonly<Record<string, unknown>>): string[] {
  const to = given.BACKUP_TO
  if (to === undefined) return []
  const servers = ['CLICKHOUSE_URL', 'KAFKA_BROKERS'].filter((name) => name in given)
  return [
    ...servers.map(
      (name) =>
        `BACKUP_TO: is of the embedded mode, and ${name} is set; docs/operate.md says how servers are backed up`,
    ),
    ...(/^s3:/.test(String(to)) && s3PlaceOf(String(to)) === undefined
      ? ['BACKUP_TO: must be a folder, or s3://bucket/prefix']
      : []),
    ...(/^s3:/.test(String(to)) && !('S3_ENDPOINT' in given)
      ? ['S3_ENDPOINT: is missing beside BACKUP_TO, with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY']
      : []),
  ]
}
