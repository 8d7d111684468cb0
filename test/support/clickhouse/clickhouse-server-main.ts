import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { refused } from '../../../api/analysts/body.ts'
import { shownPasswords } from '../../../api/analysts/gate.ts'
import { createClickHouseListener } from '../../../api/analysts/listener.ts'
import { createBodyBudget } from '../../../api/decode/bodies/body-budget.ts'
import { createLogger } from '../../../infra/logger.ts'
import { createTrustedRunner } from './clickhouse-server-runner.ts'

/** The process behind `startTestClickHouse`: the analysts' listener with writing allowed, over a folder of its own. */
async function main(): Promise<void> {
  const { FOLDER = '', PORT = '0', CLICKHOUSE_USER = 'default', CLICKHOUSE_PASSWORD = '' } = process.env
  mkdirSync(FOLDER, { recursive: true })
  const runner = createTrustedRunner(FOLDER)
  const server = createClickHouseListener({
    runner,
    logger: createLogger(process.env.LOG_LEVEL ?? 'warn'),
    bodies: createBodyBudget(2 ** 30),
    bodyLimit: 2 ** 30,
    gate: async (request, url) => {
      const shown = shownPasswords(request, url)
      const isRight = CLICKHOUSE_PASSWORD === '' ? shown.length === 0 : shown.includes(CLICKHOUSE_PASSWORD)
      if (isRight && userOf(request, url) === CLICKHOUSE_USER) return undefined
      throw refused(516, 'Authentication failed: password is incorrect', 'AUTHENTICATION_FAILED')
    },
  })
  server.listen(Number(PORT), '127.0.0.1')
  await once(server, 'listening')
  process.stdout.write(`ready on ${(server.address() as AddressInfo).port}\n`)
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1)
  }, 1000).unref()
  process.on('SIGTERM', () => {
    server.close()
    server.closeAllConnections()
    runner.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  })
}

function userOf(request: IncomingMessage, url: URL): string {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (basic !== undefined) return Buffer.from(basic, 'base64').toString('utf8').split(':')[0] ?? ''
  return String(request.headers['x-clickhouse-user'] ?? url.searchParams.get('user') ?? 'default')
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})
