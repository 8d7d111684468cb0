import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createClickHouseListener } from '../../../api/analysts/listener.ts'
import { openAnalysts } from '../../../api/analysts/serve.ts'
import type { SqlRunner } from '../../../infra/clickhouse/analysts/sql-runner.ts'
import { ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { emptySummary } from '../../../infra/clickhouse/wire/whole-answer.ts'
import { readConfig } from '../../../infra/config.ts'
import { createBodyBudget } from '../../../infra/limits/body-budget.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { rawRequest } from '../../support/requests/raw-request.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const bodies = createBodyBudget(64 * 1024 * 1024)

async function* lines(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('1\n')
}
const runner: SqlRunner = {
  query: async () => ({ format: 'TSV', output: lines(), summary: () => emptySummary, cancel: () => {} }),
  timezone: async () => 'UTC',
  version: async () => '26.7.2.1',
  close: async () => {},
}

async function listen(t: ExecutionContext, own: Partial<SqlRunner>): Promise<{ url: string; errors: string[] }> {
  const errors: string[] = []
  const logger = Object.assign(silentLogger(), { error: (_: unknown, message: string) => errors.push(message) })
  const server = createClickHouseListener({ runner: { ...runner, ...own }, logger, bodies, bodyLimit: 1024 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, errors }
}

test('a time zone that could not be asked for is asked for again', async (t) => {
  let asked = 0
  const { url } = await listen(t, {
    timezone: async () => {
      if (asked++ === 0) throw new ClickHouseError(210, 'away')
      return 'UTC'
    },
  })
  t.is((await fetch(`${url}/?query=SELECT+1`)).status, 503)
  const second = await fetch(`${url}/?query=SELECT+1`)
  t.deepEqual([second.status, second.headers.get('x-clickhouse-timezone')], [200, 'UTC'])
})

test('what nobody foresaw is an error in the log, a refusal is none', async (t) => {
  const unforeseen = await listen(t, { query: () => Promise.reject(new TypeError('no such thing')) })
  await fetch(`${unforeseen.url}/?query=SELECT+1`)
  t.deepEqual(unforeseen.errors, ['analyst query failed'])
  const refused = await listen(t, { query: () => Promise.reject(new ClickHouseError(62, 'Code: 62. no')) })
  await fetch(`${refused.url}/?query=SELECT+1`)
  t.deepEqual(refused.errors, [])
})

test('an address that is none is refused, one with two slashes is not there, another method is told which', async (t) => {
  const { url, errors } = await listen(t, {})
  for (const [line, status] of [
    ['GET http://[', 400],
    ['GET //', 404],
    ['GET //[', 404],
    ['POST ///ping', 404],
  ] as const) {
    const answer = await rawRequest(url, [`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
    t.regex(
      answer,
      new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*Code: ${status === 400 ? 36 : 404}\\. DB::Exception`),
      line,
    )
  }
  t.deepEqual(errors, [])
  const other = await fetch(url, { method: 'DELETE' })
  t.deepEqual([other.status, other.headers.get('allow')], [405, 'GET, HEAD, POST'])
})

test('a coding is taken by its weight, and never with weight 0', async (t) => {
  const { url } = await listen(t, {})
  const cases: [accepted: string, coding: string | null][] = [
    ['gzip;q=0', null],
    ['gzip;q=0, br;q=0.5', 'br'],
    ['gzip; q=0.2, deflate; q=0.8', 'deflate'],
    ['GZIP', 'gzip'],
    ['zstd, identity', null],
  ]
  for (const [accepted, coding] of cases) {
    const headers = { 'accept-encoding': accepted }
    const answer = await fetch(`${url}/?query=SELECT+1&enable_http_compression=1`, { headers })
    t.is(answer.headers.get('content-encoding'), coding, accepted)
    t.is(await answer.text(), '1\n')
  }
})

test('what a killed process left of answers is gone after a start', async (t) => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'answers', 'answers-old'), { recursive: true })
  writeFileSync(join(folder, 'answers', 'answers-old', '0'), '')
  const config = readConfig({ DATA_DIR: folder, CLICKHOUSE_HTTP_PORT: '' })
  const started = await openAnalysts(config, { logger: silentLogger(), bodies }, (own) => own)
  t.false(existsSync(join(folder, 'answers', 'answers-old')))
  await started?.close()
  if (started) t.deepEqual(readdirSync(join(folder, 'answers')), [])
})
