import { identifier, qualified } from '../../identifier.ts'
import { escapedValue } from '../../query/compile/group-key.ts'
import { attributeOf, valueOf, valueType } from '../columns.ts'
import { entityTable, windowTable } from '../names.ts'
import type { Attribute, Entity, Schema, Stream } from '../schema.ts'
import { type Measure, mergeOf } from '../statistics.ts'
import {
  hopRetention,
  type Window,
  windowColumn,
  windowName,
  windowOfInput,
  windowResult,
  windowStates,
} from '../windows.ts'
import {
  type Aggregate,
  type AggregateKey,
  type AggregateSource,
  createReadableView,
  type ReadableKey,
  type View,
} from './aggregate.ts'
import type { DerivedTable } from './derived.ts'
import { intervalColumn, intervalKey } from './intervals.ts'
import { withTops } from './tops.ts'

/** An entity definition and the stream that it stands in. */
export const entityNames = ({ streams }: Schema): string[] =>
  streams.filter(({ kind }) => kind === 'entity').map(({ name }) => name)

export type FedEntity = { readonly stream: Stream; readonly entity: Entity }

/** All definitions that feed one entity stream. */
export const entitiesOf = (schema: Schema, target: string): FedEntity[] =>
  schema.streams.flatMap((stream) =>
    stream.entities.filter((entity) => entity.target === target).map((entity) => ({ stream, entity })),
  )

const measuresOf = ({ stream, entity }: FedEntity): Measure[] =>
  entity.results.flatMap((result, index) => {
    const input = attributeOf(stream, entity.inputs[index] ?? '')
    return input ? [{ result, input, statistics: entity.statistics }] : []
  })

/** A measure over a window: `of` is the name of the value, `name` that of the window, `path` that of both. */
export type WindowMeasure = Measure & { readonly of: string; readonly name: string; readonly path: string }

/** A window of an entity stream: a table with a row a key and hop. */
export type EntityWindow = Window & { readonly table: string; readonly measures: readonly WindowMeasure[] }

const windowsIn = ({ stream, entity }: FedEntity): (Window & { readonly measure: WindowMeasure })[] =>
  (entity.windows ?? []).flatMap((length) =>
    measuresOf({ stream, entity }).map((measure) => ({
      ...windowOfInput(length, stream, measure.input.name),
      measure: {
        ...measure,
        result: windowStates(measure.result, length),
        shown: windowColumn(measure.result, length),
        of: measure.result,
        name: windowName(length),
        path: windowResult(measure.result, length),
      },
    })),
  )

const isSame = (a: Window, b: Window): boolean => a.length === b.length && a.hop === b.hop

/** The windows of an entity stream, the shortest first. */
export function entityWindows(schema: Schema, target: string): EntityWindow[] {
  const all = entitiesOf(schema, target).flatMap(windowsIn)
  const first = all.filter((each, index) => all.findIndex((other) => isSame(each, other)) === index)
  return first
    .toSorted((a, b) => a.length - b.length || a.hop - b.hop)
    .map(({ length, hop }) => ({
      length,
      hop,
      table: windowTable(target, length, hop),
      measures: all.filter((other) => isSame({ length, hop }, other)).map(({ measure }) => measure),
    }))
}

/** The attributes that give a definition's keys. */
const inputsOf = ({ stream, entity }: FedEntity): Pick<Attribute, 'name' | 'type'>[] =>
  entity.keys.flatMap(({ inputs, type }) => inputs.map((name) => attributeOf(stream, name) ?? { name, type }))

/** Keys in the target's terms; each definition says which of its attributes give them. */
const keysOf = ({ stream, entity }: FedEntity): AggregateKey[] =>
  entity.keys.map(({ name, type, inputs }) => {
    const values = inputs.map(
      (input) => `assumeNotNull(${valueOf(attributeOf(stream, input) ?? { name: input, type })})`,
    )
    return {
      name,
      type: valueType(type),
      value: values.length === 1 ? (values[0] ?? '') : `concat(${values.map(escapedValue).join(", ':', ")})`,
    }
  })

/** Every measure of an entity stream, by its result's name. */
export const entityMeasures = (schema: Schema, target: string): Measure[] =>
  entitiesOf(schema, target).flatMap(measuresOf)

/**
 * The aggregates of an entity stream: one row a key over all its events, fed by every definition with that target; and of
 * each window one row a key and hop.
 */
