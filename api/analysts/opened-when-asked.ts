import type { SqlRunner } from '../../infra/clickhouse/analysts/sql-runner.ts'
import { exception } from '../../infra/clickhouse/exceptions.ts'

/** A runner that is opened for the first statement: most services without a port for analysts never have one. */
export function openedWhenAsked(make: () => Promise<SqlRunner>): SqlRunner & { open(): Promise<SqlRunner> } {
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
