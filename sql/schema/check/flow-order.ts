/** Streams by name, each with those that it feeds. */
export type Links = ReadonlyMap<string, readonly string[]>

const countSources = (links: Links): Map<string, number> => {
  const sources = new Map<string, number>()
  for (const target of [...links.values()].flat()) sources.set(target, (sources.get(target) ?? 0) + 1)
  return sources
}

/** Takes names without sources, then those that this makes ready, and so on. */
const takeReady = (links: Links, rest: Set<string>): readonly string[] => {
  const sources = countSources(links)
  const ready = [...rest].filter((name) => !sources.has(name))
  for (const name of ready) {
    rest.delete(name)
    for (const target of links.get(name) ?? []) {
      const left = (sources.get(target) ?? 0) - 1
      sources.set(target, left)
      if (left === 0) ready.push(target)
    }
  }
  return ready
}

/** Where each name has a source in the set, going from source to source comes round. */
const findCycles = (links: Links, rest: ReadonlySet<string>): readonly (readonly string[])[] => {
  const sourceOf = new Map<string, string>()
  for (const name of rest) for (const target of links.get(name) ?? []) sourceOf.set(target, name)
  const seen = new Set<string>()
  return [...rest].flatMap((start) => {
    const path: string[] = []
    let name: string | undefined = start
    for (; name !== undefined && !seen.has(name); name = sourceOf.get(name)) {
      seen.add(name)
      path.push(name)
    }
    const first = name === undefined ? -1 : path.indexOf(name)
    return first === -1 ? [] : [[...path.slice(first, first + 1), ...path.slice(first + 1).toReversed()]]
  })
}

/** Sources before their targets; then streams in cycles, in each of which the last one feeds the first. */
export const orderFlow = (links: Links) => {
  const rest = new Set(links.keys())
  const ready = takeReady(links, rest)
  return { ready, order: [...ready, ...rest], cycles: findCycles(links, rest) }
}
