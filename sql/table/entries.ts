/**
 * Where a document stands in the indexes of its table. The same rule twice: in JavaScript for records that are written one
 * by one, in SQL for those that ClickHouse moves by itself; a test holds them equal.
 */
import { literal } from '../literal.ts'
import type { Params } from '../query/compile/condition.ts'
import type { TableIndex } from './table.ts'

export type Entry = { readonly index: number; readonly text: string; readonly number: number }

/** Values of one path that cannot be equal stand apart: text, numbers, true and false. */
const kinds = { text: 0, number: 1, truth: 2 } as const
export type EntryKind = keyof typeof kinds

/** Numbers below it are no index's; each index has as many. */
export const firstNumber = 4

export const indexNumber = ({ number }: Pick<TableIndex, 'number'>, kind: EntryKind): number =>
  firstNumber * number + kinds[kind]

export const indexNumbers = ({ number }: Pick<TableIndex, 'number'>): number[] =>
  Object.values(kinds).map((kind) => firstNumber * number + kind)

/** Characters of a long text that its entry holds: the order key is kept in memory. */
const textLength = 64

export const entryText = (text: string): string =>
  text.length <= textLength ? text : [...text].slice(0, textLength).join('')

export function entriesOf(document: string, indexes: readonly TableIndex[]): Entry[] {
  if (indexes.length === 0) return []
  const value: unknown = JSON.parse(document)
  return indexes.flatMap((index) => entryOf(index, valueAt(value, index.path)) ?? [])
}

function valueAt(document: unknown, path: string): unknown {
  let value = document
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const found = Object.getOwnPropertyDescriptor(value, name)
    if (!found) return undefined
    value = found.value
  }
  return value
}

function entryOf(index: TableIndex, value: unknown): Entry | undefined {
  switch (typeof value) {
    case 'string':
      return { index: indexNumber(index, 'text'), text: entryText(value), number: 0 }
    case 'number':
      return { index: indexNumber(index, 'number'), text: '', number: value + 0 }
    case 'boolean':
      return { index: indexNumber(index, 'truth'), text: '', number: value ? 1 : 0 }
    default:
      return undefined
  }
}

const entryType = 'Array(Tuple(UInt32, String, Float64))'

/** An array of (index, text, number) of the document in `column`. */
export function entriesSql(column: string, indexes: readonly TableIndex[]): string {
  const each = indexes.map((index) => entrySql(column, index))
  return `arrayConcat(CAST([], '${entryType}')${each.map((sql) => `, ${sql}`).join('')})`
}

function entrySql(column: string, index: TableIndex): string {
  const path = [column, ...index.path.split('.').map((name) => literal(name, 'String'))].join(', ')
  const type = `JSONType(${path})`
  const text = `tuple(${indexNumber(index, 'text')}, substringUTF8(JSONExtractString(${path}), 1, ${textLength}), 0.)`
  const number = `tuple(${indexNumber(index, 'number')}, '', JSONExtractFloat(${path}) + 0)`
  const truth = `tuple(${indexNumber(index, 'truth')}, '', toFloat64(JSONExtractBool(${path})))`
  return [
    `multiIf(${type} = 'String', CAST([${text}], '${entryType}')`,
    `${type} IN ('Int64', 'UInt64', 'Double'), CAST([${number}], '${entryType}')`,
    `${type} = 'Bool', CAST([${truth}], '${entryType}'), CAST([], '${entryType}'))`,
  ].join(', ')
}

/** Entries known beforehand, in the same form. */
export const entriesGiven = (entries: readonly Entry[], params: Params): string =>
  `CAST([${entries.map(({ index, text, number }) => `(${index}, ${params.add(text, 'String')}, ${params.add(number, 'Float64')})`).join(', ')}], '${entryType}')`
