/** The value that a format gives for one attribute; `undefined` is missing. */
export type Cell = number | string | undefined

/** So many different values that training did not see are told as examples. */
export const maxExamples = 3

export type Row = {
  /** The line of the source, from 1. */
  readonly line: number
  /** Cells in the order of `Layout.columns`. */
  readonly cells: readonly Cell[]
  readonly target: Cell
  /** The value of a member `_pk` or `_id` beside the attributes. */
  readonly key?: Cell
  /** The value that decides whether the row is held out of the measure. */
  readonly mark?: Cell
  /** The first features of LIBSVM's line that training did not see, `maxExamples` at most: they count nothing. */
  readonly unseen?: readonly number[]
  /** Where the cells stand in a line of CSV, from 0. */
  readonly places?: { readonly columns: readonly number[]; readonly target: number }
}

/** A row that cannot be read, and why. */
export type BrokenRow = {
  readonly line: number
  /** From 1: a cell in CSV, a character in JSON. */
  readonly column?: number
  readonly attribute?: string
  readonly reason: string
}

/** The reason of a blank line, where a reader is asked to tell them. */
export const blankLine = 'the line is blank'

export type ReadRow = Row | BrokenRow

export const isBroken = (row: ReadRow): row is BrokenRow => 'reason' in row

/** `line 7, column 3, attribute 'age': 'abc' is no number`. */
export function placeOf({ line, column, attribute, reason }: BrokenRow): string {
  const place = [
    `line ${line}`,
    ...(column === undefined ? [] : [`column ${column}`]),
    ...(attribute === undefined ? [] : [`attribute '${attribute}'`]),
  ]
  return `${place.join(', ')}: ${reason}`
}
