import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createAccounts } from './accounts.ts'
import { createEngine } from './engine.ts'
import { createFaults, type Fault } from './faults.ts'
import { createListener } from './listener.ts'
import { createQuota, type Quota } from './quota.ts'

export type Order =
  | { readonly add: Fault }
  | { readonly quota: Quota | null }
  | { readonly do: 'clear' | 'close idle' | 'count' }

/** As a server's default profile, where the client says nothing else. */
const profile = ['--max_query_size=268435456', '--max_ast_elements=1000000']

const numberOf = (text: string | undefined): number | undefined => (text ? Number(text) : undefined)

/** The process behind `startTestClickHouse`. It uses nothing of Weir. */
async function main(): Promise<void> {
  const { FOLDER = '', PORT, CLICKHOUSE_USER = 'default', CLICKHOUSE_PASSWORD = '', PROFILE } = process.env
  mkdirSync(FOLDER, { recursive: true })
  const accounts = createAccounts({ user: CLICKHOUSE_USER, password: CLICKHOUSE_PASSWORD })
  const settings = [...profile, ...(PROFILE ? PROFILE.split(' ') : [])]
  const engine = createEngine(FOLDER, settings, process.env.ACCOUNTS === '1' ? accounts : undefined)
  const faults = createFaults()
  const quota = createQuota(CLICKHOUSE_USER)
  const server = createListener({
    engine,
    faults,
    quota,
    accounts,
    timezone: await engine.timezone(),
    keepAlive_ms: numberOf(process.env.KEEP_ALIVE_MS) ?? 10_000,
    maxQueries: numberOf(process.env.MOST_QUERIES) ?? 1000,
    progress_ms: numberOf(process.env.PROGRESS_MS),
  })
  server.listen(numberOf(PORT) ?? 0, '127.0.0.1')
  await once(server, 'listening')

  process.on('message', (order: Order) => {
    if ('add' in order) faults.add(order.add)
    else if ('quota' in order) quota.set(order.quota ?? undefined)
    else if (order.do === 'clear') faults.clear()
    else if (order.do === 'close idle') server.closeIdleConnections()
    process.send?.({ met: faults.met() + quota.refused(), granted: accounts.granted() })
  })
  // The test that started this process has ended.
  process.on('disconnect', () => process.exit(1))
  process.on('SIGTERM', () => {
    server.close()
    server.closeAllConnections()
    engine.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  })
  process.stdout.write(`ready on ${(server.address() as AddressInfo).port}\n`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})
