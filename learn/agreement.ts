import { toNumber } from './encoding/number.ts'
import type { Cell } from './formats/row.ts'

/** How predictions compare with known targets, as `svm-predict` reports it. */
export type Agreement = {
  /** Percent of the labels that agree. */
  readonly user_pred_accuracy: number
  readonly mean_sq_err: number
  /** Squared correlation coefficient; 0 where it is not defined, as for a single row. */
  readonly sq_cor_coef: number
}

/**
 * Sums over rows, which can be sent between threads and added. Numbers are summed as differences from the first ones:
 * squares of great numbers that vary little would leave no digit of how they vary.
 */
export type AgreementSums = {
  readonly rows: number
  readonly same: number
  readonly squares: number
  /** The rows of numbers; absent in sums that were stored without: all. */
  readonly numbers?: number | undefined
  /** The prediction and the target of the first of them; absent: 0. */
  readonly first?: { readonly p: number; readonly t: number } | undefined
  readonly p: number
  readonly t: number
  readonly pp: number
  readonly tt: number
  readonly pt: number
}

export const noAgreement: AgreementSums = { rows: 0, same: 0, squares: 0, numbers: 0, p: 0, t: 0, pp: 0, tt: 0, pt: 0 }

/** A row without a target counts in nothing. Texts that are no numbers count in the accuracy alone. */
export function addAgreement(sums: AgreementSums, prediction: number | string, target: Cell): AgreementSums {
  if (target === undefined) return sums
  const p = Number(prediction)
  const t = toNumber(target) ?? Number.NaN
  const same = typeof prediction === 'string' ? prediction === String(target) : p === t
  const counted = { ...sums, rows: sums.rows + 1, same: sums.same + (same ? 1 : 0) }
  if (Number.isNaN(p) || Number.isNaN(t)) return counted
  const numbers = numbersOf(sums)
  const first = numbers === 0 ? { p, t } : firstOf(sums)
  const [dp, dt] = [p - first.p, t - first.t]
  return {
    ...counted,
    squares: sums.squares + (p - t) ** 2,
    numbers: numbers + 1,
    first,
    p: sums.p + dp,
    t: sums.t + dt,
    pp: sums.pp + dp * dp,
    tt: sums.tt + dt * dt,
    pt: sums.pt + dp * dt,
  }
}

const numbersOf = ({ numbers, rows }: AgreementSums): number => numbers ?? rows
const firstOf = ({ first = { p: 0, t: 0 } }: AgreementSums): { readonly p: number; readonly t: number } => first

/** The same sums of the differences from others. */
function about(sums: AgreementSums, first: { readonly p: number; readonly t: number }): AgreementSums {
  const { p, t, pp, tt, pt } = sums
  const own = firstOf(sums)
  const n = numbersOf(sums)
  const [dp, dt] = [own.p - first.p, own.t - first.t]
  return {
    ...sums,
    first,
    p: p + n * dp,
    t: t + n * dt,
    pp: pp + 2 * dp * p + n * dp * dp,
    tt: tt + 2 * dt * t + n * dt * dt,
    pt: pt + dp * t + dt * p + n * dp * dt,
  }
}

export function joinAgreement(a: AgreementSums, other: AgreementSums): AgreementSums {
  const first = firstOf(numbersOf(a) === 0 ? other : a)
  const b = about(other, first)
  return {
    rows: a.rows + b.rows,
    same: a.same + b.same,
    squares: a.squares + b.squares,
    numbers: numbersOf(a) + numbersOf(b),
    first,
    p: a.p + b.p,
    t: a.t + b.t,
    pp: a.pp + b.pp,
    tt: a.tt + b.tt,
    pt: a.pt + b.pt,
  }
}

export function agreementOf(sums: AgreementSums): Agreement {
  const { rows, same, squares, p, t, pp, tt, pt } = sums
  const n = numbersOf(sums)
  if (rows === 0) return { user_pred_accuracy: 0, mean_sq_err: 0, sq_cor_coef: 0 }
  const spread = (n * pp - p * p) * (n * tt - t * t)
  return {
    user_pred_accuracy: (100 * same) / rows,
    mean_sq_err: squares / rows,
    sq_cor_coef: spread > 0 ? Math.min(1, (n * pt - p * t) ** 2 / spread) : 0,
  }
}
