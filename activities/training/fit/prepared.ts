import { deserialize, serialize } from 'node:v8'
import type { TaggedText } from '../../../learn/algorithms/text/entities/tagged-text.ts'
import type { Classes, Features, Target } from '../../../learn/dataset.ts'
import type { Ways } from '../../../learn/encoding/describe-table.ts'
import { type Encoding, encodeLearnt, encodeTable, fitEncoding } from '../../../learn/encoding/encoding.ts'
import type { Scale } from '../../../learn/encoding/numbers.ts'
import { sparseEncoding } from '../../../learn/encoding/sparse.ts'
import type { Table } from '../../../learn/encoding/table.ts'
import type { Row } from '../../../learn/formats/row.ts'
import type { Layout } from '../../../learn/layout.ts'
import { selectRows } from '../../../learn/select-rows.ts'
import type { SeriesRule } from '../../../learn/series/rule.ts'
import type { Together } from '../../../learn/tuning/strata.ts'

/** The rows that a request holds out, ascending. A file's are never learnt from. */
export type Split = { readonly held: Int32Array; readonly isFile: boolean; readonly together?: Together }

/** Training data as the steps after reading take them: all typed, and small as can be. Without a split a fifth is held out. */
export type Prepared = { readonly split?: Split } & PreparedData

type PreparedData =
  | {
      readonly kind: 'table'
      readonly table: Table
      readonly sample: readonly Row[]
      /** The rows are windows, in the order of the times of their targets. */
      readonly series?: SeriesRule
    }
  | {
      readonly kind: 'sparse'
      readonly features: Extract<Features, { offsets: Int32Array }>
      readonly target: Target
      readonly layout: Layout
    }
  | { readonly kind: 'classes'; readonly texts: readonly string[]; readonly target: Classes; readonly layout: Layout }
  | { readonly kind: 'entities'; readonly texts: readonly TaggedText[]; readonly layout: Layout }

export type PreparedRows = Extract<Prepared, { kind: 'table' | 'sparse' }>

export const writePrepared = (prepared: Prepared): Buffer => serialize(prepared)

/** Reads only bytes that `writePrepared` wrote, of any version of Weir since 0.1.0. */
export const readPrepared = (bytes: Uint8Array): Prepared => deserialize(bytes)

/** How the attributes become columns: fitted on these rows alone, or on all. */
export function fitPrepared(
  prepared: PreparedRows,
  scale: Scale,
  { takesMissing, manyWords }: Ways,
  rows?: Int32Array,
): Encoding {
  if (prepared.kind === 'sparse') return sparseEncoding(prepared)
  const fitted = fitEncoding(prepared.table, scale, { rows, many: manyWords })
  if (!takesMissing) return fitted
  return { ...fitted, numbers: fitted.numbers.map((number) => ({ ...number, mean: Number.NaN })) }
}

/** These rows, or all, as a model sees them. */
export function encodePrepared(prepared: PreparedRows, encoding: Encoding, rows?: Int32Array): Features {
  if (prepared.kind === 'table') return encodeTable(prepared.table, encoding, rows)
  return rows === undefined ? prepared.features : selectRows(prepared.features, rows)
}

/** The rows `learnt`, or all, that the encoding was fitted on, as an algorithm learns from them; or others with these. */
export function learntPrepared(
  prepared: PreparedRows,
  encoding: Encoding,
  learnt?: Int32Array,
  rows = learnt,
): Features {
  if (prepared.kind === 'table') return encodeLearnt(prepared.table, encoding, learnt, rows)
  return rows === undefined ? prepared.features : selectRows(prepared.features, rows)
}

export const targetOfPrepared = (prepared: PreparedRows): Target =>
  prepared.kind === 'table' ? prepared.table.target : prepared.target

export const layoutOfPrepared = (prepared: Prepared): Layout =>
  prepared.kind === 'table' ? prepared.table.layout : prepared.layout

export const seriesOfPrepared = (prepared: Prepared): SeriesRule | undefined =>
  prepared.kind === 'table' ? prepared.series : undefined

/** Rows that no fold of a tuning parts: the windows of series in the order of time, or as the rows held out are chosen. */
export function togetherOf(prepared: Prepared): Together | undefined {
  if (seriesOfPrepared(prepared) === undefined) return prepared.split?.together
  return { by: 'time', of: Int32Array.from({ length: rowsOfPrepared(prepared) }, (_, row) => row) }
}

export const rowsOfPrepared = (prepared: Prepared): number =>
  prepared.kind === 'table'
    ? prepared.table.rows
    : prepared.kind === 'sparse'
      ? prepared.features.rows
      : prepared.texts.length
