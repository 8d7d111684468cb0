/** Levenshtein distance, single characters added, dropped or replaced, where it is `max` or less; else a greater number. */
const distance = (left: string, right: string, max: number): number => {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (const [row, character] of [...left].entries()) {
    const line = [row + 1]
    for (const [column, other] of [...right].entries()) {
      const [replaced = 0, dropped = 0, added = 0] = [above[column], above[column + 1], line[column]]
      line.push(Math.min(replaced + (character === other ? 0 : 1), dropped + 1, added + 1))
    }
    above = line
    if (Math.min(...line) > max) return max + 1
  }
  return above[right.length] ?? 0
}

const maxEdits = (length: number) => (length < 3 ? length - 1 : length < 7 ? 2 : 3)

/** The known name that was probably meant; undefined where none is near. Looks at the first 1,000. */
export const suggest = (name: string, known: readonly string[]): string | undefined => {
  const max = maxEdits(name.length)
  let best: { name: string; distance: number } | undefined
  for (const candidate of known.slice(0, 1000)) {
    if (Math.abs(candidate.length - name.length) > max || name.length > 64) continue
    const found = distance(name.toLowerCase(), candidate.toLowerCase(), max)
    if (found <= max && (best === undefined || found < best.distance)) best = { name: candidate, distance: found }
  }
  return best?.name
}

/** Ends a message about an unknown name: the one that was probably meant, else the known ones. */
export const hint = (name: string, known: readonly string[]): string => {
  const meant = suggest(name, known)
  if (meant !== undefined) return `; did you mean ${meant}?`
  if (known.length === 0) return ', which has none'
  const rest = known.length > 10 ? ` and ${known.length - 10} more` : ''
  return `; known are ${known.slice(0, 10).join(', ')}${rest}`
}
