import { once } from 'node:events'
import { writeSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { doubtsAbout, readConfig } from '../infra/config.ts'
import { createLogger } from '../infra/logger.ts'
import { onStop } from '../infra/stop.ts'
import { greeting } from './greeting.ts'
import { createHttpServer } from './http/server.ts'
import { createService } from './service.ts'

/** The process: settings from the environment, one service, and its end. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const logger = createLogger(config.LOG_LEVEL)
  for (const doubt of doubtsAbout(process.env)) logger.warn(doubt)
  const started = performance.now()
  const http = createHttpServer(config)
  http.server.listen(config.PORT, config.HOST)
  await once(http.server, 'listening')
  const { address, port, family } = http.server.address() as AddressInfo
  logger.info({ address, port }, 'listening, not ready')
  const service = await createService(config, logger, undefined, http)
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  logger.info({ url, took_ms: Math.round(performance.now() - started) }, 'weir is ready')
  if (config.ROLE !== 'worker')
    print(greeting(config, { url, analysts: service.analysts, command: process.env.WEIR_COMMAND }))
  onStop(logger, service.close)
}

/** Standard output may be closed, or a pipe without a reader: the service goes on without it. */
function print(text: string): void {
  try {
    writeSync(process.stdout.fd, text)
  } catch {}
}

main().catch((error: unknown) => {
  process.stderr.write(`weir cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
