import test from 'ava'
import { pino } from 'pino'
import { ensureVersitygw } from '../../../scripts/parts/versitygw.js'
import { s3Keys, startS3Server } from '../../infra/buckets/s3-server.ts'
import { NotStarted, spawnService } from '../../support/process.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { fails } from './bucket-cases.ts'

const binary = await ensureVersitygw()
const withServer = binary === undefined ? test.skip : test

const settings = (S3_ENDPOINT: string) => ({
  S3_ENDPOINT,
  S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
})

withServer(
  'while the S3 server is gone its calls say so, the report of health too, at once, and streams go on',
  async (t) => {
    const server = await startS3Server(binary ?? '')
    const lines: string[] = []
    const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
    const { client, close } = await startService(settings(server.endpoint), logger)
    t.teardown(close)
    t.is((await client.ok(client.get('/health/ready'))).parts.buckets.status, 'up')
    await client.ok(client.send('PUT', '/brs/ml_bucket_info/object/long', Buffer.alloc(60 * 1024 * 1024)))
    const reading = await fetch(new URL('/brs/ml_bucket_info/object/long', client.url))
    await server.stop()
    await t.throwsAsync(reading.arrayBuffer(), undefined, 'an answer that breaks off does not look like a whole one')
    await until('it is logged', () => lines.some((line) => line.includes('answer broke off')))
    const gone = { status: 503, errcode: -7 }
    const calls: (readonly [string, string, unknown])[] = [
      ['POST', '/brs/list/0', {}],
      ['POST', '/brs/object/list/1', { bucket_name: 'ml_bucket_info' }],
      ['PUT', '/brs/ml_bucket_info/object/k', 'v'],
      ['GET', '/brs/ml_bucket_info/object/k', undefined],
      ['POST', '/brs/ml_bucket_info/getfile', { key: 'k' }],
    ]
    for (const [method, path, body] of calls) {
      const answer = await client.send(method, path, body)
      fails(t, answer, gone, /the S3 server cannot be used/)
      t.is(answer.headers.get('retry-after'), '1')
      t.notRegex(answer.text, new RegExp(s3Keys.secretAccessKey))
    }
    const began = performance.now()
    const { status, parts } = await client.ok(client.get('/health/ready'))
    t.true(performance.now() - began < 5_000)
    t.is(status, 'ready')
    t.true(['slow', 'down'].includes(parts.buckets.status))
  },
)

test('without its S3 server the service does not start, and says why', async (t) => {
  const began = performance.now()
  const starting = spawnService({ ...settings('http://127.0.0.1:9'), DATA_DIR: temporaryFolder() })
  const { said } = (await t.throwsAsync(starting, { instanceOf: NotStarted })) ?? { said: '' }
  t.regex(said, /weir cannot start: the S3 server cannot be used .*ECONNREFUSED/)
  t.notRegex(said, /UnhandledPromise|at .*\.ts:\d/)
  t.true(performance.now() - began < 30_000)
})
