import { type Lag, watch } from '../kafka/lag.ts'
import { median } from '../quantile.ts'
import { type Settings, startService } from '../service.ts'
import type { Size } from '../size.ts'
import { startEcho } from './echo.ts'
import type { Load, Loader, LoadResult } from './load.ts'
import type { Workload } from './workload.ts'

export const connections = 64

export const rate = (results: readonly LoadResult[]): number =>
  median(results.map((each) => each.requests / each.seconds))

export type Rounds = { readonly weir: LoadResult[]; readonly echo: LoadResult[]; readonly lags: Lag[] }

/** Single events, in rounds in turn with an echo after a warm-up, so that what else the machine does meets both. */
export async function measureRounds(
  folder: string,
  loader: Loader,
  { schemaBody, path, event }: Workload,
  { rounds, seconds }: Size,
  settings: Settings = {},
): Promise<Rounds> {
  const bodies = Array.from({ length: 1_000 }, (_, i) => JSON.stringify(event(i)))
  const echo = await startEcho()
  const service = await startService(folder, settings)
  await service.register(schemaBody)
  const run = (port: number) =>
    loader.run({
      port,
      path: `/stream/${path}`,
      contentType: 'application/json',
      bodies,
      connections,
      until: { seconds },
    } satisfies Load)

  const found = { weir: [] as LoadResult[], echo: [] as LoadResult[], lags: [] as Lag[] }
  await run(echo.port)
  let events = (await run(service.port)).requests
  for (let round = 0; round < rounds; round++) {
    found.echo.push(await run(echo.port))
    const watched = watch(service)
    const result = await run(service.port)
    found.weir.push(result)
    found.lags.push(await watched.end())
    events += result.requests
  }
  await service.holds(path, events)
  await service.close()
  await echo.close()
  return found
}
