/** The console as its browser gets it: the page, its files, and the cookie that holds its key. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import test from 'ava'
import { ensureConsole } from '../../../scripts/dist.js'
import { plainRequest } from '../../support/requests/plain-request.ts'
import { startService } from '../../support/service.ts'

ensureConsole()
const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, url, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
test.after.always(close)

const chromiums = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const { host } = new URL(url)

test('GET / is JSON for all but browsers, which get the page', async (t) => {
  for (const accept of ['*/*', 'application/json', 'application/json, text/html', 'text/plain']) {
    const { status, body, headers } = await client.send('GET', '/', undefined, { Accept: accept })
    t.is(status, 200)
    t.is(body.name, 'weir', accept)
    t.is(headers.get('vary'), 'Accept')
  }
  for (const path of ['/', '/console', '/console/streams/shop/orders?from=1']) {
    const { status, text, headers } = await client.send('GET', path, undefined, { Accept: chromiums })
    t.is(status, 200)
    t.regex(text, /^<!doctype html>/)
    t.is(headers.get('content-type'), 'text/html; charset=utf-8')
    t.is(headers.get('vary'), 'Accept')
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
      t.true(policy.split('; ').includes(rule), rule)
    t.notRegex(policy, /unsafe/)
    t.is(headers.get('x-content-type-options'), 'nosniff')
    t.is(headers.get('referrer-policy'), 'no-referrer')
    t.is(headers.get('cross-origin-opener-policy'), 'same-origin')
    const tag = headers.get('etag') ?? ''
    const again = await client.send('GET', path, undefined, { Accept: chromiums, 'If-None-Match': tag })
    t.deepEqual([again.status, again.text], [304, ''])
    const head = await client.send('HEAD', path, undefined, { Accept: chromiums })
    t.deepEqual([head.status, head.text], [200, ''])
  }
})

test('the page has no inline script or style; its files are packed, kept for ever, and open to all', async (t) => {
  const { text } = await client.get('/console')
  t.notRegex(text, /<script(?![^>]* src=)|<style| on\w+=| style=|https?:\/\/(?!www\.w3\.org)/)
  const names = [...text.matchAll(/\/console\/assets\/([\w.-]+)/g)].map(([, name = '']) => name)
  t.true(names.length > 2)
  for (const name of names) {
    const path = `/console/assets/${name}`
    const ask = (encoding: string) => plainRequest(url, path, { headers: { 'Accept-Encoding': encoding } })
    const plain = await ask('identity')
    t.is(plain.status, 200)
    t.regex(String(plain.headers['content-type']), name.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
    t.is(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    const [brotli, gzip] = [await ask('gzip, deflate, br'), await ask('gzip')]
    t.is(brotli.headers['content-encoding'], 'br')
    t.is(gzip.headers['content-encoding'], 'gzip')
    t.deepEqual(brotliDecompressSync(brotli.bytes), plain.bytes)
    t.deepEqual(gunzipSync(gzip.bytes), plain.bytes)
    const again = await plainRequest(url, path, { headers: { 'If-None-Match': String(plain.headers.etag) } })
    t.is(again.status, 304)
  }
  for (const none of ['none.js', '..%2Fbuilt.json', 'constructor'])
    t.like(await client.get(`/console/assets/${none}`), { status: 404, body: { errcode: -3 } })
})

const cookieOf = (headers: Headers): string => headers.get('set-cookie') ?? ''

test('a key in the cookie counts for requests of the page alone, and a key in a header goes before it', async (t) => {
  const signedIn = await client.post('/console/session', { key: ADMIN_KEY })
  t.deepEqual([signedIn.status, signedIn.body], [200, { errcode: 0 }])
  const set = cookieOf(signedIn.headers)
  t.regex(set, /; HttpOnly/)
  t.regex(set, /; SameSite=Strict/)
  t.regex(set, /; Path=\//)
  t.notRegex(set, /Secure|Max-Age|Expires/)
  const [Cookie = ''] = set.split(';')
  for (const [headers, status] of [
    [{}, 401],
    [{ 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{ 'Sec-Fetch-Site': 'same-site' }, 401],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 401],
    [{ 'Sec-Fetch-Site': 'none' }, 401],
    [{ Origin: `http://${host}` }, 200],
    [{ Origin: `https://${host}` }, 200],
    [{ Origin: 'http://evil.example' }, 401],
    [{ Origin: 'null' }, 401],
    [{ Origin: `http://${host}`, 'Sec-Fetch-Site': 'cross-site' }, 401],
    [{ 'x-weir-console': '1' }, 200],
    [{ 'x-weir-console': '1', 'Sec-Fetch-Site': 'cross-site' }, 401],
    [{ 'Sec-Fetch-Site': 'same-origin', 'x-api-key': 'wrong' }, 401],
  ] as const) {
    const { status: got } = await client.send('GET', '/keys', undefined, { Cookie, ...headers })
    t.is(got, status, JSON.stringify(headers))
  }
  const own = { Cookie, 'Sec-Fetch-Site': 'same-origin' }
  t.deepEqual((await client.send('GET', '/console/session', undefined, own)).body, {
    keys: 'required',
    id: 'ADMIN_KEY',
    scopes: ['admin'],
    on: null,
  })
  const signedOut = await client.send('DELETE', '/console/session', undefined, own)
  t.regex(cookieOf(signedOut.headers), /^weir_session_\d+=; .*Max-Age=0/)
})

test('without a key the session says that there has to be one; what is no key sets no cookie', async (t) => {
  const none = { keys: 'required', id: null, scopes: [], on: null }
  t.deepEqual((await client.get('/console/session')).body, none)
  const evil = { Cookie: `weir_session_${new URL(url).port}=%E0%A4%A; a`, 'Sec-Fetch-Site': 'same-origin' }
  t.deepEqual((await client.send('GET', '/console/session', undefined, evil)).body, none)
  for (const [body, status] of [
    [{ key: 'wrong' }, 401],
    [{ key: '' }, 400],
    [{ key: 5 }, 400],
    [{ key: ADMIN_KEY, scope: 'read' }, 400],
    [[], 400],
    ['x'.repeat(20_000), 413],
  ] as const) {
    const { status: got, headers } = await client.post('/console/session', body)
    t.is(got, status, JSON.stringify(body).slice(0, 40))
    t.is(cookieOf(headers), '')
  }
})

test('a page of another site signs nobody in or out; behind a proxy with TLS the cookie is for https alone', async (t) => {
  for (const headers of [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
    for (const method of ['POST', 'DELETE']) {
      const answer = await client.send(method, '/console/session', { key: ADMIN_KEY }, headers)
      t.is(answer.status, 403)
      t.is(cookieOf(answer.headers), '')
    }
  }
  const secure = await client.post('/console/session', { key: ADMIN_KEY }, { Origin: `https://${host}` })
  t.regex(cookieOf(secure.headers), /; Secure$/)
})
