import type { Chain } from '../../../../learn/algorithms/text/entities/chain.ts'

/** Every path that may be, with its score: what the quick sums over a chain are compared with. */
export function everyPath(chain: Chain, emissions: Float64Array): { path: number[]; score: number }[] {
  const length = emissions.length / chain.tags
  const move = (from: number, to: number): number => {
    const pair = chain.from.findIndex((tag, index) => tag === from && chain.to[index] === to)
    return pair < 0 ? Number.NaN : (chain.transitions[pair] ?? Number.NaN)
  }
  let paths: { path: number[]; score: number }[] = [{ path: [], score: 0 }]
  for (let at = 0; at < length; at += 1) {
    paths = paths.flatMap(({ path, score }) =>
      Array.from({ length: chain.tags }, (_, tag) => {
        const last = path.at(-1)
        const moved = last === undefined ? (chain.starts[tag] ? 0 : Number.NaN) : move(last, tag)
        return { path: [...path, tag], score: score + moved + (emissions[at * chain.tags + tag] ?? 0) }
      }).filter((next) => !Number.isNaN(next.score)),
    )
  }
  return paths.filter(({ path }) => chain.ends[path.at(-1) ?? 0])
}
