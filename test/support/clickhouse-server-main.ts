import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createClickHouseListener } from '../../api/analysts/listener.ts'
import { createLogger } from '../../infra/logger.ts'
import { createTrustedRunner } from './clickhouse-server-runner.ts'

/** The process behind `startTestClickHouse`: the analysts' listener with writing allowed, over a folder of its own. */
async function main(): Promise<void> {
  const { FOLDER = '', PORT = '0', CLICKHOUSE_USER = 'default', CLICKHOUSE_PASSWORD = '' } = process.env
  mkdirSync(FOLDER, { recursive: true })
  const runner = createTrustedRunner(FOLDER)
  const server = createClickHouseListener({
    runner,
    logger: createLogger(process.env.LOG_LEVEL ?? 'warn'),
    bodyLimit: 2 ** 30,
    admits: ({ user, password }) => user === CLICKHOUSE_USER && password === CLICKHOUSE_PASSWORD,
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

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})
