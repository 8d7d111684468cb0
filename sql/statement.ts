import { type LiteralType, literal } from './literal.ts'

/**
 * SQL as a value: `{name:Type}` in the text stands for `params.name`, which never becomes part of the text by hand. One that
 * says what rows it answers is read as those and no others.
 */
export type SqlStatement<Row = unknown> = {
  readonly text: string
  readonly params: Readonly<Record<string, string | number>>
  /** Never there: the compiler alone knows it. */
  answers?(row: Row): void
}

const placeholder = /\{(\w+):(String|Int64|UInt64|Float64)\}/g

/**
 * The text with every placeholder replaced by its literal.
 *
 * Weir binds here and not by the client's `query_params`: in chDB statements with such parameters run one at a time in
 * the whole process (docs/adr/0011-values-are-bound-by-one-function.md).
 */
export function bind({ text, params }: SqlStatement): string {
  return text.replace(placeholder, (_, name: string, type: LiteralType) => {
    const value = params[name]
    if (value === undefined) throw new Error(`no value for the parameter ${name}`)
    return literal(value, type)
  })
}
