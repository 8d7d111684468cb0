import { identifier, qualified } from '../../identifier.ts'
import { literal } from '../../literal.ts'
import { compileCondition, createParams, type Resolve } from '../../query/compile/condition.ts'
import { memberPlaces } from '../../query/compile/source.ts'
import { bind } from '../../statement.ts'
import { attributeOf, pivotedAttributes, rowAlias, storedAttributes } from '../columns.ts'
import { feedView, inputTable, pivotColumn } from '../names.ts'
import type { Filter, Schema, Stream } from '../schema.ts'

/** The view that copies the events that match from a stream's Null table into the one of the filter's target. */
export function createFilterFeed(schema: Schema, stream: Stream, filter: Filter, number: number): string {
  const into = inputTable(filter.target)
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, feedView(into, stream.name, number))}`,
    `TO ${qualified(schema.name, into)} AS`,
    selectMatches(schema, stream, filter, qualified(schema.name, inputTable(stream.name))).text,
  ].join('\n')
}

/** Copies the events that match out of `from` by hand. */
export function insertMatches(schema: Schema, stream: Stream, filter: Filter, from: string): string {
  const { columns, text } = selectMatches(schema, stream, filter, from)
  return `INSERT INTO ${qualified(schema.name, inputTable(filter.target))} (${columns.join(', ')})\n${text}`
}

function selectMatches(
  schema: Schema,
  stream: Stream,
  filter: Filter,
  from: string,
): { columns: string[]; text: string } {
  const target = schema.streams.find(({ name }) => name === filter.target)
  if (!target) throw new Error(`filter ${filter.name} has no target`)
  const copied = new Set(filter.attributes)
  const params = createParams()
  const condition = compileCondition(filter.condition, rowPlaces(stream), params)
  const attributes = storedAttributes(target).filter(({ name }) => copied.has(name) && attributeOf(stream, name))
  const has = new Set(pivotedAttributes(schema, stream))
  const pivots = pivotedAttributes(schema, target).filter((name) => has.has(name))
  const objects = filter.attributes.filter(
    (name) => attributeOf(stream, name)?.type === 'OBJECT' && !name.includes('.'),
  )
  const plain = [
    ...attributes.map(({ name }) => identifier(name)),
    ...pivots.map((name) => identifier(pivotColumn(name))),
  ]
  const selected = ['_pk', '_seq', `${restOf(objects)} AS _rest`, ...plain].map((column) => `  ${column}`).join(',\n')
  return {
    columns: ['_pk', '_seq', '_rest', ...plain],
    text: bind({
      text: `SELECT\n${selected}\nFROM ${from} AS ${rowAlias}\nWHERE ${condition}`,
      params: params.params,
    }),
  }
}

/** The target's `_rest` is made here, so a bare `_rest` would be that one. */
function rowPlaces(stream: Stream): Resolve {
  const places = memberPlaces(stream)
  return (path, comparison) => {
    const place = places(path, comparison)
    return place.kind === 'json' ? { ...place, column: `${rowAlias}.${place.column}` } : place
  }
}

/** OBJECT attributes have no column: what is copied of the rest is these. */
function restOf(objects: readonly string[]): string {
  if (objects.length === 0) return "''"
  const members = objects.map((name) => {
    const key = literal(name, 'String')
    return `if(JSONHas(${rowAlias}._rest, ${key}), concat(${literal(`${JSON.stringify(name)}:`, 'String')}, JSONExtractRaw(${rowAlias}._rest, ${key})), '')`
  })
  const joined = `arrayStringConcat(arrayFilter(member -> member != '', [${members.join(', ')}]), ',')`
  return `if((${joined} AS joined) = '', '', concat('{', joined, '}'))`
}
