import { identifier, qualified } from '../../../identifier.ts'
import { columnType, restValue, type StoredAttribute, storedAttributes } from '../../columns.ts'
import { beforeTable, entityTable, feedView, nextTable, pastTable, rejectedTable } from '../../names.ts'
import type { Schema, Stream } from '../../schema.ts'
import { statistics } from '../../statistics.ts'
import { createAggregateFeed, createAggregateTable } from '../aggregate.ts'
import { attributeComment, commented } from '../comments.ts'
import { dropFeeds, dropTable, dropView, dropViews } from '../feeds.ts'
import { createFeeds, createTables, createViews, derivedTables } from '../schema.ts'
import { dropPast, fillFromPast, keepPast, nameOf } from './kept-events.ts'
import { type Change, type FreshTable, freshFilters, freshGraphFeeds, freshTables, streamOf } from './schema-diff.ts'
import { bothSchemas } from './union-schema.ts'

/**
 * The statements of an edit, each list in its order. New tables are built and filled beside the old ones, and are fed
 * together with them; then they take their places. Until that has happened `restore` brings back the old ones.
 */
export type Edit = {
  /** How events are written while both are fed. */
  readonly both: Schema
  /** The tables that are beside those of the schema while the edit is in these states; before and after it there are none. */
  readonly beside: Readonly<Record<'building' | 'filling', readonly string[]>>
  /** Run while no event comes in, in this order: the feeds go, tables beside the old ones are made, both are fed. */
  readonly dropFeeds: readonly string[]
  readonly prepare: readonly string[]
  readonly feedBoth: readonly string[]
  /** Run while events come in: brings the past into the new tables. */
  readonly fill: readonly string[]
  /** Run while no event comes in, after `dropFeeds`: the new tables take their places. */
  readonly replace: readonly string[]
  /** The same, given the tables that there are, at any moment before the edit stands. */
  restore(tables: ReadonlySet<string>): string[]
}

/** Nothing feeds the streams of `off`. */
export function planEdit(change: Change, off: ReadonlySet<string>): Edit {
  const { from, to } = change
  const fresh = freshTables(change)
  const both = bothSchemas(from, to)
  const replaced = fresh.filter(({ kept }) => kept)
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
  const offTables = new Set([...off].map(entityTable))
  const oldTables = new Set(from.streams.flatMap((stream) => tablesOf(from, stream)))
  const newTables = to.streams.flatMap((stream) => tablesOf(to, stream)).filter((table) => !oldTables.has(table))
  return {
    both,
    beside: {
      building: [...replaced.map(({ derived }) => nextTable(derived.aggregate.table)), ...pasts.map(pastTable)],
      filling: [...setAside(change), ...new Set([...pasts, ...later].map(pastTable))],
    },
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
        .flatMap((table) => table.derived.sources.map((source) => createAggregateFeed(source, placeOf(table)))),
    ],
    fill: fills.map(({ text }) => text),
    replace: [
      ...dropViews(from),
      ...replaced.map((table) => takePlace(to, table)),
      ...to.streams.flatMap((stream) => readDropped(from, to, stream)),
      ...createFeeds(to, off),
      ...createViews(to),
      ...later.flatMap((stream) => keepPast(to, stream)),
    ],
    restore: (tables) => [
      ...dropViews(to),
      ...replaced.flatMap((table) => giveBack(to, table, tables)),
      ...newTables.map((table) => dropTable(to.name, table)),
      ...[...pasts, ...later].map((stream) => dropPast(to.name, stream)),
      ...createFeeds(from, off),
      ...createViews(from),
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

/** The tables that an edit sets aside, until it stands. */
export const setAside = (change: Change): string[] =>
  freshTables(change)
    .filter(({ kept }) => kept)
    .map(({ derived }) => beforeTable(derived.aggregate.table))

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
function createNext({ name }: Schema, { derived, kept = [] }: FreshTable): string[] {
  const { aggregate } = derived
  const next = nextTable(aggregate.table)
  const columns = [
    ...aggregate.keys.map((key) => identifier(key.name)),
    ...kept.flatMap((measure) => statistics[measure.kind].columns(measure).map(nameOf)),
    ...(aggregate.redelivered ? ['_applied'] : []),
  ].join(', ')
  return [
    dropTable(name, next),
    createAggregateTable({ ...aggregate, table: next }),
    ...(kept.length === 0
      ? []
      : [
          `INSERT INTO ${qualified(name, next)} (${columns}) SELECT ${columns} FROM ${qualified(name, aggregate.table)}`,
        ]),
  ]
}

function takePlace({ name }: Schema, { derived }: FreshTable): string {
  const { table } = derived.aggregate
  const moves = [
    [table, beforeTable(table)],
    [nextTable(table), table],
  ].map(([from = '', to = '']) => `${qualified(name, from)} TO ${qualified(name, to)}`)
  return `RENAME TABLE ${moves.join(', ')}`
}

function giveBack({ name }: Schema, { derived }: FreshTable, tables: ReadonlySet<string>): string[] {
  const { table } = derived.aggregate
  const before = beforeTable(table)
  return [
    ...(tables.has(before)
      ? [dropTable(name, table), `RENAME TABLE ${qualified(name, before)} TO ${qualified(name, table)}`]
      : []),
    dropTable(name, nextTable(table)),
  ]
}
