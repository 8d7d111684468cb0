import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import test from 'ava'
import { createHttpServer } from '../../../api/http/server.ts'
import { rawRequest } from '../../support/requests/raw-request.ts'
import { startService } from '../../support/service.ts'

const { client, url, close } = await startService()
test.after.always(close)

const requests: readonly (readonly [what: string, text: string, status: number, said: RegExp])[] = [
  ['no HTTP', 'hello\r\n\r\n', 400, /no HTTP request/],
  [
    'two lengths',
    'POST /db HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    /no HTTP request/,
  ],
  [
    'an address that is none',
    'GET http://[ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    400,
    /cannot be read/,
  ],
  ['a request without Host', 'GET /db HTTP/1.1\r\nConnection: close\r\n\r\n', 400, /Host is missing/],
  ['a proxy', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 400, /no proxy/],
  ['an expectation', 'GET /db HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n\r\n', 417, /100-continue, not tea/],
  ['a key that goes into no address', `GET /db/mydb/t?key=${'k'.repeat(20_000)} HTTP/1.1\r\n`, 431, /at most 16 KB/],
]

test('HTTP/1.0 knows no Host, and needs none', async (t) => {
  t.regex(await rawRequest(url, ['GET /health/live HTTP/1.0\r\n\r\n']), /^HTTP\/1\.1 200 /)
})

/** Asks for a tunnel, and neither closes nor reads on once the refusal is there. */
async function tunnel(at: string): Promise<Socket> {
  const { hostname, port } = new URL(at)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).on('error', () => {})
  socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')
  await once(socket, 'data')
  return socket
}

test('a client that is refused a tunnel and breaks off ends nothing but its connection', async (t) => {
  const socket = await tunnel(url)
  socket.resetAndDestroy()
  await once(socket, 'close')
  t.regex(await rawRequest(url, ['GET /health/live HTTP/1.0\r\n\r\n']), / 200 /)
})

test('a client that is refused a tunnel and stays keeps no service from its end', async (t) => {
  const { server, close } = createHttpServer({ CORS_ORIGINS: [] })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = await tunnel(`http://127.0.0.1:${port}`)
  t.teardown(() => {
    socket.destroy()
  })
  await close()
  t.false(server.listening)
})

test('a body that is longer than it says is answered for what it said, and then refused for the rest', async (t) => {
  const attr = [{ name: 'id', type: 'LONG' }]
  await client.register({ schema: 'longer', streams: [{ name: 'st', type: 1, swsz: 0, attr }] })
  const lines = ['{"id":1}\n', '{"id":2}\n', '{"id":3}\n']
  const length = lines.slice(0, 2).join('').length
  const head = `POST /stream/longer/st HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${length}`
  const said = await rawRequest(url, [`${head}\r\n\r\n${lines.join('')}`])
  t.deepEqual(
    [...said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ['200', '400'],
  )
  t.regex(said, /"accepted":2,"rejected":0/)
  t.is(await client.count('select count(*) from longer.st'), 2)
})

for (const [what, text, status, said] of requests) {
  test(`what Node itself refuses has a reason: ${what}`, async (t) => {
    const [head = '', body = ''] = (await rawRequest(url, [text])).split('\r\n\r\n')
    t.regex(head, new RegExp(`^HTTP/1\\.1 ${status} `))
    const answer = JSON.parse(body)
    t.is(answer.errcode, -1)
    t.regex(answer.error[0], said)
  })
}
