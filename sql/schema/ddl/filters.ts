import { identifier, qualified } from '../../identifier.ts'
import { literal } from '../../literal.ts'
import { compileCondition, createParams } from '../../query/compile/condition.ts'
import { memberPlaces } from '../../query/compile/source.ts'
import { bind } from '../../statement.ts'
import { attributeOf, pivotedAttributes, rowAlias, storedAttributes } from '../columns.ts'
import { feedView, inputTable, pivotColumn } from '../names.ts'
import type { Filter, Schema, Stream } from '../schema.ts'

/** The view that copies the events that match from a stream's Null table into the one of the filter's target. */
export function createFilterFeed(schema: Schema, stream: Stream, filter: Filter, number: number): string {
  const target = schema.streams.find(({ name }) => name === filter.target)
  if (!target) throw new Error(`filter ${filter.name} has no target`)
  const into = inputTable(target.name)
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, feedView(into, stream.name, number))}`,
    `TO ${qualified(schema.name, into)} AS`,
    selectMatches(schema, stream, filter, target, qualified(schema.name, inputTable(stream.name))),
  ].join('\n')
}

export function selectMatches(schema: Schema, stream: Stream, filter: Filter, target: Stream, from: string): string {
  const copied = new Set(filter.attributes)
  const params = createParams()
  const condition = compileCondition(filter.condition, memberPlaces(stream), params)
  const attributes = storedAttributes(target).filter(({ name }) => copied.has(name) && attributeOf(stream, name))
  const has = new Set(pivotedAttributes(schema, stream))
  const pivots = pivotedAttributes(schema, target).filter((name) => has.has(name))
  const objects = filter.attributes.filter(
    (name) => attributeOf(stream, name)?.type === 'OBJECT' && !name.includes('.'),
  )
  return bind({
    text: [
      'SELECT',
      [
        '_pk',
        '_seq',
        `${restOf(objects)} AS _rest`,
        ...attributes.map(({ name }) => identifier(name)),
        ...pivots.map((name) => identifier(pivotColumn(name))),
      ]
        .map((column) => `  ${column}`)
        .join(',\n'),
      `FROM ${from} AS ${rowAlias}`,
      `WHERE ${condition}`,
    ].join('\n'),
    params: params.params,
  })
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
