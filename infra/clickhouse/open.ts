import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import { createClusterClickHouse } from './cluster.ts'
import { createPatient, type Patient } from './patient.ts'
import { createServerClickHouse } from './server.ts'

/** ClickHouse as the settings say. A server that is away is waited for until the start is over. */
export async function openClickHouse(config: Config, logger: Logger): Promise<Patient> {
  const { CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: cluster } = config
  if (url !== undefined) {
    const server = createServerClickHouse({ url, isCluster: cluster !== undefined })
    return createPatient(cluster === undefined ? server : createClusterClickHouse(server, cluster), logger)
  }
  // The engine is half a gigabyte: where a server is set it need not even be installed.
  const { createEmbeddedClickHouse } = await import('./embedded.ts')
  const embedded = createEmbeddedClickHouse({
    path: join(config.DATA_DIR, 'clickhouse'),
    cacheMb: config.CACHE_MB,
  })
  return { clickhouse: embedded, hurry: () => {} }
}
