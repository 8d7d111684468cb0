import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { readConfig } from '../infra/config.ts'
import { createLogger } from '../infra/logger.ts'
import { onStop } from '../infra/stop.ts'
import { createHttpServer } from './http/server.ts'
import { createService } from './service.ts'

/** The process: settings from the environment, one service, and its end. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const logger = createLogger(config.LOG_LEVEL)
  const started = performance.now()
  const http = createHttpServer()
  http.server.listen(config.PORT, config.HOST)
  await once(http.server, 'listening')
  const { address, port, family } = http.server.address() as AddressInfo
  logger.info({ address, port }, 'listening, not ready')
  const service = await createService(config, logger, undefined, http)
  const host = family === 'IPv6' ? `[${address}]` : address
  logger.info({ url: `http://${host}:${port}`, took_ms: Math.round(performance.now() - started) }, 'weir is ready')
  onStop(logger, service.close)
}

main().catch((error: unknown) => {
  process.stderr.write(`weir cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
