import { identifier, qualified } from '../../identifier.ts'
import { compileCondition, createParams, type Resolve } from '../../query/compile/condition.ts'
import { memberPlaces } from '../../query/compile/source.ts'
import { bind } from '../../statement.ts'
import { attributeOf, pivotedAttributes, rowAlias, storedAttributes } from '../columns.ts'
import { feedView, inputTable, pivotColumn } from '../names.ts'
import type { Filter, Schema, Stream } from '../schema.ts'
import { copiedObjects } from './edit/copied-objects.ts'
import { laneOf } from './watermark.ts'

/** The view that copies the events that match from a stream's Null table into the one of the filter's target. */
export function createFilterFeed(schema: Schema, stream: Stream, filter: Filter, number: number): string {
  const into = inputTable(filter.target)
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualified(schema.name, feedView(into, stream.name, number))}`,
    `TO ${qualified(schema.name, into)} AS`,
    selectMatches(schema, stream, filter, {
      from: qualified(schema.name, inputTable(stream.name)),
      feed: feedView(into, stream.name, number),
    }).text,
  ].join('\n')
}

/** The events of `from` that match, as rows of the target's Null table; `feed` names their lane. */
export function selectMatches(
  schema: Schema,
  stream: Stream,
  filter: Filter,
  { from, feed }: { readonly from: string; readonly feed: string },
): { text: string } {
  const target = schema.streams.find(({ name }) => name === filter.target)
  if (!target) throw new Error(`filter ${filter.name} has no target`)
  const copied = new Set(filter.attributes)
  const attributes = storedAttributes(target).filter(({ name }) => copied.has(name) && attributeOf(stream, name))
  const has = new Set(pivotedAttributes(schema, stream))
  const pivots = pivotedAttributes(schema, target).filter((name) => has.has(name))
  const plain = [
    ...attributes.map(({ name }) => identifier(name)),
    ...pivots.map((name) => identifier(pivotColumn(name))),
  ]
  const lane = laneOf(feed, `${rowAlias}.`)
  const selected = [
    '_pk',
    '_seq',
    `${copiedObjects(stream, filter.attributes)} AS _rest`,
    ...plain,
    ...(schema.redelivered ? [`${lane} AS _lane`, '_position'] : []),
  ]
  return {
    text: `SELECT\n${selected.map((column) => `  ${column}`).join(',\n')}\nFROM ${from} AS ${rowAlias}\nWHERE ${matches(stream, filter)}`,
  }
}

/** Whether a row of the stream matches; NULL is no match. */
export function matches(stream: Stream, filter: Filter): string {
  const params = createParams()
  const text = compileCondition(filter.condition, rowPlaces(stream), params)
  return bind({ text, params: params.params })
}

/** The target's `_rest` is made here, so a bare `_rest` would be that one. */
export function rowPlaces(stream: Stream): Resolve {
  const places = memberPlaces(stream)
  return (path, comparison) => {
    const place = places(path, comparison)
    return place.kind === 'json' ? { ...place, column: `${rowAlias}.${place.column}` } : place
  }
}
