import { quantile } from '../quantile.ts'
import { type Figure, megabytes, milliseconds } from '../report.ts'
import type { ServiceProcess } from '../service.ts'

const interval_ms = 100

/** The measurements of one round. */
export type Lag = { readonly lags_ms: readonly number[]; readonly residentMegabytes: number }

/** Looks at a service every 100 ms while it is under load; `end` returns the measurements. */
export function watch(service: ServiceProcess) {
  const lags_ms: number[] = []
  let watching = true
  const watched = look()

  async function look(): Promise<void> {
    while (watching) {
      const next = performance.now() + interval_ms
      lags_ms.push(await service.lag_ms())
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())))
    }
  }

  return {
    async end(): Promise<Lag> {
      watching = false
      await watched
      return { lags_ms, residentMegabytes: service.residentMegabytes() }
    },
  }
}

/** The age of the oldest event that was acknowledged and not in ClickHouse, and memory from the first round to the last. */
export function lagFigure(part: string, what: string, rounds: readonly Lag[]): Figure {
  const lags = rounds.flatMap(({ lags_ms }) => lags_ms)
  const max = Math.max(...lags)
  const [first, last] = [rounds.at(0)?.residentMegabytes ?? 0, rounds.at(-1)?.residentMegabytes ?? 0]
  return {
    part,
    what: `${what}: p95 / max`,
    weir: `${milliseconds(quantile(lags, 0.95))} / ${milliseconds(max)}`,
    beside: `memory after the first round ${megabytes(first)}, after the last ${megabytes(last)}`,
    target: 'under 1 s, memory flat',
    isMet: max < 1000,
  }
}
