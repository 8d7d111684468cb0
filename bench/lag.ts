import { quantile } from './quantile.ts'
import type { ServiceProcess } from './service.ts'

const interval_ms = 100

export type Lag = { readonly p95_ms: number; readonly max_ms: number; readonly residentMegabytes: number }

/** Looks at a service every 100 ms while it is under load; `end` tells what was seen. */
export function watch(service: ServiceProcess) {
  const lags: number[] = []
  const resident: number[] = []
  let watching = true
  const watched = look()

  async function look(): Promise<void> {
    while (watching) {
      const next = performance.now() + interval_ms
      lags.push(await service.lag_ms())
      resident.push(service.residentMegabytes())
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())))
    }
  }

  return {
    async end(): Promise<Lag> {
      watching = false
      await watched
      return { p95_ms: quantile(lags, 0.95), max_ms: Math.max(0, ...lags), residentMegabytes: Math.max(0, ...resident) }
    },
  }
}
