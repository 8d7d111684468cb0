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

/** Sums over rows, which can be sent between threads and added. */
export type AgreementSums = {
  readonly rows: number
  readonly same: number
  readonly squares: number
  readonly p: number
  readonly t: number
  readonly pp: number
  readonly tt: number
  readonly pt: number
}

export const noAgreement: AgreementSums = { rows: 0, same: 0, squares: 0, p: 0, t: 0, pp: 0, tt: 0, pt: 0 }

/** A row without a target counts in nothing. Texts that are no numbers count in the accuracy alone. */
export function addAgreement(sums: AgreementSums, prediction: number | string, target: Cell): AgreementSums {
  if (target === undefined) return sums
  const p = Number(prediction)
  const t = toNumber(target) ?? Number.NaN
  const same = typeof prediction === 'string' ? prediction === String(target) : p === t
  const counted = { ...sums, rows: sums.rows + 1, same: sums.same + (same ? 1 : 0) }
  if (Number.isNaN(p) || Number.isNaN(t)) return counted
  return {
    ...counted,
    squares: sums.squares + (p - t) ** 2,
    p: sums.p + p,
    t: sums.t + t,
    pp: sums.pp + p * p,
    tt: sums.tt + t * t,
    pt: sums.pt + p * t,
  }
}

export function joinAgreement(a: AgreementSums, b: AgreementSums): AgreementSums {
  return {
    rows: a.rows + b.rows,
    same: a.same + b.same,
    squares: a.squares + b.squares,
    p: a.p + b.p,
    t: a.t + b.t,
    pp: a.pp + b.pp,
    tt: a.tt + b.tt,
    pt: a.pt + b.pt,
  }
}

export function agreementOf({ rows, same, squares, p, t, pp, tt, pt }: AgreementSums): Agreement {
  if (rows === 0) return { user_pred_accuracy: 0, mean_sq_err: 0, sq_cor_coef: 0 }
  const spread = (rows * pp - p * p) * (rows * tt - t * t)
  return {
    user_pred_accuracy: (100 * same) / rows,
    mean_sq_err: squares / rows,
    sq_cor_coef: spread > 0 ? (rows * pt - p * t) ** 2 / spread : 0,
  }
}
