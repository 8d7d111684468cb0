/** Pages of other origins, where keys are on. */
import test from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { plainRequest } from '../../support/requests/plain-request.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const port = await freePort()
const service = await startService({
  ...{ API_KEYS: 'require', ADMIN_KEY, RATE_LIMIT: '20', CORS_ORIGINS: '*' },
  CLICKHOUSE_HTTP_PORT: String(port),
})
test.after.always(service.close)

const Origin = 'https://app.example.org'
const preflight = { Origin, 'Access-Control-Request-Method': 'POST' }

for (const [door, url] of [
  ['the API', service.url],
  ["the analysts' port", `http://127.0.0.1:${port}`],
] as const) {
  test.serial(`a preflight at ${door} needs no key, and allows what the page asks to send`, async (t) => {
    const asked = 'X-ClickHouse-Database, x-shop-api-key, not a name, content-type'
    const headers = { ...preflight, 'Access-Control-Request-Headers': asked }
    const answer = await until('a turn of the address', async () => {
      const answered = await plainRequest(url, '/stream/s/e', { method: 'OPTIONS', headers })
      return answered.status === 429 ? undefined : answered
    })
    t.is(answer.status, 204)
    t.is(answer.bytes.length, 0)
    t.is(answer.headers['access-control-allow-origin'], '*')
    t.is(answer.headers['access-control-allow-methods'], 'GET, HEAD, POST, PUT, DELETE')
    t.is(answer.headers['access-control-max-age'], '86400')
    const allowed = String(answer.headers['access-control-allow-headers']).split(', ')
    for (const name of [
      'content-type',
      'authorization',
      'x-api-key',
      'idempotency-key',
      'x-clickhouse-database',
      'x-shop-api-key',
    ])
      t.true(allowed.includes(name), name)
    t.false(allowed.some((name) => name.includes(' ')))
    t.is(new Set(allowed).size, allowed.length)
  })

  test.serial(`preflights of an address at ${door} are bounded, and the refusal can be read`, async (t) => {
    for (let tries = 0; ; tries++) {
      const answer = await plainRequest(url, '/', { method: 'OPTIONS', headers: preflight })
      if (answer.status === 204 && tries < 1000) continue
      t.is(answer.status, 429)
      t.is(answer.headers['access-control-allow-origin'], '*')
      t.regex(String(answer.headers['access-control-expose-headers']), /Retry-After/)
      t.truthy(answer.headers['retry-after'])
      break
    }
  })
}

test.serial('a page can read refusals and answers alike; a key is asked for as ever', async (t) => {
  const key = { 'x-api-key': ADMIN_KEY }
  const rows: readonly (readonly [method: string, path: string, headers: Record<string, string>, status: number])[] = [
    ['GET', '/stream/list', key, 200],
    ['GET', '/stream/list', { 'x-api-key': 'wrong' }, 401],
    ['GET', '/stream/none/schema', key, 404],
    ['PATCH', '/stream/list', key, 405],
    ['POST', '/stream', key, 400],
    ['GET', '/health/ready', {}, 200],
    ['OPTIONS', '/stream', key, 405],
  ]
  for (const [method, path, headers, status] of rows) {
    for (;;) {
      const answer = await plainRequest(service.url, path, {
        method,
        headers: { ...headers, Origin, Host: 'behind.example', 'Sec-Fetch-Site': 'cross-site' },
      })
      t.is(answer.headers['access-control-allow-origin'], '*', path)
      t.is(answer.headers.vary, 'Origin')
      t.is(answer.headers['access-control-allow-credentials'], undefined)
      if (answer.status === 429) continue
      t.is(answer.status, status, path)
      break
    }
  }
})
