import { type Lag, watch } from '../kafka/lag.ts'
import { type Settings, startService } from '../service.ts'
import type { Size } from '../size.ts'
import { inTurn } from '../turns.ts'
import { startEcho } from './echo.ts'
import type { Load, Loader, LoadResult } from './load.ts'
import type { Workload } from './workload.ts'

export const connections = 64

export const rates = (results: readonly LoadResult[]): number[] =>
  results.map(({ requests, seconds }) => requests / seconds)

export type Rounds = { readonly weir: LoadResult[]; readonly echo: LoadResult[]; readonly lags: Lag[] }

/** Single events, in rounds in turn with an echo, for which Weir comes to rest. */
export async function measureRounds(
  folder: string,
  loader: Loader,
  workload: Workload,
  size: Size,
  settings: Settings = {},
): Promise<Rounds> {
  const echo = await startEcho()
  const service = await openSingleEvents(folder, loader, workload, size, settings)
  const { weir, bare } = await inTurn(size.rounds, {
    bare: async () => ({ result: await loader.run(loadOf(workload, echo.port, size.seconds)), lag: undefined }),
    async weir() {
      const { result, lag } = await service.round()
      return { result, lag }
    },
  })
  await service.close()
  await echo.close()
  return {
    weir: weir.map(({ result }) => result),
    echo: bare.map(({ result }) => result),
    lags: weir.flatMap(({ lag }) => lag ?? []),
  }
}

/** A round of single events; `cpu_us` is what the service took for an event. */
export type Round = { readonly result: LoadResult; readonly lag: Lag | undefined; readonly cpu_us: number }

/** A service that takes single events of a workload, round by round, and rests between them. */
export async function openSingleEvents(
  folder: string,
  loader: Loader,
  workload: Workload,
  { seconds, restSeconds }: Size,
  settings: Settings = {},
) {
  const service = await startService(folder, settings)
  await service.register(workload.schemaBody)
  let events = 0
  return {
    async round(): Promise<Round> {
      const watched = watch(service)
      const before = service.cpuSeconds()
      const result = await loader.run(loadOf(workload, service.port, seconds))
      const cpu_us = ((service.cpuSeconds() - before) * 1e6) / result.requests
      const lag = await watched.end()
      events += result.requests
      await service.holds(workload.path, events)
      await service.rests(restSeconds)
      return { result, lag, cpu_us }
    },
    port: service.port,
    close: service.close,
  }
}

const loadOf = ({ path, event }: Workload, port: number, seconds: number): Load => ({
  port,
  path: `/stream/${path}`,
  contentType: 'application/json',
  bodies: Array.from({ length: 1_000 }, (_, i) => JSON.stringify(event(i))),
  connections,
  until: { seconds },
})
