import type { Target } from '../../../learn/dataset.ts'
import { usualShare } from '../../../learn/holdout/rule.ts'
import { selectTarget } from '../../../learn/tuning/select-target.ts'
import { cutShare } from '../../../learn/tuning/strata.ts'
import { type Prepared, rowsOfPrepared } from './prepared.ts'

/** With fewer rows a held-out share shows nothing. */
export const minRows = 10

/** Rows that a model is measured on, and those that it learns from before. */
export type Parts = { readonly held: Int32Array; readonly rest: Int32Array }

/** A fifth of the rows, of each class the same share, and the rest; the same at each call. */
export const holdOut = (target: Target, rows: number): Parts => partsOf(cutShare(target, rows, usualShare, 1), rows)

/** The rows that the request holds out, a fifth without one; none of too few. */
export function heldOf(prepared: Prepared): Parts {
  const rows = rowsOfPrepared(prepared)
  if (prepared.split?.isFile !== true && rows < minRows) return partsOf(new Int32Array(), rows)
  return prepared.split === undefined ? holdOut(targetOf(prepared), rows) : partsOf(prepared.split.held, rows)
}

/** The rows that the published model learns from; undefined: all. */
export const learntRows = (prepared: Prepared): Int32Array | undefined =>
  prepared.split?.isFile ? heldOf(prepared).rest : undefined

export const tooFew = (rows: number): string => `${rows} rows are too few to hold a part of them out`

/** A sentence for the log about rows that are held out as usual. */
export function describeHeld({ held, rest }: Parts): string {
  if (held.length === 0) return `${tooFew(rest.length)}: the model is not measured`
  const all = (held.length + rest.length).toLocaleString('en-US')
  return `${held.length.toLocaleString('en-US')} of ${all} rows, by chance, are held out to measure the model`
}

/** A word beside the metrics of so few rows that chance decides them. */
export const fewHeld = (held: number): { readonly note?: string } =>
  held < minRows ? { note: `${held} rows are held out: so few show little` } : {}

function partsOf(held: Int32Array, rows: number): Parts {
  const isHeld = new Uint8Array(rows)
  for (const row of held) isHeld[row] = 1
  return { held, rest: Int32Array.from({ length: rows }, (_, row) => row).filter((row) => isHeld[row] === 0) }
}

function targetOf(prepared: Prepared): Target {
  if (prepared.kind === 'entities') return { kind: 'none' }
  return prepared.kind === 'table' ? prepared.table.target : prepared.target
}

/** The target with the labels that these rows have alone; the class of a row with another one means nothing. */
export function labelsOf(target: Target, rows: Int32Array): Target {
  if (target.kind !== 'classes') return target
  const seen = new Uint8Array(target.labels.length)
  for (const row of rows) seen[target.classes[row] ?? 0] = 1
  if (seen.every((is) => is === 1)) return target
  const kept = target.labels.flatMap((label, index) => (seen[index] === 1 ? [{ label, index }] : []))
  const places = new Map(kept.map(({ index }, place) => [index, place]))
  return {
    ...target,
    labels: kept.map(({ label }) => label),
    classes: target.classes.map((index) => places.get(index) ?? 0),
  }
}

/** The target of these rows, with the labels that they have alone. */
export const learntTarget = (target: Target, rows: Int32Array): Target => selectTarget(labelsOf(target, rows), rows)
