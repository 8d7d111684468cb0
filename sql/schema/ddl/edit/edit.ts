import { identifier, qualified } from '../../../identifier.ts'
import { columnType, restValue, type StoredAttribute, storedAttributes } from '../../columns.ts'
import { feedView, inputTable, nextTable, pastTable, rejectedTable } from '../../names.ts'
import type { Schema, Stream } from '../../schema.ts'
import { createAggregateFeed, createAggregateTable } from '../aggregate.ts'
import { attributeComment, commented } from '../comments.ts'
import { notAmong } from '../events.ts'
import { dropFeeds, dropTable, dropView } from '../feeds.ts'
import { createFeeds, createTables, createViews, derivedTables } from '../schema.ts'
import { dropPast, fillFromPast, keepPast, takeOver } from './past-events.ts'
import {
  allDerived,
  type Change,
  type FreshTable,
  freshFilters,
  freshGraphFeeds,
  freshTables,
  streamOf,
} from './schema-diff.ts'
import { exchange, swap, unmark } from './swap.ts'
import { bothSchemas } from './union-schema.ts'

/**
 * The statements of an edit, each list in its order. New tables are built and filled beside the old ones, and are fed
 * together with them; then they take their places. Until the edit stands `giveBack` and `restore` bring back the old ones.
 */
export type Edit = {
  /** How events are written while both are fed. */
  readonly both: Schema
  /** The tables that are beside those of the schema while the edit is in these states; before and after it there are none. */
  readonly beside: Readonly<Record<'building' | 'filling', readonly string[]>>
  /** The tables whose places others take: those others bear the edit's id. */
  readonly replaced: readonly string[]
  /** Run while no event comes in, in this order: the feeds go, tables beside the old ones are made, both are fed. */
  readonly dropFeeds: readonly string[]
  readonly prepare: readonly string[]
  readonly feedBoth: readonly string[]
  /** Run while events come in: brings the past into the new tables. */
  readonly fill: readonly string[]
  /** Run while no event comes in, after `dropFeeds`: the new tables take their places. */
  readonly replace: readonly string[]
  /**
   * Run while no event comes in, after `dropFeeds`, at any moment before the edit stands: the tables of before come back
   * to the places that tables with the edit's id have (`marked`, as `compileMarked` gives them).
   */
  giveBack(marked: ReadonlySet<string>): string[]
  /** Run after it, given the tables that there are: what was beside the old tables goes, and they are fed. */
  restore(tables: ReadonlySet<string>): string[]
}

/** Nothing feeds the streams of `off`; `id` tells the tables of this edit from those of others. */
export function planEdit(change: Change, off: ReadonlySet<string>, id: string): Edit {
  const { from, to, restored } = change
  const fresh = freshTables(change)
  const both = bothSchemas(from, to)
  const replaced = fresh.filter(({ kept }) => kept)
  const places = replacedTables(change)
  const fills = fresh.flatMap((table) =>
    table.sources
      .filter(({ stream }) => streamOf(from, stream))
      .map((source) => ({
        stream: source.stream,
        text: fillFromPast(to, source, qualified(to.name, placeOf(table))),
      })),
  )
  const pasts = [...new Set(fills.map(({ stream }) => stream))]
  const later = laterPasts(change)
  const at = (table: string): string => qualified(to.name, table)
  /** The rows that the kept events lack, which `fill` brings: an empty table does not know those that come again. */
  const comingRows = (name: string): string => {
    const stream = to.redelivered && pasts.includes(name) ? streamOf(from, name) : undefined
    return stream ? notAmong(stream, at(pastTable(name)), at(inputTable(name))) : at(inputTable(name))
  }
  const offTables = new Set(
    to.streams
      .filter(({ name, kind }) => kind === 'entity' && off.has(name))
      .flatMap((stream) => derivedTables(to, stream))
      .map(({ aggregate }) => aggregate.table),
  )
  const oldTables = new Set(from.streams.flatMap((stream) => tablesOf(from, stream)))
  const newTables =
    restored === undefined
      ? to.streams.flatMap((stream) => tablesOf(to, stream)).filter((table) => !oldTables.has(table))
      : []
  return {
    both,
    beside: {
      building: [...places.map(nextTable), ...pasts.map(pastTable)],
      filling: [...places.map(nextTable), ...new Set([...pasts, ...later].map(pastTable))],
    },
    replaced: places,
    dropFeeds: [...fresh.flatMap((table) => dropFreshFeeds(to, table)), ...dropFeeds(from), ...dropFeeds(to)],
    prepare: [
      ...newTables.map((table) => dropTable(to.name, table)),
      ...to.streams.flatMap((stream) => addColumns(from, to, stream)),
      ...createTables(to),
      ...replaced.flatMap((table) => createNext(to, table)),
      ...pasts.flatMap((stream) => keepPast(to, stream)),
    ],
    feedBoth: [
      ...createFeeds(from, off, both),
      ...fresh
        .filter(({ derived }) => !offTables.has(derived.aggregate.table))
        .flatMap((table) =>
          table.derived.sources.map((source) => createAggregateFeed(source, placeOf(table), comingRows(source.stream))),
        ),
    ],
    fill: fills.map(({ text }) => text),
    replace: [
      ...places.flatMap((table) => swap(at(table), at(nextTable(table)), id)),
      ...changeViews(from, to),
      ...to.streams.flatMap((stream) => readDropped(from, to, stream)),
      ...createFeeds(to, off),
      ...later.flatMap((stream) => keepPast(to, stream)),
    ],
    giveBack: (marked) =>
      places
        .filter((table) => marked.has(`${to.name}.${table}`))
        .map((table) => exchange(at(table), at(nextTable(table)))),
    restore: (tables) => [
      // Where the exchange itself was cut off there is more to it on a cluster, which this brings to its end.
      ...places.filter((table) => tables.has(nextTable(table))).map((table) => unmark(at(table))),
      ...changeViews(to, from),
      ...places.map((table) => dropTable(to.name, nextTable(table))),
      ...newTables.map((table) => dropTable(to.name, table)),
      ...[...pasts, ...later].map((stream) => dropPast(to.name, stream)),
      ...createFeeds(from, off),
    ],
  }
}

