/** A model rests so many times as long as its failure took: it costs others a tenth of their time at most. */
const factor = 10

export function createRests(now_ms: () => number = () => performance.now()) {
  const until = new Map<string, number>()
  return {
    begin: (id: string, took_ms: number): void => {
      until.set(id, now_ms() + factor * took_ms)
    },
    has(id: string): boolean {
      const end = until.get(id)
      if (end === undefined) return false
      if (end > now_ms()) return true
      until.delete(id)
      return false
    },
  }
}
