import { type Lag, watch } from '../kafka/lag.ts'
import type { ServiceProcess } from '../service.ts'
import type { Loader } from './load.ts'
import { timeOf, type Workload } from './workload.ts'

const eventsABody = 1_000
const connections = 4

/** NDJSON of the events from `first` on. */
function batchBody({ event }: Workload, first: number): string {
  const line = (i: number): string => JSON.stringify({ _pk: timeOf(i), ...event(i) })
  return Array.from({ length: eventsABody }, (_, i) => line(first + i)).join('\n')
}

/** Posts the events from `first` on as NDJSON; `rate` is their number a second until all of them can be queried, `acknowledged` until all were answered. */
export async function postBatches(
  loader: Loader,
  service: ServiceProcess,
  workload: Workload,
  first: number,
  count: number,
): Promise<{ rate: number; acknowledged: number; lag: Lag }> {
  const bodies = Array.from({ length: count / eventsABody }, (_, i) => batchBody(workload, first + i * eventsABody))
  const watched = watch(service)
  const posted = await loader.run({
    port: service.port,
    path: `/stream/${workload.path}`,
    contentType: 'application/x-ndjson',
    bodies,
    connections,
    until: { requests: bodies.length },
  })
  const started = performance.now()
  await service.holds(workload.path, first + count)
  const seconds = posted.seconds + (performance.now() - started) / 1000
  return { rate: count / seconds, acknowledged: count / posted.seconds, lag: await watched.end() }
}
