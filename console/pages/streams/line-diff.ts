export type DiffLine = { readonly kind: 'same' | 'added' | 'lost'; readonly text: string; readonly number: number }

/** Beyond so many steps two texts are told apart as a whole: each step may look at all lines. */
const maxSteps = 1500

/**
 * The lines of two texts, those of the one that the other has not, and those that they share. After Myers, "An O(ND) difference
 * algorithm and its variations" (1986).
 */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const trace: Map<number, number>[] = []
  const furthest = new Map<number, number>([[1, 0]])
  const at = (map: ReadonlyMap<number, number>, diagonal: number): number => map.get(diagonal) ?? -1
  for (let steps = 0; steps <= Math.min(maxSteps, a.length + b.length); steps++) {
    trace.push(new Map(furthest))
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const isDown =
        diagonal === -steps || (diagonal !== steps && at(furthest, diagonal - 1) < at(furthest, diagonal + 1))
      let x = isDown ? at(furthest, diagonal + 1) : at(furthest, diagonal - 1) + 1
      let y = x - diagonal
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++
        y++
      }
      furthest.set(diagonal, x)
      if (x >= a.length && y >= b.length) return walkBack(a, b, trace)
    }
  }
  return [
    ...a.map((text, index): DiffLine => ({ kind: 'lost', text, number: index + 1 })),
    ...b.map((text, index): DiffLine => ({ kind: 'added', text, number: index + 1 })),
  ]
}

function walkBack(
  a: readonly string[],
  b: readonly string[],
  trace: readonly ReadonlyMap<number, number>[],
): DiffLine[] {
  const lines: DiffLine[] = []
  let [x, y] = [a.length, b.length]
  const same = () => lines.push({ kind: 'same', text: a[--x] ?? '', number: --y + 1 })
  for (let steps = trace.length - 1; steps > 0; steps--) {
    const furthest = trace[steps]
    if (!furthest) break
    const diagonal = x - y
    const at = (of: number): number => furthest.get(of) ?? -1
    const isDown = diagonal === -steps || (diagonal !== steps && at(diagonal - 1) < at(diagonal + 1))
    const beforeX = isDown ? at(diagonal + 1) : at(diagonal - 1)
    const beforeY = beforeX - (isDown ? diagonal + 1 : diagonal - 1)
    while (x > beforeX && y > beforeY) same()
    if (isDown) lines.push({ kind: 'added', text: b[--y] ?? '', number: y + 1 })
    else lines.push({ kind: 'lost', text: a[--x] ?? '', number: x + 1 })
  }
  while (x > 0 && y > 0) same()
  return lines.reverse()
}

/** The lines that differ, each with `around` lines before and behind it; `undefined` where lines are left out. */
export function changedParts(lines: readonly DiffLine[], around = 2): readonly (DiffLine | undefined)[] {
  const isShown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  )
  return lines.flatMap((line, index) => {
    if (isShown[index]) return [line]
    return index === 0 || isShown[index - 1] ? [undefined] : []
  })
}
