import test from 'ava'
import { doubtsAbout, readConfig } from '../../infra/config.ts'

const faultsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    const [first, ...faults] = (error instanceof Error ? error.message : '').split('\n')
    return [first ?? '', ...faults.map((line) => line.trim())]
  }
}

test('nothing set gives the defaults; an empty variable counts as unset', (t) => {
  const defaults = readConfig({})
  t.like(defaults, {
    HOST: '127.0.0.1',
    PORT: 18080,
    DATA_DIR: './data',
    ROLE: 'all',
    LOG_LEVEL: 'info',
    MAX_BODY_MB: 32,
    MAX_QUERY_S: 30,
    MAX_QUERIES: 16,
    MAX_QUERY_ROWS: 0,
  })
  t.deepEqual(readConfig({ PORT: '', DATA_DIR: '', HOST: '' }), defaults)
})

test('the port for analysts may be left out, chosen or turned off', (t) => {
  t.is(readConfig({}).CLICKHOUSE_HTTP_PORT, undefined)
  t.is(readConfig({ CLICKHOUSE_HTTP_PORT: '0' }).CLICKHOUSE_HTTP_PORT, 0)
  t.is(readConfig({ CLICKHOUSE_HTTP_PORT: '8123' }).CLICKHOUSE_HTTP_PORT, 8123)
  t.regex(faultsOf({ CLICKHOUSE_HTTP_PORT: '65536' }).join(), /CLICKHOUSE_HTTP_PORT: must be at most 65535/)
})

test('numbers are read from text', (t) => {
  t.like(readConfig({ PORT: '0', MAX_BODY_MB: '7', MAX_LOG_MB: '1' }), { PORT: 0, MAX_BODY_MB: 7, MAX_LOG_MB: 1 })
})

test('every fault is told at once, each with the name of its variable', (t) => {
  const [first, ...faults] = faultsOf({
    PORT: '70000',
    ROLE: 'boss',
    LOG_LEVEL: 'loud',
    MAX_BODY_MB: '0',
    MAX_LOG_MB: '1.5',
    CLICKHOUSE_URL: 'not a url',
    ALLOW_OPEN: 'yes',
  })
  t.is(first, 'settings cannot be used:')
  const named = faults.map((fault) => fault.slice(0, fault.indexOf(':')))
  t.deepEqual(named.toSorted(), [
    'ALLOW_OPEN',
    'CLICKHOUSE_URL',
    'LOG_LEVEL',
    'MAX_BODY_MB',
    'MAX_LOG_MB',
    'PORT',
    'ROLE',
  ])
  t.true(faults.includes('PORT: must be at most 65535'))
})

test("traces go where OpenTelemetry's settings say, and what they cannot be is told", (t) => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED } = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_SDK_DISABLED: 'true',
  })
  t.deepEqual([OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED], ['http://collector:4318', true])
  t.false(readConfig({}).OTEL_SDK_DISABLED)
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_EXPORTER', 'console'],
    ['OTEL_TRACES_SAMPLER', 'some'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_SDK_DISABLED', 'perhaps'],
  ] as const) {
    t.true(faultsOf({ [name]: value })[1]?.startsWith(`${name}: must be`), name)
  }
})

test('words where numbers belong are refused', (t) => {
  for (const PORT of ['http', '80 80', '-1', 'NaN', '1e9', ' ']) t.is(faultsOf({ PORT }).length, 2, PORT)
})

for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'example.org', '127.0.0.1.example.org']) {
  test(`listening on ${HOST} without keys is refused unless ALLOW_OPEN=1`, (t) => {
    const [, fault] = faultsOf({ HOST })
    t.regex(fault ?? '', /^HOST: .* ALLOW_OPEN=1/)
    t.is(readConfig({ HOST, ALLOW_OPEN: '1' }).HOST, HOST)
  })
}

test('with keys any address may be listened on', (t) => {
  t.is(readConfig({ HOST: '0.0.0.0', API_KEYS: 'require' }).HOST, '0.0.0.0')
})

test('keys are required or off, and the admin key is long', (t) => {
  t.deepEqual(faultsOf({ API_KEYS: 'yes' }).slice(1), ['API_KEYS: must be require, or unset for none'])
  for (const ADMIN_KEY of ['short', 'a'.repeat(31), `${'a'.repeat(20)} ${'a'.repeat(20)}`, 'ä'.repeat(40)])
    t.regex(faultsOf({ ADMIN_KEY })[1] ?? '', /^ADMIN_KEY: must be 32 characters or more/, ADMIN_KEY)
  t.is(readConfig({ ADMIN_KEY: 'a'.repeat(32) }).ADMIN_KEY, 'a'.repeat(32))
  t.is(readConfig({}).RATE_LIMIT, 0)
  t.is(faultsOf({ RATE_LIMIT: '-1' }).length, 2)
})

test('loopback needs no permission', (t) => {
  for (const HOST of ['127.0.0.1', '127.1.2.3', 'localhost', '::1']) t.is(readConfig({ HOST }).HOST, HOST)
})

