import { createLmdbLog } from '../../infra/log/embedded/log.ts'
import { order } from '../load/workload.ts'
import type { Latency } from '../peer/peer.ts'
import { quantile } from '../quantile.ts'

const line = `${JSON.stringify(order(1))}\n`

/** How long one append to the embedded log takes on this disk, one after the other. */
export async function measureCommits(path: string, fsync: boolean, times: number): Promise<Latency> {
  const { log } = createLmdbLog({ path, maxBytes: 2 ** 30, fsync })
  const times_ms: number[] = []
  for (let i = 0; i < times; i++) {
    const started = performance.now()
    await log.append('bench.orders', Buffer.from(line), 1)
    times_ms.push(performance.now() - started)
  }
  await log.close()
  return { p50_ms: quantile(times_ms, 0.5), p99_ms: quantile(times_ms, 0.99) }
}
