import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { plainRequest } from '../../support/requests/plain-request.ts'
import { until } from '../../support/until.ts'
import { type Case, fails, forbidden, invalid, keysIn, putObject } from './bucket-cases.ts'

const mebibyte = 1024 * 1024

/** As they stand in the path, and the key that they mean. */
const keys: (readonly [string, string])[] = [
  ['plain', 'plain'],
  ['d/e/f', 'd/e/f'],
  ['d%2Fg', 'd/g'],
  ['x%20y', 'x y'],
  ['x+y', 'x+y'],
  ['%25', '%'],
  ['x%252Fy', 'x%2Fy'],
  ['a%3Fb%23c', 'a?b#c'],
  ['%E6%97%A5', '日'],
  ['%F0%9F%98%80', '😀'],
  ['a%CC%88', 'a\u0308'],
  ['..a', '..a'],
  ['...', '...'],
  ['b%5Cc', 'b\\c'],
  ['%22%3Cx%3E', '"<x>'],
  ['g//h', 'g//h'],
  ['i/', 'i/'],
  ['/j', '/j'],
  ['%2Fetc%2Fpasswd', '/etc/passwd'],
  ['/', '/'],
]

const hostile = [
  '',
  '..',
  '../x',
  '../../../../etc/passwd',
  '%2e%2e/x',
  '..%2f..%2fetc%2fpasswd',
  'a/../b',
  'nul%00',
  '%',
  '%zz',
  '%ff',
  '%c0%ae%c0%ae/x',
  '%ed%a0%80',
  'x'.repeat(1025),
  '%C3%A9'.repeat(513),
]

