import { quoted } from '../../query/print.ts'
import type { Comparison, Value } from '../ast.ts'

const needsNoQuotes = /^\w[\w.-]*$/

/** A label, relation or name; absent is `*`. */
export const text = (value: string | undefined): string =>
  value === undefined ? '*' : needsNoQuotes.test(value) ? value : quoted(value)

/** A property or column. A word of the language would be read as one. */
export const name = (value: string): string =>
  /^[a-z_][\w]*$/i.test(value) && !/^(AND|OR|AS|NA|RETURN|WHERE|LIMIT|SORT_ASC|SORT_DESC)$/.test(value)
    ? value
    : literal(value)

/** Text whose end is no pattern. */
const literal = (value: string): string => quoted(value).replace(/\$%"$/, '$\\u0025"')

function valueText(value: Value): string {
  switch (value.kind) {
    case 'missing':
      return 'NA'
    case 'number':
      return value.text
    case 'starts':
      return `${quoted(value.text).slice(0, -1)}$%"`
    case 'text':
      return literal(value.text)
    case 'reference':
      return `$${value.alias === undefined ? '' : `${value.alias}.`}${name(value.name)}`
  }
}

export const comparison = (left: string, { operator, value }: Omit<Comparison<unknown>, 'left'>): string =>
  `${left} ${operator} ${valueText(value)}`
