import type { Target } from '../../../../learn/dataset.ts'
import { cutFolds } from '../../../../learn/tuning/strata.ts'

/** With fewer rows a held-out fifth shows nothing. */
export const minRows = 10

/** A fifth of the rows, of each class the same share, and the rest; the same at each call. */
export function holdOut(target: Target, rows: number): { readonly held: Int32Array; readonly rest: Int32Array } {
  const [held = new Int32Array()] = cutFolds(target, rows, 5, 1)
  const isHeld = new Uint8Array(rows)
  for (const row of held) isHeld[row] = 1
  return { held, rest: Int32Array.from({ length: rows }, (_, row) => row).filter((row) => isHeld[row] === 0) }
}
