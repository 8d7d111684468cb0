/** The words that clusters show of an attribute; other metrics show none. */
export function wordsIn(metrics: unknown): Readonly<Record<string, readonly string[]>> {
  if (typeof metrics !== 'object' || metrics === null || !('centres' in metrics) || !Array.isArray(metrics.centres))
    return {}
  const found = new Map<string, Set<string>>()
  for (const centre of metrics.centres) {
    for (const [name, value] of Object.entries(Object(centre))) {
      if (typeof value !== 'object' || value === null) continue
      const words = found.get(name) ?? new Set()
      for (const word of Object.keys(value)) words.add(word)
      found.set(name, words)
    }
  }
  return Object.fromEntries([...found].map(([name, words]) => [name, [...words].slice(0, 100)]))
}
