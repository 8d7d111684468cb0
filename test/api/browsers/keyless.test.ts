/** Without keys nothing but these rules keeps the pages of other sites from a Weir on their reader's machine. */
import test from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { plainRequest } from '../../support/requests/plain-request.ts'
import { startService } from '../../support/service.ts'

const port = await freePort()
const service = await startService({
  ALLOWED_HOSTS: 'weir.example.org, api:18080',
  CORS_ORIGINS: 'https://app.example.org,http://localhost:3000',
  CLICKHOUSE_HTTP_PORT: String(port),
})
test.after.always(service.close)
const { client, url } = service
const analysts = `http://127.0.0.1:${port}`
const own = new URL(url).host

test.before(() =>
  client.ok(client.post('/stream', { schema: 's', streams: [{ name: 'e', type: 1, attr: [{ name: 'v', type: 9 }] }] })),
)

type Row = readonly [method: string, path: string, headers: Readonly<Record<string, string>>, status: number]

const event = ['POST', '/stream/s/e'] as const
const table: readonly Row[] = [
  // Clients that are no browsers.
  [...event, {}, 200],
  [...event, { Host: 'localhost:1' }, 200],
  [...event, { Host: 'weir.example.org' }, 200],
  [...event, { Host: 'api:18080' }, 200],
  ['GET', '/health/live', {}, 200],
  ['GET', '/graph/from_a_client/new', {}, 200],
  // Weir's own pages, and an address that a user has typed.
  [...event, { Origin: `http://${own}`, 'Sec-Fetch-Site': 'same-origin' }, 200],
  [...event, { Host: 'weir.example.org', Origin: 'https://weir.example.org', 'Sec-Fetch-Site': 'same-origin' }, 200],
  ['GET', '/docs', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }, 200],
  ['GET', '/docs/show.js', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'no-cors' }, 200],
  ['GET', '/openapi.json', { 'Sec-Fetch-Site': 'same-origin' }, 200],
  // Pages of origins that are allowed.
  [...event, { Origin: 'https://app.example.org', 'Sec-Fetch-Site': 'cross-site' }, 200],
  [...event, { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-site' }, 200],
  // Other pages: fetch, form, image, script, a name that leads here.
  [...event, { Origin: 'https://evil.example', 'Content-Type': 'text/plain' }, 403],
  [...event, { Origin: 'null' }, 403],
  [...event, { Origin: '' }, 403],
  [...event, { Origin: 'https://app.example.org.evil.example' }, 403],
  [...event, { Origin: 'http://app.example.org' }, 403],
  [...event, { Origin: 'http://localhost:3001', 'Sec-Fetch-Site': 'same-site' }, 403],
  [...event, { Origin: `ftp://${own}` }, 403],
  [...event, { Origin: `http://${own}`, 'Sec-Fetch-Site': 'cross-site' }, 403],
  [...event, { 'Sec-Fetch-Site': 'cross-site' }, 403],
  [...event, { 'Sec-Fetch-Site': 'same-site' }, 403],
  [...event, { Host: 'evil.example' }, 403],
  [...event, { Host: 'evil.example', Origin: 'http://evil.example', 'Sec-Fetch-Site': 'same-origin' }, 403],
  [...event, { Host: 'evil.example', Origin: 'https://app.example.org' }, 403],
  [...event, { Host: '203.0.113.5:18080' }, 403],
  ['GET', '/graph/from_a_page/new', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' }, 403],
  ['GET', '/graph/from_a_page/new', { Origin: 'https://evil.example' }, 403],
  ['POST', '/graph/from_a_page', { Origin: 'https://evil.example' }, 403],
  ['POST', '/db/d/query', { Origin: 'https://evil.example', 'Content-Type': 'text/plain' }, 403],
  ['DELETE', '/stream/s', { Origin: 'https://evil.example' }, 403],
  ['GET', '/', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }, 403],
  ['GET', '/', { Host: 'evil.example' }, 403],
  ['GET', '/docs', { Host: 'evil.example' }, 403],
  ['GET', '/metrics', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ['GET', '/health/ready', { Host: 'evil.example' }, 403],
  ['GET', '/no/such/path', { Origin: 'https://evil.example' }, 403],
  ['OPTIONS', '/stream/s/e', { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' }, 403],
  ['OPTIONS', '/stream/s/e', { Origin: 'https://app.example.org', 'Access-Control-Request-Method': 'POST' }, 204],
  ['OPTIONS', '/no/such/path', { Origin: 'https://app.example.org', 'Access-Control-Request-Method': 'PUT' }, 204],
  ['OPTIONS', '/stream/s/e', {}, 405],
]

for (const [method, path, headers, status] of table) {
  test.serial(`${method} ${path} ${JSON.stringify(headers)} -> ${status}`, async (t) => {
    const before = await client.ok(client.get('/stream/s/e/count'))
    const body = method === 'POST' ? Buffer.from('{"v":1}') : undefined
    const answer = await plainRequest(url, path, { method, headers, ...(body && { body }) })
    t.is(answer.status, status, answer.bytes.toString())
    t.is(answer.headers.vary, 'Origin')
    const allowed = ['https://app.example.org', 'http://localhost:3000'].find((origin) => origin === headers.Origin)
    t.is(answer.headers['access-control-allow-origin'], allowed)
    if (status !== 403) return
    const { errcode, error } = JSON.parse(answer.bytes.toString())
    t.is(errcode, -2)
    t.regex(error.join(), /ALLOWED_HOSTS|CORS_ORIGINS|open the address by itself/)
    t.deepEqual(await client.ok(client.get('/stream/s/e/count')), before, 'nothing was taken')
  })
}

test.serial('no graph was made for a page of another site', async (t) => {
  t.deepEqual((await client.ok(client.get('/graph/list'))).graphs, ['from_a_client'])
})

const atAnalysts: readonly Row[] = [
  ['POST', '/?query=SELECT+1', {}, 200],
  ['GET', '/ping', {}, 200],
  ['GET', '/?query=SELECT+1', { Host: 'weir.example.org:8123' }, 200],
  ['GET', '/?query=SELECT+1', { Origin: 'https://app.example.org', 'Sec-Fetch-Site': 'cross-site' }, 200],
  ['GET', '/?query=SELECT+nothing', { Origin: 'https://app.example.org' }, 404],
  ['OPTIONS', '/?query=SELECT+1', { Origin: 'https://app.example.org', 'Access-Control-Request-Method': 'POST' }, 204],
  ['OPTIONS', '/', { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' }, 403],
  ['POST', '/?query=SELECT+1', { Origin: 'https://evil.example' }, 403],
  ['GET', '/?query=SELECT+1', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['GET', '/?query=SELECT+1', { Host: 'evil.example' }, 403],
  ['GET', '/ping', { Host: 'evil.example' }, 403],
]

for (const [method, path, headers, status] of atAnalysts) {
  test.serial(`at the analysts' port ${method} ${path} ${JSON.stringify(headers)} -> ${status}`, async (t) => {
    const answer = await plainRequest(analysts, path, { method, headers })
    t.is(answer.status, status, answer.bytes.toString())
    t.is(answer.headers.vary, 'Origin')
    t.is(
      answer.headers['access-control-allow-origin'],
      headers.Origin === 'https://app.example.org' ? headers.Origin : undefined,
    )
    if (status === 403) t.regex(answer.bytes.toString(), /^Code: 497\. /)
    if (status === 200 && headers.Origin)
      t.regex(String(answer.headers['access-control-expose-headers']), /X-ClickHouse-Query-Id/)
  })
}
