import { statfs } from 'node:fs/promises'
import { machineMemory } from '../../base/memory.ts'
import type { Config } from '../../infra/config.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { Health } from './health.ts'

export type FiguresDeps = {
  readonly config: Pick<Config, 'DATA_DIR'>
  readonly metrics: Pick<Metrics, 'registry' | 'eventsAccepted' | 'eventsRefused' | 'eventsRejected'>
  readonly health: Pick<Health, 'delivery'>
}

const maxStreams = 20

/** The figures of this process that a person watches; counts are those since its start. */
export function createFigures({ config, metrics, health }: FiguresDeps) {
  const started = Math.round((Date.now() - process.uptime() * 1000) * 1000)

  return async () => {
    const [accepted, refused, rejected] = await Promise.all(
      [metrics.eventsAccepted, metrics.eventsRefused, metrics.eventsRejected].map(async (counter) =>
        (await counter.get()).values.map(({ labels, value }) => ({ stream: labels.stream ?? '', events: value })),
      ),
    )
    const live = await metrics.registry.getSingleMetric('weir_live_readers')?.get()
    const { rss, heapUsed } = process.memoryUsage()
    const { bavail, blocks, bsize } = await statfs(config.DATA_DIR)
    return {
      started,
      now: Date.now() * 1000,
      events: { accepted: sum(accepted), refused: sum(refused), rejected: sum(rejected) },
      busiest: largest(accepted),
      refused: largest(refused),
      log: health.delivery(),
      live_readers: live?.values[0]?.value ?? 0,
      memory: { used_bytes: rss, heap_bytes: heapUsed, total_bytes: machineMemory() },
      disk: { free_bytes: bavail * bsize, total_bytes: blocks * bsize },
    }
  }
}

type Counted = readonly { readonly stream: string | number; readonly events: number }[]

const sum = (counted: Counted = []): number => counted.reduce((total, { events }) => total + events, 0)

/** The streams with the most events, in descending order; streams without events are left out. */
const largest = (counted: Counted = []) =>
  counted
    .filter(({ events }) => events > 0)
    .toSorted((a, b) => b.events - a.events)
    .slice(0, maxStreams)
    .map(({ stream, events }) => ({ stream: String(stream), events }))

export type Figures = ReturnType<typeof createFigures>