/** Streams whose past is brought elsewhere once the edit stands, or is compared with the rows that are brought there. */
export const laterPasts = (change: Change): string[] => [
  ...new Set([
    ...freshGraphFeeds(change).map(({ stream }) => stream.name),
    ...freshFilters(change).flatMap(({ stream, filter, beside }) =>
      beside ? [stream.name, filter.target] : [stream.name],
    ),
  ]),
]

/** The tables of a stream that hold data. */
export const tablesOf = (schema: Schema, stream: Stream): string[] => [
  ...(stream.kind === 'entity' ? [] : [stream.name, rejectedTable(stream.name)]),
  ...derivedTables(schema, stream).map(({ aggregate }) => aggregate.table),
]

/** The tables whose places others take. */
export const replacedTables = (change: Change): string[] =>
  freshTables(change)
    .filter(({ kept }) => kept)
    .map(({ derived }) => derived.aggregate.table)

/** The name under which a fresh table is built: of a new one its own. */
const placeOf = ({ derived, kept }: FreshTable): string =>
  kept ? nextTable(derived.aggregate.table) : derived.aggregate.table

const dropFreshFeeds = ({ name }: Schema, table: FreshTable): string[] =>
  table.derived.sources.map(({ stream, number }) => dropView(name, feedView(placeOf(table), stream, number)))

/** New attributes read the values that events brought under their name while it was not declared. */
function addColumns(from: Schema, to: Schema, stream: Stream): string[] {
  const before = streamOf(from, stream.name)
  if (!before || stream.kind === 'entity') return []
  let last = storedAttributes(before).at(-1)?.name ?? '_rest'
  return undeclared(stream, before).map(({ name, type }) => {
    const definition = `${identifier(name)} ${columnType(type)} DEFAULT ${restValue({ name, type })}`
    const place = `${commented(attributeComment(stream, { name, type }))} AFTER ${identifier(last)}`
    last = name
    return `ALTER TABLE ${qualified(to.name, stream.name)} ADD COLUMN IF NOT EXISTS ${definition} ${place}`
  })
}

/** Values that events bring under a dropped attribute's name still reach its column: it may be declared again. */
function readDropped(from: Schema, to: Schema, stream: Stream): string[] {
  const before = streamOf(from, stream.name)
  if (!before || stream.kind === 'entity') return []
  return undeclared(before, stream).map(
    ({ name, type }) =>
      `ALTER TABLE ${qualified(to.name, stream.name)} MODIFY COLUMN ${identifier(name)} ${columnType(type)} DEFAULT ${restValue({ name, type })}`,
  )
}

/** Attributes of `stream` that `other` does not declare. */
const undeclared = (stream: Stream, other: Stream): StoredAttribute[] => {
  const known = new Set(storedAttributes(other).map(({ name }) => name))
  return storedAttributes(stream).filter(({ name }) => !known.has(name))
}

/** A table that gains measures is made anew and takes over the ones that stay. */
function createNext({ name }: Schema, { derived: { aggregate }, kept = [] }: FreshTable): string[] {
  const next = nextTable(aggregate.table)
  return [
    dropTable(name, next),
    createAggregateTable({ ...aggregate, table: next }),
    ...takeOver(aggregate, kept, qualified(name, aggregate.table), qualified(name, next)),
  ]
}

/** Views of the one schema become those of the other; a view of both is there at each moment. */
function changeViews(from: Schema, to: Schema): string[] {
  const known = new Set(createViews(from))
  const [before, after] = [from, to].map((schema) =>
    allDerived(schema).flatMap(({ views }) => views.map(({ name }) => name)),
  )
  return [
    ...createViews(to).filter((statement) => !known.has(statement)),
    ...(before ?? []).filter((view) => !after?.includes(view)).map((view) => dropView(from.name, view)),
  ]
}
