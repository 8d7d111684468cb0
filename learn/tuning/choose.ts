/** Parameters and the values to try for them. */
export type Point = Readonly<Record<string, number>>

/** A point that was tried, and how the rows fared in the fold that held them out. */
export type Outcome = {
  readonly values: Point
  /** By row; less is better. */
  readonly losses: Float64Array
  /** The measure that people see, by fold, and over all rows. */
  readonly folds: readonly number[]
  readonly performance: number
  /** Between two outcomes of equal performance, `choose` prefers the less complex one. */
  readonly complexity: number
}

/** The mean of a - b over the rows, and its standard error. Rows that one of them has not been tried on (NaN) are left out. */
export function difference(a: Float64Array, b: Float64Array): { readonly mean: number; readonly error: number } {
  let [rows, mean, squares] = [0, 0, 0]
  for (const [row, loss] of a.entries()) {
    const apart = loss - (b[row] ?? Number.NaN)
    if (Number.isNaN(apart)) continue
    rows += 1
    const moved = mean + (apart - mean) / rows
    squares += (apart - mean) * (apart - moved)
    mean = moved
  }
  return { mean, error: rows < 2 ? 0 : Math.sqrt(squares / (rows - 1) / rows) }
}

export const meanLoss = ({ losses }: Pick<Outcome, 'losses'>): number => {
  let sum = 0
  for (const loss of losses) sum += loss
  return sum / losses.length
}

/** The least mean loss; of equal ones the simplest, and of these the earliest. */
export function bestOf(outcomes: readonly Outcome[]): Outcome | undefined {
  return leastBy(outcomes, (outcome) => [meanLoss(outcome), outcome.complexity])
}

/**
 * The one standard error rule (Breiman, Friedman, Olshen and Stone, 1984), in pairs: the simplest of all that are worse
 * than the best one by no more than the standard error of that difference, row by row.
 */
export function simplestOf(outcomes: readonly Outcome[]): Outcome | undefined {
  const best = bestOf(outcomes)
  if (best === undefined) return undefined
  const asGood = outcomes.filter((outcome) => outcome === best || isAsGood(outcome.losses, best.losses))
  return leastBy(asGood, (outcome) => [outcome.complexity, meanLoss(outcome)])
}

export function isAsGood(losses: Float64Array, best: Float64Array): boolean {
  const { mean, error } = difference(losses, best)
  return mean <= error
}

function leastBy(outcomes: readonly Outcome[], keysOf: (outcome: Outcome) => readonly [number, number]) {
  let min: { readonly outcome: Outcome; readonly keys: readonly [number, number] } | undefined
  for (const outcome of outcomes) {
    const keys = keysOf(outcome)
    const isLess = min === undefined || keys[0] < min.keys[0] || (keys[0] === min.keys[0] && keys[1] < min.keys[1])
    if (isLess) min = { outcome, keys }
  }
  return min?.outcome
}
