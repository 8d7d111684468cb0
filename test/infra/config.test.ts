import test from 'ava'
import { readConfig } from '../../infra/config.ts'

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
  })
  t.deepEqual(readConfig({ PORT: '', DATA_DIR: '', HOST: '' }), defaults)
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
