import { batchBodies, postBodies } from '../load/batches.ts'
import type { Loader } from '../load/load.ts'
import type { Workload } from '../load/workload.ts'
import { type ServiceProcess, type Settings, startService } from '../service.ts'
import type { Size } from '../size.ts'

/** Rates a second of each stream, until all events and all rows that were made of them can be queried. */
export type BatchRound = { readonly rate: number; readonly acknowledged: number; readonly lags_ms: readonly number[] }

export const rateOf = (rounds: readonly BatchRound[]): number[] => rounds.map(({ rate }) => rate)

/** A service that takes NDJSON of one schema, round by round: each loader into a stream of its own. */
export async function openBatches(
  folder: string,
  streams: readonly { readonly loader: Loader; readonly workload: Workload }[],
  { batch, events, restSeconds }: Size,
  settings: Settings = {},
  prepare: (service: ServiceProcess) => Promise<void> = async () => {},
) {
  const service = await startService(folder, settings)
  await prepare(service)
  const [first] = streams
  if (first) await service.register(first.workload.schemaBody)
  let posted = 0
  async function post(count: number): Promise<BatchRound> {
    const bodies = streams.map(({ workload }) => batchBodies(workload, posted, count))
    posted += count
    const found = await Promise.all(
      streams.map(({ loader, workload }, i) =>
        postBodies(loader, service, workload, bodies[i] ?? [], async () => {
          await service.holds(workload.path, posted)
          await service.fed()
        }),
      ),
    )
    await service.rests(restSeconds)
    return {
      rate: Math.min(...found.map(({ rate }) => rate)),
      acknowledged: Math.min(...found.map(({ acknowledged }) => acknowledged)),
      lags_ms: found.flatMap(({ lag }) => lag.lags_ms),
    }
  }
  return {
    service,
    round: () => post(batch),
    /** So many events that work put off until a rest cannot wait for it. */
    sustained: () => post(events),
    close: service.close,
  }
}
