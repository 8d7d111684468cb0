import { Refusal } from '../../../base/refusal.ts'

/** So often a model may end its process, in ten minutes or over one file. */
export const maxDeaths = 3
const [window_ms, rest_ms, maxKeys] = [600_000, 300_000, 1_000]

/** A model whose process ends again and again is left alone for a while: starting one costs others their time. */
export function createStrikes(now_ms: () => number = () => performance.now()) {
  const deaths = new Map<string, number[]>()
  return {
    add(key: string): void {
      const recent = (deaths.get(key) ?? []).filter((at) => now_ms() - at < window_ms)
      deaths.delete(key)
      deaths.set(key, [...recent, now_ms()].slice(-maxDeaths))
      for (const [oldest] of deaths) {
        if (deaths.size <= maxKeys) break
        deaths.delete(oldest)
      }
    },
    /** Throws a `Refusal` while the model is left alone. */
    check(key: string): void {
      const times = deaths.get(key) ?? []
      const left_ms = (times.at(-1) ?? -Infinity) + rest_ms - now_ms()
      if (times.length < maxDeaths || left_ms <= 0) return
      throw new Refusal(
        `the model has ended its process ${maxDeaths} times, and is left alone for ${Math.ceil(left_ms / 1000)} s more`,
      )
    },
  }
}

export type Strikes = ReturnType<typeof createStrikes>
