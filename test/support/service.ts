import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createService } from '../../api/service.ts'
import { readConfig } from '../../infra/config.ts'
import { type Logger, silentLogger } from '../../infra/logger.ts'
import type { Decorators } from '../../infra/world.ts'
import { formsChecked } from './clickhouse/forms-checked.ts'
import { oneShard } from './clickhouse/one-shard.ts'
import { serverSettings } from './clickhouse/server-mode.ts'
import { type Client, createClient } from './requests/client.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type RunningService = {
  readonly client: Client
  readonly url: string
  readonly folder: string
  close(): Promise<void>
}

/**
 * A service in this process, on a port of its own. chDB knows one data folder a process, so a test file starts one, or
 * one after the other on the same folder.
 */
export async function startService(
  settings: Readonly<Record<string, string>> = {},
  logger: Logger = silentLogger(),
  parts?: Decorators,
): Promise<RunningService> {
  const folder = settings.DATA_DIR ?? temporaryFolder()
  const config = readConfig({
    CLICKHOUSE_HTTP_PORT: '0',
    ...(await serverSettings(folder)),
    ...settings,
    DATA_DIR: folder,
    PORT: '0',
  })
  const asked = parts?.clickhouse ?? ((part) => part)
  const onCluster = process.env.WEIR_TEST_CLUSTER === '1' ? oneShard(folder) : undefined
  const service = await createService(config, logger, {
    clickhouse: (part) => (onCluster ? asked(onCluster(part)) : formsChecked(asked(part))),
  })
  service.server.listen(0, '127.0.0.1')
  await once(service.server, 'listening')
  const { port } = service.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return { client: createClient(url), url, folder, close: () => service.close() }
}