export const objectCases: readonly Case[] = [
  {
    title: 'an object goes in and comes out as plain bytes, is replaced, and removed',
    async run(t, { url }, bucket) {
      const path = `/brs/${bucket}/object/dir/file.bin`
      for (const content of [randomBytes(3 * mebibyte + 7), Buffer.from('short'), Buffer.alloc(0)]) {
        const put = await plainRequest(url, path, { method: 'PUT', body: content })
        t.deepEqual([put.status, JSON.parse(String(put.bytes))], [200, { success: 0, file_size: content.length }])
        const got = await plainRequest(url, path)
        t.true(got.bytes.equals(content))
        t.like(got.headers, {
          'content-length': String(content.length),
          'content-type': 'application/octet-stream',
          'accept-ranges': 'bytes',
          'x-content-type-options': 'nosniff',
        })
        const head = await plainRequest(url, path, { method: 'HEAD' })
        t.is(head.bytes.length, 0)
        const { date: _, ...headers } = head.headers
        t.like(got.headers, headers)
        t.regex(String(head.headers.etag), /^"[^"]+"$/)
      }
      t.is((await plainRequest(url, path, { method: 'DELETE' })).status, 200)
      t.is((await plainRequest(url, path, { method: 'DELETE' })).status, 404)
    },
  },
  {
    title: 'a body of unknown length is taken as well',
    async run(t, { url }, bucket) {
      const path = `/brs/${bucket}/object/k`
      const body = Readable.from([Buffer.from('first '), Buffer.from('second')])
      t.is((await plainRequest(url, path, { method: 'PUT', body })).status, 200)
      t.is(String((await plainRequest(url, path)).bytes), 'first second')
    },
  },
  {
    title: 'a range is answered with its bytes and its place, or with 416 where there is none of it',
    async run(t, client, bucket) {
      await putObject(client, bucket, 'k', '0123456789')
      const ranges: (readonly [string, string, string])[] = [
        ['bytes=0-0', '0', 'bytes 0-0/10'],
        ['bytes=2-4', '234', 'bytes 2-4/10'],
        ['bytes=7-', '789', 'bytes 7-9/10'],
        ['bytes=8-99999999999999999999', '89', 'bytes 8-9/10'],
        ['bytes=-3', '789', 'bytes 7-9/10'],
        ['bytes=-99', '0123456789', 'bytes 0-9/10'],
        ['BYTES=1-1', '1', 'bytes 1-1/10'],
      ]
      for (const [range, bytes, place] of ranges) {
        const got = await plainRequest(client.url, `/brs/${bucket}/object/k`, { headers: { range } })
        t.deepEqual([got.status, String(got.bytes), got.headers['content-range']], [206, bytes, place], range)
        t.is(got.headers['content-length'], String(bytes.length))
      }
      for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999-']) {
        const got = await plainRequest(client.url, `/brs/${bucket}/object/k`, { headers: { range } })
        t.deepEqual([got.status, got.headers['content-range'], got.headers.etag], [416, 'bytes */10', undefined])
      }
      for (const range of ['bytes=', 'bytes=-', 'bytes=4-2', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=a-b', 'nonsense']) {
        const got = await plainRequest(client.url, `/brs/${bucket}/object/k`, { headers: { range } })
        t.deepEqual([got.status, String(got.bytes)], [200, '0123456789'], range)
      }
      await putObject(client, bucket, 'empty', '')
      const empty = await plainRequest(client.url, `/brs/${bucket}/object/empty`, { headers: { range: 'bytes=0-' } })
      t.is(empty.status, 416)
    },
  },
  {
    title: 'an entity tag spares a second transfer, and keeps the parts of two versions apart',
    async run(t, client, bucket) {
      const path = `/brs/${bucket}/object/k`
      const etagNow = async () => String((await plainRequest(client.url, path, { method: 'HEAD' })).headers.etag)
      await putObject(client, bucket, 'k', 'first version')
      const first = await etagNow()
      const unchanged = await plainRequest(client.url, path, { headers: { 'if-none-match': first } })
      t.deepEqual([unchanged.status, unchanged.bytes.length, unchanged.headers.etag], [304, 0, first])
      await putObject(client, bucket, 'k', 'second version')
      t.not(await etagNow(), first)
      const changed = await plainRequest(client.url, path, { headers: { 'if-none-match': first } })
      t.deepEqual([changed.status, String(changed.bytes)], [200, 'second version'])
      const tail = { range: 'bytes=6-' }
      const old = await plainRequest(client.url, path, { headers: { ...tail, 'if-range': first } })
      t.deepEqual([old.status, String(old.bytes)], [200, 'second version'])
      const same = await plainRequest(client.url, path, { headers: { ...tail, 'if-range': await etagNow() } })
      t.deepEqual([same.status, String(same.bytes)], [206, ' version'])
    },
  },
  {
    title: 'a key is what stands in the path, percent-decoded once',
    async run(t, client, bucket) {
      for (const [path, key] of keys) {
        const place = `/brs/${bucket}/object/${path}`
        const put = await plainRequest(client.url, place, { method: 'PUT', body: Buffer.from(key) })
        t.is(put.status, 200, `${path}: ${put.bytes}`)
        t.is(String((await plainRequest(client.url, `${place}?ignored=1`)).bytes), key)
      }
      t.deepEqual((await keysIn(client, bucket)).sort(), keys.map(([, key]) => key).sort())
      for (const [path] of keys) {
        t.is((await plainRequest(client.url, `/brs/${bucket}/object/${path}`, { method: 'DELETE' })).status, 200)
      }
    },
  },
  {
    title: 'a key that leads elsewhere, or is none, is refused by every call',
    async run(t, client, bucket) {
      for (const path of hostile) {
        for (const method of ['PUT', 'GET', 'DELETE', 'HEAD']) {
          const { status, bytes } = await plainRequest(client.url, `/brs/${bucket}/object/${path}`, { method })
          t.is(status, 400, `${method} ${path}`)
          if (method !== 'HEAD') t.like(JSON.parse(String(bytes)), { errcode: -1, success: -1 })
        }
      }
      for (const key of ['..', '../x', '/../x', 'a/../b', 'a\0b', '', 'x'.repeat(1025), '\ud800']) {
        fails(t, await client.post(`/brs/${bucket}/putfile`, { fsize: 0, key }), invalid)
        fails(t, await client.post(`/brs/${bucket}/getfile`, { key }), invalid)
      }
      for (const key of ['', '..', '%2F..%2Fetc%2Fpasswd', 'a%00']) {
        fails(t, await client.post(`/brs/delete?key=${key}`, { bucket_name: bucket }), invalid)
      }
      for (const name of ['..', '%2e%2e', '%2e%2e%2f', '.records', '.scratch', '%00', '%ff']) {
        t.is(
          (await plainRequest(client.url, `/brs/${name}/object/k`, { method: 'PUT', body: Buffer.from('v') })).status,
          400,
        )
      }
      t.deepEqual(await keysIn(client, bucket), [])
    },
  },
  {
    title: 'bytes under a coding, or a part of an object, are refused: what is kept is what was sent',
    async run(t, client, bucket) {
      const path = `/brs/${bucket}/object/k`
      const coded = await client.send('PUT', path, 'v', { 'content-encoding': 'gzip' })
      fails(t, coded, { status: 415, errcode: -1 }, /byte for byte/)
      fails(t, await client.send('PUT', path, 'v', { 'content-range': 'bytes 0-0/2' }), invalid, /as a whole/)
      const { status, headers, body } = await client.post(path, 'v')
      t.deepEqual(
        [status, headers.get('allow')?.split(', ').sort(), body.errcode],
        [405, ['DELETE', 'GET', 'HEAD', 'PUT'], -1],
      )
      t.deepEqual(await keysIn(client, bucket), [])
    },
  },
  {
    title: 'a client who breaks off a PUT leaves nothing, and what was there stays',
    async run(t, client, bucket) {
      await putObject(client, bucket, 'there', 'before')
      for (const [head, sent] of [
        ['Content-Length: 20000000', Buffer.alloc(9 * mebibyte)],
        ['Content-Length: 20000000', Buffer.alloc(0)],
        ['Transfer-Encoding: chunked', Buffer.from(`3\r\nabc\r\n`)],
        ['Transfer-Encoding: chunked', Buffer.from(`zz\r\n`)],
      ] as const) {
        for (const key of ['there', 'new']) await breakOff(client.url, `/brs/${bucket}/object/${key}`, head, sent)
      }
      await until('the puts are over', async () => {
        t.deepEqual(await keysIn(client, bucket), ['there'])
        return true
      })
      t.is((await client.get(`/brs/${bucket}/object/there`)).text, 'before')
    },
  },
  {
    title: 'a refusal reaches a client who is amid sending',
    async run(t, client, bucket) {
      const name = `${bucket}-closed`
      await client.ok(client.post('/brs/bucket', { bucket_name: name, access_key: 'me', secret_key: 's' }))
      const body = Buffer.alloc(24 * mebibyte)
      for (let i = 0; i < 3; i++) fails(t, await client.send('PUT', `/brs/${name}/object/k`, body), forbidden)
      t.regex(await readAfterSending(client.url, `/brs/${name}/object/k`, body), /^HTTP\/1\.1 403 /)
      await client.ok(client.send('PUT', `/brs/${name}/object/k`, 'v', { 'x-access-key': 'me', 'x-secret-key': 's' }))
    },
  },
  {
    title: 'of many writers of one key one remains whole, and readers meanwhile see no mixture',
    async run(t, client, bucket) {
      const contents = Array.from({ length: 6 }, (_, i) => Buffer.alloc(2 * mebibyte + i, 65 + i))
      await putObject(client, bucket, 'k', contents[0] ?? '')
      const writing = Promise.all(contents.map((content) => putObject(client, bucket, 'k', content)))
      const isWhole = async () => {
        const { bytes } = await plainRequest(client.url, `/brs/${bucket}/object/k`)
        return contents.some((content) => content.equals(bytes))
      }
      t.deepEqual(await Promise.all([isWhole(), isWhole(), isWhole()]), [true, true, true])
      await writing
      t.true(await isWhole())
    },
  },
]

/** Puts an object in the manner of clients who read no answer before they sent all. */
function readAfterSending(url: string, path: string, body: Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  return new Promise<string>((resolve, reject) => {
    socket.once('error', reject).once('close', () => reject(new Error('no answer came')))
    socket.setTimeout(10_000, () => reject(new Error('the body is not taken')))
    socket.once('data', (answer) => resolve(String(answer))).pause()
    socket.write(`PUT ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`)
    socket.write(body, () => socket.resume())
  }).finally(() => socket.destroy())
}

/** Sends a part of a request to put an object, and goes. */
async function breakOff(url: string, path: string, head: string, sent: Buffer): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`PUT ${path} HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n`)
  await new Promise((resolve) => socket.write(sent, resolve))
  await new Promise((resolve) => setTimeout(resolve, 20))
  socket.destroy()
}
