/** The bytes of bodies: how they are packed, and how many are in work at a time. */
import { request } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import test from 'ava'
import { type RunningService, startService } from '../../support/service.ts'

const megabyte = 1024 * 1024
const schema = { schema: 'b', streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG' }] }] }
const ndjson = { 'content-type': 'application/x-ndjson' }

let service: RunningService
test.before(async () => {
  service = await startService({ MAX_BODY_MB: '8', MAX_BODIES_MB: '8' })
  await service.client.register(schema)
})
test.after.always(() => service?.close())

const lines = (bytes: number): Buffer => {
  const line = `${JSON.stringify({ n: 1, text: 'x'.repeat(1000) })}\n`
  return Buffer.from(line.repeat(Math.floor(bytes / line.length)))
}
const count = () => service.client.count('select count(*) from b.st')

/** A body whose end never comes, until it is cut. */
function endless(bytes: number) {
  const sending = request(`${service.url}/stream/b/st`, {
    method: 'POST',
    headers: { ...ndjson, 'content-length': String(bytes) },
  })
  const answered = new Promise<number | undefined>((resolve) => {
    sending.on('error', () => resolve(undefined))
    sending.on('response', (response) => resolve(response.resume().statusCode))
  })
  sending.write('{"n":1}\n')
  return { send: (text: string) => sending.write(text), answered, cut: () => sending.destroy() }
}

test.serial('bodies come plain, in gzip, deflate or brotli, in one piece or in chunks', async (t) => {
  const body = lines(3 * megabyte)
  const before = await count()
  const packings = { identity: body, gzip: gzipSync(body), deflate: deflateSync(body), br: brotliCompressSync(body) }
  for (const [encoding, packed] of Object.entries(packings)) {
    const headers = { ...ndjson, 'content-encoding': encoding }
    t.is((await service.client.post('/stream/b/st', packed, headers)).status, 200, encoding)
    const chunked = await fetch(`${service.url}/stream/b/st`, {
      method: 'POST',
      headers,
      duplex: 'half',
      body: new Blob([new Uint8Array(packed)]).stream(),
    })
    t.is(chunked.status, 200, `${encoding}, chunked`)
  }
  const each = body.toString().split('\n').length - 1
  t.is((await count()) - before, 8 * each)
})

test.serial('what is no gzip, or cut short, is a 400 on a connection that goes on', async (t) => {
  const packed = gzipSync(lines(megabyte))
  for (const encoding of ['gzip', 'deflate', 'br']) {
    for (const body of ['plain', packed.subarray(0, packed.length - 20)]) {
      const answer = await service.client.post('/stream/b/st', body, { ...ndjson, 'content-encoding': encoding })
      t.deepEqual([answer.status, answer.body.errcode], [400, -1], encoding)
    }
  }
})

test.serial('many large bodies at once are taken one after the other, all of them', async (t) => {
  const body = lines(4 * megabyte)
  const before = await count()
  const posts = Array.from({ length: 6 }, (_, i) =>
    i % 2 === 0
      ? service.client.post('/stream/b/st', body, ndjson)
      : service.client.post('/stream/b/st', gzipSync(body), { ...ndjson, 'content-encoding': 'gzip' }),
  )
  for (const { status, text } of await Promise.all(posts)) t.is(status, 200, text)
  t.is((await count()) - before, 6 * (body.toString().split('\n').length - 1))
})

test.serial(
  'beyond the bound a body waits, then is a 503 with Retry-After; small ones and queries go on',
  async (t) => {
    const slow = endless(5 * megabyte)
    const sending = setInterval(() => slow.send('{"n":1}\n'.repeat(1_000)), 100)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const waiting = service.client.post('/stream/b/st', lines(2 * megabyte), ndjson)
    const started = performance.now()
    for (let i = 0; i < 20; i++) await service.client.event('b.st', { n: 1 })
    t.true((await count()) > 0)
    t.true(performance.now() - started < 12_000)
    const refused = await waiting
    t.deepEqual([refused.status, refused.body.errcode], [503, -6])
    t.regex(refused.body.error[0], /MAX_BODIES_MB/)
    t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/)
    clearInterval(sending)
    slow.cut()
    t.is((await service.client.post('/stream/b/st', lines(8 * megabyte), ndjson)).status, 200)
  },
)

test.serial('bodies that stand still lose their room to those that wait for it, and are a 503', async (t) => {
  const small = [megabyte - 1, megabyte - 1].map(endless)
  const large = endless(5 * megabyte)
  await new Promise((resolve) => setTimeout(resolve, 200))
  const started = performance.now()
  t.is((await service.client.post('/stream/b/st', '{"n":1}')).status, 200)
  t.is((await service.client.post('/stream/b/st', lines(4 * megabyte), ndjson)).status, 200)
  t.true(performance.now() - started < 12_000, 'less than a body waits for room')
  t.is(await Promise.race(small.map(({ answered }) => answered)), 503)
  t.is(await large.answered, 503)
  for (const { cut } of small) cut()
})
