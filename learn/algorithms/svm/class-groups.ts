import type { Classes } from '../../dataset.ts'

/** The classes that occur among some rows, in the order of first appearance, each with its rows in order. */
export type ClassGroups = { readonly labels: readonly (number | string)[]; readonly rows: readonly Int32Array[] }

/** As LIBSVM: the labels -1 and 1 count as 1 and -1, so that a positive decision always means 1. */
export function groupClasses({ labels, classes }: Classes): ClassGroups {
  const groups = new Map<number, number[]>()
  for (const [row, index] of classes.entries()) {
    const group = groups.get(index)
    if (group === undefined) groups.set(index, [row])
    else group.push(row)
  }
  const found = [...groups].map(([index, rows]) => ({ label: labels[index] ?? index, rows: Int32Array.from(rows) }))
  if (found.length === 2 && found[0]?.label === -1 && found[1]?.label === 1) found.reverse()
  return { labels: found.map(({ label }) => label), rows: found.map(({ rows }) => rows) }
}

/** The pairs (i, j), i < j, of one against one, in LIBSVM's order. */
export function classPairs(count: number): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: count - i - 1 }, (_, next) => [i, i + 1 + next] as const),
  ).flat()
}
