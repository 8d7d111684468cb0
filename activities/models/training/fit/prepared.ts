import { deserialize, serialize } from 'node:v8'
import type { TaggedText } from '../../algorithms/text/entities/tagged-text.ts'
import type { Classes, Features, Target } from '../../dataset.ts'
import { type Encoding, encodeTable, fitEncoding } from '../../encoding/encoding.ts'
import { sparseEncoding } from '../../encoding/sparse.ts'
import type { Table } from '../../encoding/table.ts'
import type { Row } from '../../formats/row.ts'
import type { Layout } from '../../layout.ts'

/** Training data as the steps after reading take them: all typed, and small as can be. */
export type Prepared =
  | { readonly kind: 'table'; readonly table: Table; readonly sample: readonly Row[] }
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

/** Only what `writePrepared` wrote, of the same version of Weir or an earlier one. */
export const readPrepared = (bytes: Uint8Array): Prepared => deserialize(bytes)

export type Encoded = { readonly features: Features; readonly target: Target; readonly encoding: Encoding }

export function encodePrepared(prepared: PreparedRows, scale: boolean, takesMissing: boolean): Encoded {
  if (prepared.kind === 'sparse') {
    const { features, target } = prepared
    return { features, target, encoding: sparseEncoding({ features, target }) }
  }
  const { table } = prepared
  const fitted = fitEncoding(table, scale)
  const encoding = takesMissing
    ? { ...fitted, numbers: fitted.numbers.map((number) => ({ ...number, mean: Number.NaN })) }
    : fitted
  return { features: encodeTable(table, encoding), target: table.target, encoding }
}

export const layoutOfPrepared = (prepared: Prepared): Layout =>
  prepared.kind === 'table' ? prepared.table.layout : prepared.layout

export const rowsOfPrepared = (prepared: Prepared): number =>
  prepared.kind === 'table'
    ? prepared.table.rows
    : prepared.kind === 'sparse'
      ? prepared.features.rows
      : prepared.texts.length