export function entityTables(schema: Schema, target: Stream): DerivedTable[] {
  const fed = entitiesOf(schema, target.name)
  const [first] = fed
  if (!first) return []
  const aggregate: Aggregate = {
    database: schema.name,
    redelivered: schema.redelivered,
    table: entityTable(target.name),
    keys: keysOf(first),
    measures: fed.flatMap(measuresOf),
    manyKeys: true,
  }
  const windows = entityWindows(schema, target.name)
  const lifetime = {
    aggregate,
    sources: sourcesOf(aggregate, fed, measuresOf),
    views: [readableView(schema, target.name, aggregate, windows)],
  }
  return [...withTops(lifetime), ...windows.map((window) => windowOf(aggregate, fed, window))]
}

/** When a row of a window came last, whatever its own time is. */
const arrival = '_came'

function windowOf(lifetime: Aggregate, fed: readonly FedEntity[], window: EntityWindow): DerivedTable {
  const retention = hopRetention(window)
  const hop = intervalKey(window.hop)
  const aggregate: Aggregate = {
    ...lifetime,
    table: window.table,
    keys: [...lifetime.keys, hop],
    measures: window.measures,
    window: retention,
    ttl: `toDateTime(least(greatest(intDiv(${intervalColumn}, 1000000), toUnixTimestamp(${arrival})) + ${retention}, 4294967295))`,
    arrival,
    indexes: [`INDEX _by_time ${intervalColumn} TYPE minmax`],
  }
  const ofWindow = (each: FedEntity): Measure[] =>
    windowsIn(each).flatMap(({ measure, ...other }) => (isSame(window, other) ? [measure] : []))
  return { aggregate, sources: sourcesOf(aggregate, fed, ofWindow, [hop]), views: [] }
}

/** The hops that overlap a window at a time, in microseconds (an expression). */
export const hopsAt = ({ length, hop }: Window, at_us: string): string =>
  `${intervalColumn} > ${at_us} - ${(length + hop) * 1e6 - 1} AND ${intervalColumn} <= ${at_us}`

/** Rows of the keys, and beside each those of its windows (selects with the same keys): zeros where there is none. */
export const besideWindows = (rows: string, windows: readonly string[], keys: string): string =>
  [`(${rows}) AS _all`, ...windows.map((window, index) => `LEFT JOIN (${window}) AS _w${index} USING (${keys})`)].join(
    '\n',
  )

/** A client may have set it otherwise. */
export const zerosWhereNone = 'join_use_nulls = 0'

function readableView(schema: Schema, target: string, aggregate: Aggregate, windows: readonly EntityWindow[]): View {
  const keys = aggregate.keys.map(
    ({ name, type }): ReadableKey => ({ name, type, value: identifier(name), comment: 'Key of the entity' }),
  )
  const names = keys.map(({ value }) => value).join(', ')
  const rows = (table: string, measures: readonly Measure[], condition: string): string =>
    `SELECT ${[names, ...measures.flatMap(mergeOf)].join(', ')} FROM ${qualified(schema.name, table)}${condition} GROUP BY ${names}`
  const ofWindows = windows.map((window) =>
    rows(window.table, window.measures, ` WHERE ${hopsAt(window, 'toUnixTimestamp64Micro(now64(6))')}`),
  )
  return createReadableView(
    { ...aggregate, measures: [...aggregate.measures, ...windows.flatMap(({ measures }) => measures)] },
    {
      name: target,
      comment: `Entity stream ${schema.name}.${target}: a row a key, with statistics over all its events`,
      keys,
      countedAlone: false,
      ...(windows.length > 0 && {
        from: `(SELECT * FROM ${besideWindows(rows(aggregate.table, aggregate.measures, ''), ofWindows, names)}\nSETTINGS ${zerosWhereNone})`,
      }),
    },
  )
}

/** One feed a (stream, key attributes): definitions of one stream that share their keys are computed together. */
function sourcesOf(
  aggregate: Aggregate,
  fed: readonly FedEntity[],
  measured: (each: FedEntity) => Measure[],
  moreKeys: readonly AggregateKey[] = [],
): AggregateSource[] {
  const together = new Map<string, FedEntity[]>()
  for (const each of fed) {
    const place = [each.stream.name, ...inputsOf(each).map(({ name }) => name)].join(':')
    together.set(place, [...(together.get(place) ?? []), each])
  }
  return [...together.values()].flatMap((all, number) => {
    const [first] = all
    const measures = all.flatMap(measured)
    if (!first || measures.length === 0) return []
    return [
      {
        stream: first.stream.name,
        aggregate,
        keys: [...keysOf(first), ...moreKeys],
        measures,
        condition: inputsOf(first)
          .map((input) => `isNotNull(${valueOf(input)})`)
          .join(' AND '),
        number,
      },
    ]
  })
}
