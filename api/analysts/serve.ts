import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ServerAccountDeps } from '../../infra/clickhouse/analysts/server-account.ts'
import type { ServerAnalystsOptions } from '../../infra/clickhouse/analysts/server-analysts.ts'
import type { SqlRunner } from '../../infra/clickhouse/analysts/sql-runner.ts'
import { exception } from '../../infra/clickhouse/exceptions.ts'
import type { Config } from '../../infra/config.ts'
import { createClickHouseListener, type ListenerDeps } from './listener.ts'

const usualPort = 18123
const bodyLimit = 4 * 1024 * 1024

export type AnalystsDeps = Pick<ListenerDeps, 'logger' | 'bodies' | 'browsers' | 'gate'> & {
  /** Absent where ClickHouse is embedded. */
  readonly server?: Pick<ServerAccountDeps, 'password' | 'databases'> & Pick<ServerAnalystsOptions, 'clickhouse'>
}
export type Analysts = {
  readonly runner: SqlRunner
  /** Absent where no port is open for analysts. */
  readonly url?: string
  readonly port?: number
  /** The reason why a ClickHouse server runs no statements; undefined where it does. */
  readonly missing?: () => string | undefined
  close(): Promise<void>
}

/**
 * Answers analysts over embedded ClickHouse, at a port of its own. A ClickHouse server has a port of its own: there
 * statements come by the API alone.
 */
export async function openAnalysts(
  config: Config,
  deps: AnalystsDeps,
  prepared: (runner: SqlRunner) => SqlRunner,
): Promise<Analysts | undefined> {
  const { logger, bodies, browsers, gate } = deps
  const wanted = config.CLICKHOUSE_HTTP_PORT
  if (config.ROLE === 'worker') return undefined
  if (config.CLICKHOUSE_URL !== undefined) return overServer(config.CLICKHOUSE_URL, config, deps, prepared)
  const pipes = join(config.DATA_DIR, 'answers')
  await rm(pipes, { recursive: true, force: true }) // Pipes of a process that was killed.
  const opened = openedWhenAsked(async () => {
    const { createAnalysts } = await import('../../infra/clickhouse/analysts/analysts.ts')
    return createAnalysts({ path: join(config.DATA_DIR, 'clickhouse'), pipes })
  })
  const runner = prepared(opened)
  if (wanted === 0) return { runner, close: runner.close }
  await opened.open()
  const server = createClickHouseListener({
    runner,
    logger,
    bodies,
    bodyLimit,
    ...(browsers && { browsers }),
    ...(gate && { gate }),
  })
  try {
    await listen(server, wanted ?? usualPort, config.HOST)
  } catch (error) {
    if (wanted !== undefined) {
      await runner.close()
      throw new Error(`CLICKHOUSE_HTTP_PORT: cannot listen on ${wanted}`, { cause: error })
    }
    logger.warn({ port: usualPort }, 'no port for analysts: it is taken; CLICKHOUSE_HTTP_PORT chooses another')
    return { runner, close: runner.close }
  }
  const { address, port, family } = server.address() as AddressInfo
  const analysts = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  logger.info({ analysts }, 'SQL for analysts')
  return {
    runner,
    url: analysts,
    port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      await runner.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A cluster's own statements about users would need to run on each node: analysts ask a cluster itself. */
async function overServer(
  url: string,
  { MAX_QUERIES: queries, CLICKHOUSE_CLUSTER: cluster }: Config,
  { server, logger }: AnalystsDeps,
  prepared: (runner: SqlRunner) => SqlRunner,
): Promise<Analysts | undefined> {
  if (cluster !== undefined || server === undefined) return undefined
  const { createServerAccount } = await import('../../infra/clickhouse/analysts/server-account.ts')
  const { createServerAnalysts } = await import('../../infra/clickhouse/analysts/server-analysts.ts')
  const account = createServerAccount({ ...server, url })
  const runner = prepared(createServerAnalysts({ url, account, clickhouse: server.clickhouse, queries }))
  account.ready().catch((error: unknown) => {
    logger.warn({ reason: account.missing() ?? String(error) }, 'SQL of analysts is not answered')
  })
  return { runner, missing: account.missing, close: runner.close }
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}

/** A runner that is opened for the first statement: most services without a port for analysts never have one. */
function openedWhenAsked(make: () => Promise<SqlRunner>): SqlRunner & { open(): Promise<SqlRunner> } {
  let opened: Promise<SqlRunner> | undefined
  let isClosed = false

  async function open(): Promise<SqlRunner> {
    if (isClosed) throw exception(210, 'NETWORK_ERROR', 'the service is stopping')
    opened ??= make().catch((error: unknown) => {
      opened = undefined // The next statement tries again.
      throw error
    })
    return opened
  }

  return {
    open,
    query: async (query, signal) => (await open()).query(query, signal),
    timezone: async () => (await open()).timezone(),
    version: async () => (await open()).version(),
    async close() {
      isClosed = true
      await (await opened?.catch(() => undefined))?.close()
    },
  }
}
