import type { Target } from '../dataset.ts'
import { cutFolds, cutTogether, type Together } from './strata.ts'

/** A part of the rows is held out and the rest is learnt from; rows go by their places among all that tuning has. */
export type Fold<Data> = {
  readonly held: Int32Array
  readonly rest: Int32Array
  /** Some rows, by ranges, means and words that the rest alone has shown. */
  readonly data: (places: Int32Array) => Data
}

export type TuningData<Data> = {
  readonly target: Target
  readonly rows: number
  readonly folds: readonly Fold<Data>[]
}

const foldCount = 5

type FoldOptions = {
  readonly rows: number
  readonly seed: number
  readonly strata?: Target
  /** Rows that no fold parts, in place of rows by chance. */
  readonly together?: Together | undefined
}

/** `dataOf` is told the rest of a fold, to fit encodings on, and gives rows of it. */
export function foldRows<Data>(
  target: Target,
  { rows, seed, strata = target, together }: FoldOptions,
  dataOf: (rest: Int32Array) => (places: Int32Array) => Data,
): TuningData<Data> {
  const count = Math.min(foldCount, rows)
  const apart = together && cutTogether(together, count)
  // All rows may be of one group.
  const cut = apart !== undefined && apart.length > 1 ? apart : cutFolds(strata, rows, count, seed)
  const folds = cut.map((held) => {
    const isHeld = new Uint8Array(rows)
    for (const place of held) isHeld[place] = 1
    const rest = Int32Array.from({ length: rows }, (_, place) => place).filter((place) => isHeld[place] === 0)
    let data: ((places: Int32Array) => Data) | undefined
    return {
      held,
      rest,
      data: (places: Int32Array) => {
        data ??= dataOf(rest)
        return data(places)
      },
    }
  })
  return { target, rows, folds }
}
