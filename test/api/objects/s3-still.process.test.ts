/** An S3 server that stands still: its connections stay, and nothing answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { ensureVersitygw } from '../../../scripts/parts/versitygw.js'
import { s3Keys, startS3Server } from '../../infra/buckets/s3-server.ts'
import { startService } from '../../support/service.ts'
import { fails } from './bucket-cases.ts'

const binary = await ensureVersitygw()
/** versitygw cannot be had everywhere: why is said by `ensureVersitygw`, and CI does not go without. */
const withServer = binary === undefined ? test.skip : test
const path = (key: string): string => `/brs/ml_bucket_info/object/${key}`
/** Two attempts of ten seconds, and what lies between them. */
const longest_ms = 30_000

withServer(
  'while the S3 server stands still for over twenty seconds, forty calls at once end and say so; streams go on, and a put that has begun waits and is whole',
  async (t) => {
    t.timeout(600_000)
    const server = await startS3Server(binary ?? '')
    t.teardown(server.stop)
    const { client, close } = await startService({
      S3_ENDPOINT: server.endpoint,
      S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    })
    t.teardown(close)
    await client.register({ schema: 'still', streams: [{ name: 's', type: 1, attr: [{ name: 'n', type: 'LONG' }] }] })
    const content = Buffer.alloc(100_000, 'what was there before ')
    await client.ok(client.send('PUT', path('before'), content))

    const { readable, writable } = new TransformStream<Uint8Array>()
    const url = new URL(path('meanwhile'), client.url)
    const put = fetch(url, { method: 'PUT', body: readable, duplex: 'half' })
    const writer = writable.getWriter()
    await writer.write(content.subarray(0, 10_000))
    await sleep(1_000) // until Weir has looked for the bucket, and waits for the rest of the body

    await server.pause()
    const stood = performance.now()
    await writer.write(content.subarray(10_000))
    await writer.close()
    const listed = { bucket_name: 'ml_bucket_info' }
    const calls = Array.from({ length: 40 }, (_, n) => {
      if (n % 4 === 0) return client.send('PUT', path(`refused${n}`), content)
      return n % 2 === 0 ? client.get(path('before')) : client.post('/brs/object/list/1', listed)
    })
    for (let n = 0; n < 20; n++) await client.event('still.s', { n })
    t.is(await client.count('select count(*) from still.s'), 20)
    t.like((await client.ok(client.get('/health/ready'))).parts.log, { status: 'up' })
    for (const answer of await Promise.all(calls)) fails(t, answer, { status: 503, errcode: -7 }, /the S3 server/)
    const took_ms = performance.now() - stood
    t.true(took_ms < longest_ms, `${took_ms} ms`)
    await sleep(Math.max(0, 22_000 - took_ms))

    server.resume()
    t.is((await put).status, 200)
    for (const key of ['before', 'meanwhile']) {
      const answer = await fetch(new URL(path(key), client.url))
      t.deepEqual(Buffer.from(await answer.arrayBuffer()), content, key)
    }
  },
)
