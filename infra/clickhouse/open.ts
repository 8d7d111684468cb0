import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import { carry, type Tracing } from '../tracing/tracing.ts'
import { createClusterClickHouse } from './cluster.ts'
import type { PauseWrites } from './embedded/client.ts'
import { createServerClickHouse } from './server/client.ts'
import { createPatient, type Patient } from './server/patient.ts'

export type OpenedClickHouse = Patient & {
  /** How many of clients' it runs at a time. */
  readonly queries: number
  /** Pauses writes; absent where ClickHouse is a server. */
  readonly still?: PauseWrites
}

/** ClickHouse as the settings say. A server that is away is waited for until the start is over. */
export async function openClickHouse(config: Config, logger: Logger, tracing?: Tracing): Promise<OpenedClickHouse> {
  const { CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: cluster, MAX_QUERIES: wanted } = config
  if (url !== undefined) {
    const server = createServerClickHouse({
      url,
      queries: wanted,
      isCluster: cluster !== undefined,
      ...(tracing && { headers: carry }),
    })
    const patient = createPatient(cluster === undefined ? server : createClusterClickHouse(server, cluster), logger)
    return { ...patient, queries: wanted }
  }
  // The engine is half a gigabyte: where a server is set it need not even be installed.
  const { affordableQueries, createEmbeddedClickHouse } = await import('./embedded/client.ts')
  const queries = affordableQueries(wanted)
  if (queries < wanted) {
    logger.warn(
      { queries, MAX_QUERIES: wanted },
      'fewer queries run at a time: UV_THREADPOOL_SIZE has no thread for more',
    )
  }
  const embedded = createEmbeddedClickHouse({
    path: join(config.DATA_DIR, 'clickhouse'),
    queries,
    cacheMb: config.CACHE_MB,
  })
  return { clickhouse: embedded, failFast: () => {}, queries, still: embedded.still }
}
