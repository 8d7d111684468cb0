import { join } from 'node:path'
import { measureCommits } from './commits.ts'
import { startEcho } from './echo.ts'
import { type Lag, lagFigure, watch } from './lag.ts'
import type { Load, Loader, LoadResult } from './load.ts'
import { median } from './quantile.ts'
import { type Figure, milliseconds, ratio, whole } from './report.ts'
import { startService } from './service.ts'
import type { Size } from './size.ts'
import { order } from './workload.ts'

const connections = 64
const bodies = Array.from({ length: 1_000 }, (_, i) => JSON.stringify(order(i)))

/** Parts a and f: one event a request, each answer after its commit, beside the echo. */
export async function singleEvents(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const synced = await measureCommits(join(folder, 'synced'), true, size.commits)
  const unsynced = await measureCommits(join(folder, 'unsynced'), false, size.commits)
  const { weir, echo, lags } = await measureRounds(join(folder, 'weir'), loader, size)
  const share = rate(weir) / rate(echo)
  return [
    {
      part: 'a',
      what: `single events a second, durable, ${connections} connections`,
      weir: whole(rate(weir)),
      beside: `bare Koa echo ${whole(rate(echo))}: ${ratio(share)}`,
      target: '0.5, aim 0.8',
      isMet: share >= 0.5,
    },
    {
      part: '',
      what: 'p99 of their answers',
      weir: milliseconds(p99(weir)),
      beside: `bare Koa echo ${milliseconds(p99(echo))}`,
      target: 'under 50 ms',
      isMet: p99(weir) < 50,
    },
    {
      part: '',
      what: 'share of a core that the generator took',
      weir: ratio(generator(weir)),
      beside: `for the echo ${ratio(generator(echo))}`,
      target: 'well under 1',
    },
    {
      part: '',
      what: 'an append to the log and its fsync, p50 / p99',
      weir: `${milliseconds(synced.p50_ms)} / ${milliseconds(synced.p99_ms)}`,
      beside: `fsync not awaited ${milliseconds(unsynced.p50_ms)} / ${milliseconds(unsynced.p99_ms)}`,
      target: '',
    },
    lagFigure('f', 'lag under (a)', lags),
  ]
}

const rate = (results: readonly LoadResult[]): number => median(results.map((each) => each.requests / each.seconds))
const p99 = (results: readonly LoadResult[]): number => median(results.map(({ p99_ms }) => p99_ms))
const generator = (results: readonly LoadResult[]): number => Math.max(...results.map(({ cpu }) => cpu))

/** Rounds in turn after a warm-up, so that what else the machine does meets both. */
async function measureRounds(folder: string, loader: Loader, { rounds, seconds }: Size) {
  const echo = await startEcho()
  const service = await startService(folder)
  await service.register()
  const run = (port: number) =>
    loader.run({
      port,
      path: '/stream/bench/orders',
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
  await service.holds(events)
  await service.close()
  await echo.close()
  return found
}
