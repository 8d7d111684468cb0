import { postBatches } from '../load/batches.ts'
import type { Loader } from '../load/load.ts'
import type { Workload } from '../load/workload.ts'
import { type Settings, startService } from '../service.ts'
import type { Size } from '../size.ts'

/** Rates a second of each stream, until all events and all rows that were made of them can be queried. */
export type BatchRound = { readonly rate: number; readonly acknowledged: number; readonly lags_ms: readonly number[] }

export const rateOf = (rounds: readonly BatchRound[]): number[] => rounds.map(({ rate }) => rate)

/** A service that takes NDJSON of one schema, round by round: each loader into a stream of its own. */
export async function openBatches(
  folder: string,
  streams: readonly { readonly loader: Loader; readonly workload: Workload }[],
  { batch, restSeconds }: Size,
  settings: Settings = {},
) {
  const service = await startService(folder, settings)
  const [first] = streams
  if (first) await service.register(first.workload.schemaBody)
  let posted = 0
  return {
    service,
    async round(): Promise<BatchRound> {
      const started = performance.now()
      const found = await Promise.all(
        streams.map(({ loader, workload }) => postBatches(loader, service, workload, posted, batch)),
      )
      posted += batch
      await service.fed()
      const seconds = (performance.now() - started) / 1000
      await service.rests(restSeconds)
      return {
        rate: batch / seconds,
        acknowledged: Math.min(...found.map(({ acknowledged }) => acknowledged)),
        lags_ms: found.flatMap(({ lag }) => lag.lags_ms),
      }
    },
    close: service.close,
  }
}
