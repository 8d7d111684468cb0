export type Confusion = {
  readonly labels: readonly string[]
  /** `rows[i][j]`: rows of label i that are predicted as label j. */
  readonly rows: readonly (readonly number[])[]
}

/** A confusion matrix of so many labels that a picture shows: the most frequent ones, and all others as one. */
export function foldConfusion({ labels, rows }: Confusion, max: number): Confusion {
  if (labels.length <= max) return { labels, rows }
  const totals = labels.map((_, place) =>
    labels.reduce((sum, _label, other) => sum + (rows[place]?.[other] ?? 0) + (rows[other]?.[place] ?? 0), 0),
  )
  const byRows = [...labels.keys()].sort((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0) || a - b)
  const shown = byRows.slice(0, max - 1).sort((a, b) => a - b)
  const groups = [...shown.map((place) => [place]), byRows.slice(max - 1)]
  return {
    labels: [...shown.map((place) => labels[place] ?? ''), `${labels.length - shown.length} others`],
    rows: groups.map((from) =>
      groups.map((to) => from.reduce((sum, i) => sum + to.reduce((part, j) => part + (rows[i]?.[j] ?? 0), 0), 0)),
    ),
  }
}
