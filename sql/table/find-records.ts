/**
 * Records by values that are not known before: of each of many tuples of values the record of the greatest key that satisfies
 * all terms. A term compares a path with a value of the tuple; numbers meet numbers, and texts meet texts.
 */
import type { Operator } from '../query/ast.ts'
import { atPath, createParams, type Params } from '../query/compile/condition.ts'
import type { AttributeType } from '../schema/schema.ts'
import type { SqlStatement } from '../statement.ts'
import { entryText, indexNumber } from './entries.ts'
import { mainRows } from './records.ts'
import { keyType, recordsDatabase, storageOf, type Table } from './table.ts'

export type FindTerm = { readonly path: string; readonly operator: Operator }
export type FindValue = string | number | bigint | boolean

/** A row of `compileFind`: the number of the tuple, and the record's key, version and document. */
export type FoundRow = { readonly i: number; readonly found: readonly [key: string, version: string, document: string] }

/** `exact`: a whole number that no double holds. */
type Kind = 'text' | 'number' | 'exact' | 'truth'

const kindOf = (value: FindValue): Kind =>
  typeof value === 'string'
    ? 'text'
    : typeof value === 'boolean'
      ? 'truth'
      : typeof value === 'bigint'
        ? 'exact'
        : 'number'

/** The kinds of a tuple's values: tuples that agree in them fit one statement. */
export const kindsOf = (values: readonly FindValue[]): string => values.map(kindOf).join(' ')

const typed: Readonly<Record<Kind, string>> = { text: 'String', number: 'Float64', exact: 'Int64', truth: 'Bool' }

/** The value at a path of a document as that kind; NULL where it is of another. */
const extracted: Readonly<Record<Kind, (reached: string) => string>> = {
  text: (reached) => `if(JSONType(${reached}) = 'String', JSONExtractString(${reached}), NULL)`,
  number: (reached) => `if(JSONType(${reached}) IN ('Int64', 'UInt64', 'Double'), JSONExtractFloat(${reached}), NULL)`,
  exact: (reached) => `if(JSONType(${reached}) = 'Int64', JSONExtractInt(${reached}), NULL)`,
  truth: (reached) => `if(JSONType(${reached}) = 'Bool', JSONExtractBool(${reached}), NULL)`,
}

/** The type of the values at a path of a table's records, OBJECT: whatever each document has there; undefined where no record has one. */
export function typeAt(table: Table, path: string): AttributeType | undefined {
  if (path === '_pk') return keyType(table) === 'Int64' ? 'LONG' : 'STRING'
  if (path === '_v') return 'LONG'
  if (table.kind === 'WIDE') return 'OBJECT'
  if (path !== 'doc') return undefined
  return table.kind === 'NORMAL' ? 'STRING' : 'DOUBLE'
}

/** The value of a path in a record, as an expression; undefined where no record has one of that kind. */
function valueAt(table: Table, path: string, kind: Kind, params: Params): string | undefined {
  const isNumber = kind === 'number' || kind === 'exact'
  if (path === '_pk') return (keyType(table) === 'Int64' ? isNumber : kind === 'text') ? '_pk' : undefined
  if (path === '_v') return isNumber ? 'toInt64(_v)' : undefined
  if (table.kind === 'WIDE') return atPath('doc', path.split('.'), params, extracted[kind])
  if (path !== 'doc') return undefined
  if (table.kind === 'NORMAL') return kind === 'text' ? 'doc' : undefined
  if (!isNumber) return undefined
  return table.kind === 'PRIMITIVE_STRING' ? 'toFloat64(doc)' : 'toInt64(doc)'
}

/**
 * All tuples have values of the same kinds. Undefined where no record satisfies a term of such a kind.
 *
 * A thousand tuples as a thousand literals cost ClickHouse more than its search, and a record that is compared with each of
 * them more again. So tuples stand in the statement as one text of JSON, and a record meets those alone that have its value.
 */
export function compileFind(
  table: Table,
  terms: readonly FindTerm[],
  tuples: readonly (readonly FindValue[])[],
): SqlStatement | undefined {
  const params = createParams()
  const kinds = (tuples[0] ?? []).map(kindOf)
  const values: string[] = []
  for (const [index, { path }] of terms.entries()) {
    const value = valueAt(table, path, kinds[index] ?? 'text', params)
    if (value === undefined) return undefined
    values.push(value)
  }
  const holds = terms
    .map(({ operator }, index) => `ifNull(_x${index} ${operator} _q.${index + 2}, false)`)
    .join(' AND ')
  const narrowed = terms.flatMap(({ operator }, index) => {
    if (operator !== '=') return []
    return [`${values[index]} IN (${among(tuples, index, typed[kinds[index] ?? 'text'], params)})`]
  })
  const { ordered, keys, part } = grouped(terms, tuples, kinds, params)
  const type = `Tuple(${['UInt32', ...kinds.map((kind) => typed[kind])].join(', ')})`
  return {
    text: [
      `WITH ${listed(ordered, type, params)} AS _tuples${keys}`,
      'SELECT _q.1 AS i, argMax(tuple(toString(_pk), toString(_v), doc), tuple(_pk, bitNot(_seq))) AS found FROM (',
      `SELECT _pk, _seq, _v, doc, arrayJoin(arrayFilter(_q -> ${holds}, ${part})) AS _q FROM (`,
      `SELECT _pk, _seq, _v, doc, ${values.map((value, index) => `${value} AS _x${index}`).join(', ')}`,
      `FROM ${storageOf(table)} FINAL`,
      `WHERE ${[scopeOf(table, terms, tuples, kinds, params), ...narrowed].join(' AND ')}`,
      ')) GROUP BY i',
    ].join(' '),
    params: params.params,
  }
}

