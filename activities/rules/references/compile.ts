import type { Event, Json } from '../../../base/json.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import type { ComputedAttribute, Reference, Schema, Stream } from '../../../sql/schema/schema.ts'
import { conversions } from '../../events/computed/compile.ts'
import { readMember, typeOf } from '../../events/places.ts'
import type { RuleEvent } from '../rule-event.ts'
import { compileEntitySources } from './entity-source.ts'
import { compileFold } from './fold.ts'
import { compileLagged, isSeriesOf, type LaggedValues, seriesOf } from './lagged.ts'
import type { Outside } from './outside.ts'
import type { MemorySpace } from './seed.ts'
import { compileStreamSources } from './stream-source.ts'
import { compileTableSources } from './table-source.ts'

type Resolve = (event: RuleEvent, state: RuleState, outside: Outside) => void

/** Sets what a reference brings on the event. Without a row, or a value in it, a member stays as it is. */
function compileResults(stream: Stream, { results, whenPresent }: Reference) {
  const setters = results.map((name) => {
    const type = typeOf(stream, name)
    const convert = type === 'OBJECT' ? (value: unknown): unknown => value ?? undefined : conversions[type]
    const read = readMember(name)
    return (event: Event, found: unknown): void => {
      if (found === undefined || found === null) return
      if (whenPresent === 'add if missing' && (read(event) ?? null) !== null) return
      const value = convert(found)
      if (value !== undefined) event[name] = value as Json
    }
  })
  return (event: Event, row: readonly unknown[]): void => {
    for (let at = 0; at < setters.length; at++) setters[at]?.(event, row[at])
  }
}

/** The references of a schema: their results follow from the events before in the log, and from tables at that time. */
export function compileReferences(schema: Schema) {
  const { finders: rows, indexes } = compileStreamSources(schema)
  const { finders: entityRows, entities } = compileEntitySources(schema)
  const records = compileTableSources(schema)
  const lagged = schema.streams.flatMap((stream) => seriesOf(stream).map((series) => compileLagged(schema, series)))
  const folds = schema.streams.flatMap((stream) =>
    stream.computed.flatMap((attribute) =>
      attribute.operation === 'FOLD' ? compileFold(schema, stream, attribute) : [],
    ),
  )
  const resolvers = new Map<string, readonly Resolve[]>()
  const observers = new Map<string, Resolve[]>()

  for (const stream of schema.streams) {
    const resolves = stream.references.flatMap((reference): Resolve[] => {
      const find = rows.get(reference) ?? entityRows.get(reference) ?? records.get(reference)
      if (!find) return []
      const set = compileResults(stream, reference)
      return [
        (event, state, outside) => {
          const row = find(event, state, outside)
          if (row !== undefined) set(event.event, row)
        },
      ]
    })
    for (const fold of folds) if (fold.stream === stream.name) resolves.push(fold.resolve)
    if (resolves.length > 0) resolvers.set(stream.name, resolves)
  }
  const observe = (stream: string, observer: Resolve): unknown =>
    observers.set(stream, [...(observers.get(stream) ?? []), observer])
  for (const index of indexes) observe(index.stream, index.observe)
  for (const each of [...lagged, ...folds]) observe(each.stream, each.observe)
  for (const entity of entities) {
    for (const stream of entity.streams) {
      observe(stream, (event, state, outside) => entity.observe(stream, event, state, outside))
    }
  }

  return {
    /** The parts of the rules' memory that references read. */
    spaces: [...indexes, ...entities, ...lagged, ...folds].map(({ memory }): MemorySpace => memory),
    /** Whether references look at the stream's events, or its events look for others. */
    observes: (stream: string): boolean => observers.has(stream) || resolvers.has(stream),

    /** The values that a prediction with `lag` reads, as the events before have left them. */
    lagged(stream: string, attribute: ComputedAttribute): ((state: RuleState) => LaggedValues) | undefined {
      return lagged.find((each) => each.stream === stream && isSeriesOf(each.series, attribute))?.valuesIn
    },

    /** Sets on an event, before it is stored, what the references of its stream bring, in their order. */
    resolve(stream: string, event: RuleEvent, state: RuleState, outside: Outside): void {
      const list = resolvers.get(stream)
      if (list) for (const each of list) each(event, state, outside)
    },

    /** Remembers an event that is stored. */
    observe(stream: string, event: RuleEvent, state: RuleState, outside: Outside): void {
      const list = observers.get(stream)
      if (list) for (const each of list) each(event, state, outside)
    },
  }
}

export type References = ReturnType<typeof compileReferences>