test('a fault beside an open host is told with it', (t) => {
  t.is(faultsOf({ HOST: '0.0.0.0', PORT: 'x' }).length, 3)
})

const s3 = { S3_ENDPOINT: 'http://s3.example.org:9000', S3_ACCESS_KEY_ID: 'weir', S3_SECRET_ACCESS_KEY: 'secret' }

test('an S3 server is set together with its two keys, or not at all', (t) => {
  t.like(readConfig({}), { S3_BUCKET_PREFIX: 'weir-' })
  t.like(readConfig(s3), s3)
  t.like(readConfig({ ...s3, S3_BUCKET_PREFIX: 'a0-' }), { S3_BUCKET_PREFIX: 'a0-' })
  for (const missing of ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
    const [, fault, ...more] = faultsOf({ ...s3, [missing]: '' })
    t.regex(fault ?? '', new RegExp(`^${missing}: is missing beside S3_`))
    t.deepEqual(more, [])
  }
})

test('what is no S3 server, or can begin no name of a bucket there, is refused', (t) => {
  for (const S3_ENDPOINT of ['s3.example.org', 'ftp://s3.example.org', 'http://']) {
    t.regex(faultsOf({ ...s3, S3_ENDPOINT })[1] ?? '', /^S3_ENDPOINT: must be a URL, http or https/)
  }
  for (const S3_BUCKET_PREFIX of ['a', '-a', 'A-', 'a_b', 'a.b', 'ä-', 'a'.repeat(41)]) {
    t.regex(faultsOf({ ...s3, S3_BUCKET_PREFIX })[1] ?? '', /^S3_BUCKET_PREFIX: must be /)
  }
})

