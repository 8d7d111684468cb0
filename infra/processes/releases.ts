import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'
import type { Logger } from '../logger.ts'
import { isLiving } from './processes.ts'

const pause_ms = 500
/** After this time a waiting start logs again the processes that it waits for. */
const reminder_ms = 10_000

type Living = { readonly id: string; readonly release: string }

/**
 * Resolves once no living process on this ClickHouse is of another release of Weir: processes of two releases share no
 * tables. For the start of a process, before it brings the tables up to date.
 */
export async function waitForOtherReleases(
  clickhouse: Pick<ClickHouse, 'rows'>,
  release: string,
  logger: Logger,
): Promise<void> {
  for (let told = Number.NEGATIVE_INFINITY; ; ) {
    const others = (await living(clickhouse)).filter((other) => other.release !== release)
    if (others.length === 0) return
    if (performance.now() - told > reminder_ms) {
      told = performance.now()
      logger.warn(
        { release, others },
        'processes of another version of Weir use this ClickHouse, waiting for their end',
      )
    }
    await sleep(pause_ms)
  }
}

/** The living processes; tables of older releases do not say of which release a process is. */
async function living(clickhouse: Pick<ClickHouse, 'rows'>): Promise<Living[]> {
  const columns = await clickhouse.rows<{ name: string }>({
    text: "SELECT name FROM system.columns WHERE database = 'weir' AND table = 'processes'",
    params: {},
  })
  if (columns.length === 0) return []
  const release = columns.some(({ name }) => name === 'release') ? 'release' : "'of before'"
  return clickhouse.rows<Living>({
    text: `SELECT id, ${release} AS release FROM weir.processes FINAL WHERE is_gone = 0 AND ${isLiving} ORDER BY id`,
    params: {},
  })
}