/** An array as one constant. */
const listed = (items: readonly (FindValue | readonly FindValue[])[], type: string, params: Params): string =>
  `JSONExtract(${params.add(`[${items.map(jsonOf).join(',')}]`, 'String')}, 'Array(${type})')`

function jsonOf(item: FindValue | readonly FindValue[]): string {
  if (typeof item === 'object') return `[${item.map(jsonOf).join(',')}]`
  if (typeof item === 'bigint') return String(item)
  if (typeof item === 'string' ? !item.isWellFormed() : typeof item === 'number' && !Number.isFinite(item))
    throw new Error('half a surrogate pair, or a number that is not finite, is in no record')
  return JSON.stringify(item)
}

/** The different values of a term, each once. */
const among = (tuples: readonly (readonly FindValue[])[], index: number, type: string, params: Params): string =>
  listed([...new Set(tuples.map((tuple) => tuple[index] ?? ''))], type, params)

/**
 * The numbered tuples in an order where those of one value of a term of equality stand together; these values, as a constant
 * `_keys`; and the tuples that a record may meet: those of its value, or all where no such term tells them apart. Numbers are
 * put together as doubles, so that some more than equal ones may be.
 */
function grouped(
  terms: readonly FindTerm[],
  tuples: readonly (readonly FindValue[])[],
  kinds: readonly Kind[],
  params: Params,
): { ordered: FindValue[][]; keys: string; part: string } {
  const numbered = tuples.map((tuple, number): FindValue[] => [number, ...tuple])
  const by = terms.findIndex(({ operator }, index) => operator === '=' && kinds[index] !== 'truth')
  const all = { ordered: numbered, keys: '', part: '_tuples' }
  if (by < 0) return all
  const isText = kinds[by] === 'text'
  const groups = new Map<FindValue, FindValue[][]>()
  for (const tuple of numbered) {
    const value = tuple[by + 1] ?? ''
    // Both zeros are one number, and two texts of bits.
    const key = isText ? value : Number(value) + 0
    const group = groups.get(key)
    if (group) group.push(tuple)
    else groups.set(key, [tuple])
  }
  if (groups.size === 1) return all
  const starts: number[] = []
  const ordered: FindValue[][] = []
  for (const group of groups.values()) {
    starts.push(ordered.length + 1)
    ordered.push(...group)
  }
  const keys = `, ${listed([...groups.keys()], isText ? 'String' : 'Float64', params)} AS _keys`
  const value = isText ? `ifNull(_x${by}, '')` : `toFloat64(ifNull(_x${by}, 0)) + 0`
  const ofGroup = (numbers: readonly number[]): string =>
    `transform(${value}, _keys, ${listed(numbers, 'UInt32', params)}, 0)`
  const lengths = [...groups.values()].map(({ length }) => length)
  return { ordered, keys, part: `arraySlice(_tuples, ${ofGroup(starts)}, ${ofGroup(lengths)})` }
}

/** The rows of an index that covers a term, else the records themselves, which their keys find. */
function scopeOf(
  table: Table,
  terms: readonly FindTerm[],
  tuples: readonly (readonly FindValue[])[],
  kinds: readonly Kind[],
  params: Params,
): string {
  if (terms.some(({ path, operator }) => path === '_pk' && operator === '=')) return mainRows
  for (const [place, { path, operator }] of terms.entries()) {
    const index = table.indexes.find((each) => each.ready && each.path === path)
    if (operator !== '=' || !index) continue
    const covered = (read: (value: FindValue) => FindValue, type: string): string =>
      among(
        tuples.map((tuple) => [read(tuple[place] ?? '')]),
        0,
        type,
        params,
      )
    if (kinds[place] === 'text') {
      const texts = covered((value) => entryText(String(value)), 'String')
      return `_index = ${indexNumber(index, 'text')} AND _text IN (${texts}) AND _number = 0`
    }
    const kind = kinds[place] === 'truth' ? 'truth' : 'number'
    return `_index = ${indexNumber(index, kind)} AND _text = '' AND _number IN (${covered(Number, 'Float64')})`
  }
  return mainRows
}

/** A text that differs after each insert; empty where ClickHouse does not tell, as of a table that is spread over nodes. */
export type LastInsert = { readonly last: string }

/** Numbers of blocks begin anew where the server starts without the newest parts, so the time of the newest part counts, too. */
export const compileLastInsert = ({ storage }: Table): SqlStatement => ({
  text: [
    "SELECT if(count() > 0 AND engine = 'ReplacingMergeTree',",
    "concat(toString(max(max_block_number)), ' ', toString(max(modification_time))), '') AS last,",
    '(SELECT engine FROM system.tables WHERE database = {database:String} AND name = {storage:String}) AS engine',
    'FROM system.parts WHERE active AND database = {database:String} AND table = {storage:String}',
  ].join(' '),
  params: { database: recordsDatabase, storage },
})
