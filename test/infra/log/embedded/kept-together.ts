import type { LmdbLog } from '../../../../infra/log/embedded/log.ts'

/** The keys whose values are the number of that event. */
export const keysOf = (n: number): string[] =>
  n % 50 < 10 ? [] : Array.from({ length: 20 }, (_, at) => `k${(n + 7 * at) % 300}`)

/**
 * The number of events that a log of `crash-writer.ts` holds. Throws where it is not the same in both queues and in the
 * state of rules.
 */
export function keptTogether({ source, rules }: Pick<LmdbLog, 'source' | 'rules'>): number {
  const numbersOf = (queue: string): string =>
    [...source.chunks(queue)]
      .flatMap(({ lines }) => [...lines.toString().matchAll(/"n":(\d+)/g)].map(([, n]) => n))
      .join()
  const all = numbersOf('s.a')
  const count = all === '' ? 0 : all.split(',').length
  const ofRules = rules.value('s.a/rule:1', 'count') ?? 0
  const last = rules.items('s.a/rule:1', 'last').map(({ value }) => value)
  const numbers = Array.from({ length: count }, (_, n) => n)
  const latest = new Map(numbers.flatMap((n) => keysOf(n).map((key) => [key, n])))
  const values = [...latest.keys()].map((key) => rules.value('s.a/rule:1', key))
  const told = JSON.stringify({ all, made: numbersOf('s.made'), ofRules, last, values })
  const wanted = {
    all: numbers.join(),
    made: numbers.join(),
    ofRules: count,
    last: numbers.slice(-100).map((n) => `event ${n}`),
    values: [...latest.values()],
  }
  if (told !== JSON.stringify(wanted)) throw new Error(`the log is torn: ${told}`)
  return count
}
