import type { Layout } from '../layout.ts'
import type { ReadRow, Row } from './row.ts'

/** The words that training saw, by column of the layout; undefined where they are not known. */
export type KnownWords = readonly (ReadonlySet<string> | undefined)[]

export type ReadOptions = {
  readonly purpose: 'training' | 'prediction'
  /** Whether rows bring the target: training rows must, rows to predict do where a request says so, and else have none. */
  readonly target: boolean
  /** Whether rows to predict may leave attributes out that they give by name: events may, lines and files may not. */
  readonly gaps?: boolean
  /**
   * Whether the first row of a CSV is a header. `named`: where it holds the attributes' names. Absent: the row and those
   * after it show it, and one that names other columns is refused.
   */
  readonly header?: 'present' | 'absent' | 'named' | undefined
  /** The words that training saw: they show whether a first row to predict is a header. */
  readonly words?: KnownWords | undefined
  /** Rows keep the key that they bring. */
  readonly keys?: boolean
  /** Blank lines are told as broken rows whose reason is `blankLine`; without it they are passed over. */
  readonly blanks?: boolean
  /** Hears how the data are read where that could be otherwise. */
  readonly note?: ((sentence: string) => void) | undefined
  /** Hears why the data may be meant otherwise than they are read. */
  readonly doubt?: ((sentence: string) => void) | undefined
}

export type Emit = (row: ReadRow) => void

/** Takes a source's text in pieces of any size and emits its rows in order, broken ones in their places. */
export type Reader = { readonly push: (text: string) => void; readonly end: () => void }

/** The name of a format among the wire's codes. */
export type FormatName = 'SVM' | 'CSV' | 'JSON' | 'TEXT' | 'KV'

export type Format = {
  readonly name: FormatName
  /** Throws a `Refusal` where the format cannot hold such a layout. */
  readonly createReader: (layout: Layout, options: ReadOptions, emit: Emit) => Reader
  /** One line without its end. Throws a `Refusal` for a row that the format cannot hold. */
  readonly write: (row: Row, layout: Layout) => string
}
