import { identifier, qualified } from '../../identifier.ts'
import { isStored, type StoredAttribute } from '../../schema/columns.ts'
import type { Stream } from '../../schema/schema.ts'
import type { SqlStatement } from '../../statement.ts'
import { createParams, type Params } from './condition.ts'
import { type StreamSource, windowCondition } from './source.ts'

export type LastValuesRequest = {
  readonly quantity: StoredAttribute
  /** The series: the events whose attribute has the value of this text. */
  readonly of?: { readonly attribute: StoredAttribute; readonly text: string }
  readonly count: number
}

/** An attribute that the events table has a column for; undefined where the stream has none of that name. */
export const storedAttribute = ({ attributes }: Stream, name: string): StoredAttribute | undefined =>
  attributes.filter(isStored).find((each) => each.name === name)

/** Column `v`: the last so many values of a series, oldest first; events without one are passed over. */
export function compileLastValues(source: StreamSource, { quantity, of, count }: LastValuesRequest): SqlStatement {
  const params = createParams()
  const value = identifier(quantity.name)
  const where = [windowCondition(source), `isNotNull(${value})`, ...(of ? [equals(of.attribute, of.text, params)] : [])]
  const inner = [
    `SELECT _pk, _seq, toFloat64(assumeNotNull(${value})) AS _value`,
    `FROM ${qualified(source.schema.name, source.stream.name)}`,
    `WHERE ${where.join(' AND ')}`,
    `ORDER BY _pk DESC, _seq DESC LIMIT ${count}`,
  ].join(' ')
  return { text: `SELECT _value AS v FROM (${inner}) ORDER BY _pk, _seq`, params: params.params }
}

const numberOf = { LONG: 'toInt64OrNull', DOUBLE: 'toFloat64OrNull' } as const

/** A text that no value of the type has is equal to none. */
function equals({ name, type }: StoredAttribute, text: string, { add }: Params): string {
  const [column, given] = [identifier(name), add(text, 'String')]
  if (type === 'STRING') return `${column} = ${given}`
  if (type === 'BOOL') return `toString(${column}) = ${given}`
  return `${column} = ${numberOf[type]}(${given})`
}