test('brokers are a list; SASL is set whole and needs brokers', (t) => {
  const sasl = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' }
  t.deepEqual(readConfig({ ...sasl, KAFKA_BROKERS: 'a:9092, b.c:9093,[::1]:9094' }).KAFKA_BROKERS, [
    'a:9092',
    'b.c:9093',
    '[::1]:9094',
  ])
  t.is(readConfig({}).KAFKA_BROKERS, undefined)
  const [, ...noPort] = faultsOf({ KAFKA_BROKERS: 'a:1,b', KAFKA_TOPIC_PREFIX: 'a b', KAFKA_SASL_MECHANISM: 'gssapi' })
  t.deepEqual(
    noPort.map((fault) => fault.split(':')[0]),
    ['KAFKA_BROKERS.1', 'KAFKA_SASL_MECHANISM', 'KAFKA_TOPIC_PREFIX', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'],
  )
  const [, ...alone] = faultsOf({ KAFKA_SASL_USERNAME: 'u', KAFKA_BROKERS: 'a:1' })
  t.deepEqual(alone, [
    'KAFKA_SASL_MECHANISM: is missing beside KAFKA_SASL_USERNAME',
    'KAFKA_SASL_PASSWORD: is missing beside KAFKA_SASL_USERNAME',
  ])
  const [, ...noBrokers] = faultsOf(sasl)
  t.deepEqual(noBrokers, [
    'KAFKA_BROKERS: is missing beside KAFKA_SASL_MECHANISM and KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD',
  ])
})

test('a cluster, and roles other than all, need a ClickHouse server', (t) => {
  t.throws(() => readConfig({ CLICKHOUSE_CLUSTER: 'events', ROLE: 'worker' }), {
    message: /CLICKHOUSE_CLUSTER: needs CLICKHOUSE_URL.*\n {2}ROLE: worker needs CLICKHOUSE_URL/,
  })
  const config = readConfig({ CLICKHOUSE_CLUSTER: 'events', ROLE: 'worker', CLICKHOUSE_URL: 'http://u:p@host:8123' })
  t.is(config.CLICKHOUSE_CLUSTER, 'events')
  t.throws(() => readConfig({ CLICKHOUSE_URL: 'localhost:8123' }), { message: /CLICKHOUSE_URL: must be a URL/ })
  t.throws(() => readConfig({ CLICKHOUSE_URL: 'http://host', CLICKHOUSE_CLUSTER: 'a`b' }), {
    message: /CLICKHOUSE_CLUSTER: must be letters/,
  })
})

test('options of its client stand in the URL of a ClickHouse server, but no session', (t) => {
  const url = 'http://u:p@host:8123/?compression_request=1&compression_response=1'
  t.is(readConfig({ CLICKHOUSE_URL: url }).CLICKHOUSE_URL, url)
  t.throws(() => readConfig({ CLICKHOUSE_URL: `${url}&session_id=weir` }), {
    message: /CLICKHOUSE_URL: session_id is not for Weir; ClickHouse runs one statement of a session at a time/,
  })
})

test('the address of Temporal is a host and a port', (t) => {
  t.like(readConfig({ TEMPORAL_ADDRESS: 'temporal:7233' }), {
    TEMPORAL_ADDRESS: 'temporal:7233',
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_TLS: '0',
  })
  for (const TEMPORAL_ADDRESS of ['temporal', 'http://temporal:7233', 'temporal:', 'a b:1']) {
    t.deepEqual(faultsOf({ TEMPORAL_ADDRESS }).slice(1), ['TEMPORAL_ADDRESS: must be host:port'])
  }
})

test('the pages of Temporal have a URL', (t) => {
  t.like(readConfig({ TEMPORAL_UI_URL: 'http://temporal:8233' }), { TEMPORAL_UI_URL: 'http://temporal:8233' })
  t.deepEqual(faultsOf({ TEMPORAL_UI_URL: 'temporal:8233' }).slice(1), [
    'TEMPORAL_UI_URL: must be a URL, http or https',
  ])
})

test('a certificate for Temporal is set together with its key, or not at all', (t) => {
  t.deepEqual(faultsOf({ TEMPORAL_TLS_CLIENT_CERT_PATH: 'weir.pem' }).slice(1), [
    'TEMPORAL_TLS_CLIENT_KEY_PATH: is missing beside TEMPORAL_TLS_CLIENT_CERT_PATH',
  ])
  t.deepEqual(faultsOf({ TEMPORAL_TLS_CLIENT_KEY_PATH: 'weir.key' }).slice(1), [
    'TEMPORAL_TLS_CLIENT_CERT_PATH: is missing beside TEMPORAL_TLS_CLIENT_KEY_PATH',
  ])
  t.deepEqual(faultsOf({ TEMPORAL_TLS_CLIENT_CERT_PATH: 'weir.pem', TEMPORAL_TLS_CLIENT_KEY_PATH: 'weir.key' }), [])
})

test('hosts and origins are lists; every origin is allowed with keys alone', (t) => {
  t.like(readConfig({}), { ALLOWED_HOSTS: [], CORS_ORIGINS: [] })
  t.like(
    readConfig({ ALLOWED_HOSTS: 'Weir.example.org, api:80,[::1],', CORS_ORIGINS: 'https://a.example,http://b:3000' }),
    {
      ALLOWED_HOSTS: ['weir.example.org', 'api:80', '[::1]'],
      CORS_ORIGINS: ['https://a.example', 'http://b:3000'],
    },
  )
  t.deepEqual(readConfig({ CORS_ORIGINS: '*', API_KEYS: 'require' }).CORS_ORIGINS, ['*'])
  t.regex(faultsOf({ CORS_ORIGINS: '*' }).join(), /CORS_ORIGINS: \* lets every page do everything.*API_KEYS=require/)
  for (const text of [
    'app.example.org',
    'https://a.example/',
    'https://A.example',
    'https://*.a.example/x',
    'null',
    'https://a.example:443',
  ])
    t.regex(faultsOf({ CORS_ORIGINS: text }).join(), /CORS_ORIGINS\.0: must be origins such as/, text)
  for (const text of ['*', 'http://a', '*.a', 'a b', 'a/b'])
    t.regex(faultsOf({ ALLOWED_HOSTS: text }).join(), /ALLOWED_HOSTS\.0: must be names or addresses/, text)
})

test('a variable that is near to a setting, and a key without keys, are told; others are not', (t) => {
  const meant = (name: string): string | undefined => {
    const [doubt] = doubtsAbout({ [name]: 'x' })
    return doubt === undefined
      ? undefined
      : /^(\w+) is no setting and does nothing; did you mean (\w+)\?$/.exec(doubt)?.[2]
  }
  for (const [name, setting] of [
    ['APIKEYS', 'API_KEYS'],
    ['api_keys', 'API_KEYS'],
    ['MAX_LOGMB', 'MAX_LOG_MB'],
    ['DATADIR', 'DATA_DIR'],
    ['DATA_DIRS', 'DATA_DIR'],
    ['KAFKA_BROKER', 'KAFKA_BROKERS'],
    ['KAFKA_BROKRES', undefined],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['LOG_LEVAL', 'LOG_LEVEL'],
    ['S3_ENDPOIN', 'S3_ENDPOINT'],
    ['Port', 'PORT'],
    ['POST', undefined],
    ['HOME', undefined],
    ['HOSTNAME', undefined],
    ['PATH', undefined],
    ['DATA_DIR', undefined],
    ['OTEL_EXPORTER_OTLP_ENDPOINTS', undefined],
  ] as const) {
    t.is(meant(name), setting, name)
  }
  t.deepEqual(doubtsAbout({ APIKEYS: '' }), [])
  t.regex(doubtsAbout({ ADMIN_KEY: 'a'.repeat(32) }).join(), /ADMIN_KEY does nothing .*API_KEYS=require/)
  t.deepEqual(doubtsAbout({ ADMIN_KEY: 'a'.repeat(32), API_KEYS: 'require' }), [])
})

test('faults of switches say what they take', (t) => {
  t.deepEqual(faultsOf({ KAFKA_TLS: 'yes' }).slice(1), ['KAFKA_TLS: must be 0 or 1'])
})
