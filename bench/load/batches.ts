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

/** Bodies of `count` events from `first` on. */
export const batchBodies = (workload: Workload, first: number, count: number): string[] =>
  Array.from({ length: count / eventsABody }, (_, i) => batchBody(workload, first + i * eventsABody))

export type Posted = {
  /** Until all of them can be queried. */
  readonly seconds: number
  /** Events a second until all can be queried, and until all were answered. */
  readonly rate: number
  readonly acknowledged: number
  readonly lag: Lag
}

/** Posts bodies of `batchBodies`, and waits until they are `queryable`. */
export async function postBodies(
  loader: Loader,
  service: ServiceProcess,
  workload: Workload,
  bodies: readonly string[],
  queryable: () => Promise<void>,
): Promise<Posted> {
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
  await queryable()
  const seconds = posted.seconds + (performance.now() - started) / 1000
  const count = bodies.length * eventsABody
  return { seconds, rate: count / seconds, acknowledged: count / posted.seconds, lag: await watched.end() }
}

/** Posts the events from `first` on as NDJSON. */
export const postBatches = (
  loader: Loader,
  service: ServiceProcess,
  workload: Workload,
  first: number,
  count: number,
): Promise<Posted> =>
  postBodies(loader, service, workload, batchBodies(workload, first, count), () =>
    service.holds(workload.path, first + count),
  )
