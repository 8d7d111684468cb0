import { join } from 'node:path'
import { measureCommits } from '../ingest/commits.ts'
import { lagFigure } from '../kafka/lag.ts'
import { median } from '../quantile.ts'
import { type Figure, milliseconds, ratio, spread, whole } from '../report.ts'
import type { Size } from '../size.ts'
import type { Loader, LoadResult } from './load.ts'
import { connections, measureRounds, rates } from './rounds.ts'
import { orders } from './workload.ts'

/** Parts a and f: one event a request, each answer after its commit, beside the echo. */
export async function singleEvents(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const synced = await measureCommits(join(folder, 'synced'), true, size.commits)
  const unsynced = await measureCommits(join(folder, 'unsynced'), false, size.commits)
  const { weir, echo, lags } = await measureRounds(join(folder, 'weir'), loader, orders, size)
  const share = median(rates(weir)) / median(rates(echo))
  return [
    {
      part: 'a',
      what: `single events a second, durable, ${connections} connections`,
      weir: spread(rates(weir), whole),
      beside: `bare Koa ${spread(rates(echo), whole)}: ${ratio(share)}`,
      target: '0.5, aim 0.8',
      isMet: share >= 0.5,
    },
    {
      part: '',
      what: 'p99 of their answers',
      weir: milliseconds(p99(weir)),
      beside: `bare Koa ${milliseconds(p99(echo))}`,
      target: 'under 50 ms',
      isMet: p99(weir) < 50,
    },
    {
      part: '',
      what: 'share of a core that the generator took',
      weir: ratio(generator(weir)),
      beside: `for the bare Koa ${ratio(generator(echo))}`,
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

const p99 = (results: readonly LoadResult[]): number => median(results.map(({ p99_ms }) => p99_ms))
const generator = (results: readonly LoadResult[]): number => Math.max(...results.map(({ cpu }) => cpu))
