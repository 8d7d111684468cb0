/** Rows of a stream for the indexes of references: of each key the latest ones. */

import { qualified } from '../identifier.ts'
import { literal } from '../literal.ts'
import type { Condition } from '../query/ast.ts'
import { compileCondition, createParams } from '../query/compile/condition.ts'
import { memberPlaces } from '../query/compile/source.ts'
import { rowAlias, valueOf } from '../schema/columns.ts'
import type { Attribute, Schema, Stream } from '../schema/schema.ts'
import type { SqlStatement } from '../statement.ts'

export type SeedSource = {
  readonly schema: Schema
  readonly stream: Stream
  readonly keys: readonly Pick<Attribute, 'name' | 'type'>[]
  readonly attributes: readonly Pick<Attribute, 'name' | 'type'>[]
  /** Rows that lack one of them do not count, as those that lack a key. */
  readonly present?: SeedSource['keys']
  /** Rows that do not satisfy it never count. */
  readonly where?: Condition
}

/** The rows whose keys fall to one of so many parts. */
export type SeedPart = { readonly part: number; readonly parts: number }

/**
 * A row of a stream: its place, its time, and the texts of its key and of its attributes. An OBJECT is null there, and behind
 * them stands the JSON of the row's rest, which has it as it was sent: ClickHouse's functions give a number beyond 64 bits as a
 * double.
 */
export type SeedRow = readonly [seq: string, pk: string, key: readonly string[], values: readonly (string | null)[]]

const textsOf = (attributes: SeedSource['keys']): string =>
  attributes.length === 0
    ? "CAST([], 'Array(Nullable(String))')"
    : `[${attributes.map((attribute) => `toNullable(toString(${valueOf(attribute)}))`).join(', ')}]`

const objectText = "CAST(NULL, 'Nullable(String)')"

function valueTexts(attributes: SeedSource['attributes']): string {
  if (!attributes.some(({ type }) => type === 'OBJECT')) return textsOf(attributes)
  const texts = attributes.map((attribute) =>
    attribute.type === 'OBJECT' ? objectText : `toNullable(toString(${valueOf(attribute)}))`,
  )
  return `[${[...texts, `toNullable(${rowAlias}._rest)`].join(', ')}]`
}

/** The rows that have a key, as an alias for each of their parts. */
function rowsOf(source: SeedSource, { part, parts }: SeedPart, more: readonly string[] = []) {
  const { schema, stream, keys, attributes, present = [], where } = source
  const { params, add } = createParams()
  const conditions = [
    ...[...keys, ...present].map((key) => `isNotNull(${valueOf(key)})`),
    ...(where ? [compileCondition(where, memberPlaces(stream), { params, add })] : []),
    ...(parts === 1 ? [] : [`sipHash64(${textsOf(keys)}) % ${parts} = ${part}`]),
    ...more,
  ]
  const columns = `_pk, _seq, ${textsOf(keys)} AS _key, ${valueTexts(attributes)} AS _values`
  const from = `FROM ${qualified(schema.name, stream.name)} AS ${rowAlias}`
  const text = `SELECT ${columns} ${from}${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`
  return { text, params }
}

const row = 'tuple(toString(_seq), toString(_pk), _key, _values)'

/**
 * Column `row`: of each key the last row in the log, of the `max` keys whose rows are the latest; `late`: 1 where a row
 * before that one is later in time.
 */
export function compileLatestRows(source: SeedSource, part: SeedPart, max: number): SqlStatement {
  const { text, params } = rowsOf(source, part)
  return {
    text: `SELECT argMax(${row}, _seq) AS row, max(_pk) > argMax(_pk, _seq) AS late FROM (${text}) GROUP BY _key ORDER BY max(_seq) DESC LIMIT ${max}`,
    params,
  }
}

/**
 * Column `row`: rows that lie before the last one of their key in the log and are later in time than all that lie behind them,
 * of each key the last `max` ones.
 */
export function compileStairs(source: SeedSource, part: SeedPart, max: number): SqlStatement {
  const { text, params } = rowsOf(source, part)
  const behind = 'PARTITION BY _key ORDER BY _seq DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING'
  const late = `SELECT _key FROM (${text}) GROUP BY _key HAVING max(_pk) > argMax(_pk, _seq)`
  const rows = `SELECT _pk, _seq, _key, _values, max(_pk) OVER (${behind}) AS _later, row_number() OVER (PARTITION BY _key ORDER BY _seq DESC) AS _place FROM (${text}) WHERE _key IN (${late})`
  return {
    text: `SELECT ${row} AS row FROM (${rows}) WHERE _place > 1 AND _pk > _later ORDER BY _seq DESC LIMIT ${max} BY _key`,
    params,
  }
}

/**
 * Column `row`: of each key the last rows in the log, or the latest ones in time, the last one first, and not more of all keys
 * than `atOnce`.
 */
export function compileLastRows(
  source: SeedSource,
  part: SeedPart,
  max: number,
  atOnce?: number,
  by: 'log' | 'time' = 'log',
): SqlStatement {
  const { text, params } = rowsOf(source, part)
  const limit = atOnce === undefined ? '' : ` LIMIT ${atOnce}`
  const order = by === 'log' ? '_seq DESC' : '_pk DESC, _seq DESC'
  return { text: `SELECT ${row} AS row FROM (${text}) ORDER BY ${order} LIMIT ${max} BY _key${limit}`, params }
}

/** Column `pk`: the greatest time of the rows that lie before a place in the log; null where there is none. */
export const compileTimeBefore = ({ schema, stream }: SeedSource, seq: number): SqlStatement => ({
  text: `SELECT if(count() = 0, NULL, toString(max(_pk))) AS pk FROM ${qualified(schema.name, stream.name)} WHERE _seq < ${literal(seq, 'Int64')}`,
  params: {},
})

/** Columns `rows` and `keys`: how many rows there are that have a key, and about how many keys. */
export function compileSeedSize(source: SeedSource): SqlStatement {
  const { text, params } = rowsOf(source, { part: 0, parts: 1 })
  return { text: `SELECT toFloat64(count()) AS rows, toFloat64(uniqCombined64(_key)) AS keys FROM (${text})`, params }
}
