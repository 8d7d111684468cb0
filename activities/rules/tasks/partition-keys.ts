import type { Event } from '../../../base/json.ts'
import { entitiesOf } from '../../../sql/schema/ddl/entities.ts'
import { targetsOfRule } from '../../../sql/schema/rule-outputs.ts'
import type {
  MovingFilter,
  MovingValue,
  PairCondition,
  Rule,
  RuleCondition,
  Schema,
  Stream,
} from '../../../sql/schema/schema.ts'
import { sessionsOf } from '../../../sql/schema/sessions.ts'
import { keyText } from '../../events/compare.ts'
import { readScalar, typeOf } from '../../events/places.ts'
import { type IsOwn, type MemorySpace, ownsAll, ownsNone } from '../references/seed.ts'

/** Streams that rules connect, and the attributes that hold apart which events can meet; undefined: any do. */
type Connection = { readonly streams: readonly string[]; readonly shared: readonly string[] | undefined }

const equalNames = ({ terms }: PairCondition): string[] =>
  terms.flatMap(({ other, operator, value }) =>
    operator === '=' && value.kind === 'attribute' && value.name === other ? [other] : [],
  )

/** The moving values that a condition reads. */
function movingValues(condition: RuleCondition | undefined): MovingValue[] {
  if (condition === undefined) return []
  if (condition.kind !== 'compare') return condition.terms.flatMap(movingValues)
  return [condition.left, condition.right].flatMap((each) => (each.kind === 'moving' ? [each] : []))
}

const ofMoving = (stream: Stream, conditions: readonly (RuleCondition | undefined)[]): Connection[] =>
  conditions
    .flatMap(movingValues)
    .map(({ stream: read, by }) => ({ streams: [stream.name, read], shared: by === undefined ? [] : [by] }))

function ofRule(stream: Stream, { mode, condition, partner, filter, closing }: Rule): Connection[] {
  const moving = ofMoving(stream, [filter, closing])
  if (condition === undefined) return moving
  // The very latest event of a stream is that of any key.
  const isOfAll = mode === 'latest' || condition.between === 'none of the stream'
  const shared = isOfAll ? [] : equalNames(condition)
  return [...moving, { streams: [stream.name, ...(partner === undefined ? [] : [partner])], shared }]
}

function ofReferences(schema: Schema, stream: Stream): Connection[] {
  return stream.references.flatMap(({ source, condition }): Connection[] => {
    if (source.kind === 'table') return []
    if (source.kind === 'stream') return [{ streams: [stream.name, source.stream], shared: equalNames(condition) }]
    const feeders = entitiesOf(schema, source.stream)
    const shared = condition.terms.flatMap(({ other, value }) => {
      if (value.kind !== 'attribute') return []
      const isEverywhere = feeders.every(({ entity }) =>
        entity.keys.some(({ name, inputs }) => name === other && inputs.length === 1 && inputs[0] === value.name),
      )
      return isEverywhere ? [value.name] : []
    })
    return [{ streams: [stream.name, ...feeders.map((feeder) => feeder.stream.name)], shared }]
  })
}

const ofLags = ({ name, computed }: Stream): Connection[] =>
  computed.flatMap(({ lag, uid }) =>
    lag === undefined ? [] : [{ streams: [name], shared: uid === undefined ? [] : [uid] }],
  )

const ofFolds = ({ name, computed }: Stream): Connection[] =>
  computed.flatMap(({ operation, key = [] }) => (operation === 'FOLD' ? [{ streams: [name], shared: key }] : []))

/** Events of one session agree on each attribute of the key. */
const ofSessions = (stream: Stream): Connection[] =>
  sessionsOf(stream).map(({ keys }) => ({ streams: [stream.name], shared: keys.flatMap(({ inputs }) => inputs) }))

/** Rows that go from a stream into one that rules make, with the attributes that they keep under their names. */
const targetsOf = (stream: Stream): { target: string; kept: readonly string[] }[] => [
  ...sessionsOf(stream).flatMap(({ session, keys }) =>
    session.target === undefined
      ? []
      : {
          target: session.target,
          kept: keys.flatMap(({ name, inputs }) => (inputs.length === 1 && inputs[0] === name ? [name] : [])),
        },
  ),
  ...stream.rules.flatMap((rule) => targetsOfRule(rule).map((target) => ({ target, kept: rule.inputs }))),
  ...[...stream.filters, ...(stream.movingFilters as readonly Pick<MovingFilter, 'target' | 'attributes'>[])].flatMap(
    ({ target, attributes }) => (target === undefined ? [] : [{ target, kept: attributes }]),
  ),
]

function connectionsOf(schema: Schema): Connection[] {
  const connections = schema.streams.flatMap((stream) => [
    ...stream.rules.flatMap((rule) => ofRule(stream, rule)),
    ...ofReferences(schema, stream),
    ...ofLags(stream),
    ...ofFolds(stream),
    ...ofSessions(stream),
    ...stream.movingFilters.flatMap(({ condition }) => ofMoving(stream, [condition])),
  ])
  // A row takes its turn where its event does, so what it meets in its stream has to be there.
  for (let meets = new Set(connections.flatMap(({ streams }) => streams)), before = -1; meets.size > before; ) {
    before = meets.size
    for (const stream of schema.streams) {
      for (const { target, kept } of targetsOf(stream)) {
        if (!meets.has(target) || connections.some(({ streams }) => streams.join() === `${stream.name},${target}`))
          continue
        connections.push({ streams: [stream.name, target], shared: kept })
        meets = meets.add(stream.name)
      }
    }
  }
  return connections
}

/** Attributes whose values are there only once an event has taken its turn. */
const unknownBefore = ({ computed, references }: Stream): string[] => [
  ...computed.flatMap(({ name, isBeforeReferences }) => (isBeforeReferences ? [] : [name])),
  ...references.flatMap(({ results }) => results),
]

/** How the events of a stream are spread: by an attribute, or all of them go to one partition with those of other streams. */
export type Routing =
  | { readonly attribute: string; readonly of?: undefined }
  | { readonly of: string; readonly attribute?: undefined }

/**
 * How the events of each stream are spread over partitions: all that can meet an event has to be in its partition. A stream
 * that is not among them has rules that remember nothing. An edit of streams that these are not connected with changes nothing.
 */
export function partitionAttributes(schema: Schema): ReadonlyMap<string, Routing> {
  const connections = connectionsOf(schema)
  const parts = new Map<string, Set<string>>()
  for (const { streams } of connections) {
    const part = new Set(streams.flatMap((name) => [name, ...(parts.get(name) ?? [])]))
    for (const name of part) parts.set(name, part)
  }
  const routings = new Map<string, Routing>()
  for (const part of new Set(parts.values())) {
    const members = schema.streams.filter(({ name }) => part.has(name))
    const unknown = new Set(members.flatMap(unknownBefore))
    let shared: string[] | undefined
    for (const { streams, shared: own } of connections) {
      if (!part.has(streams[0] ?? '') || own === undefined) continue
      shared = shared === undefined ? [...own] : shared.filter((name) => own.includes(name))
    }
    const [attribute] = (shared ?? []).filter((name) => !unknown.has(name)).sort()
    const [of = ''] = members.map(({ name }) => name).sort()
    for (const { name } of members) routings.set(name, attribute === undefined ? { of } : { attribute })
  }
  return routings
}

/**
 * The same as a text for each name by which rules remember events: an entity that references read is made of those of the
 * streams that feed it.
 */
export function routingsOf(schema: Schema): Readonly<Record<string, string>> {
  const routings = partitionAttributes(schema)
  const textOf = (name: string): string => JSON.stringify(routings.get(name) ?? {})
  const entities = new Set(
    schema.streams.flatMap(({ references }) =>
      references.flatMap(({ source }) => (source.kind === 'entity' ? [source.stream] : [])),
    ),
  )
  const feeders = (entity: string): string[] => entitiesOf(schema, entity).map(({ stream }) => stream.name)
  return Object.fromEntries([
    ...[...routings.keys()].map((name) => [name, textOf(name)] as const),
    ...[...entities].map((name) => [name, [...new Set(feeders(name).map(textOf))].sort().join()] as const),
  ])
}

/** The names whose events come to other partitions than before. One that was not there had nothing to remember. */
export const movedBetween = (
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] => Object.keys(before).filter((name) => now[name] !== undefined && now[name] !== before[name])

/** The text by which an event goes to a partition. Numbers that are equal give one text. */
export function compilePartitionKeys(schema: Schema): (stream: string, event: Event, seq: number) => string {
  const attributes = partitionAttributes(schema)
  const readers = new Map(
    schema.streams.map((stream) => {
      const found = attributes.get(stream.name)
      return [stream.name, found && { ...found, read: found.attribute && readScalar(stream, found.attribute) }]
    }),
  )
  return (stream, event, seq) => {
    const found = readers.get(stream)
    if (!found) return String(seq)
    if (!found.read) return `of ${found.of}`
    const value = found.read(event)
    return value === undefined ? '' : keyText([value])
  }
}

/**
 * Which keys of a space have their turns in a partition, that lines of a key come to where `isOwn` says so; undefined where
 * that does not follow from the key of a row.
 */
export function compileOwnKeys(
  schema: Schema,
  isOwn: (partitionKey: string) => boolean,
): (space: Pick<MemorySpace, 'stream' | 'keys'>) => IsOwn | undefined {
  const routings = partitionAttributes(schema)

  /** The place in the key of the attribute by which events of the stream come to partitions, kept as they have it. */
  function placeIn(stream: Stream, attribute: string, entity: string, keys: readonly string[]): number {
    const feeds = entitiesOf(schema, entity)
    if (feeds.length === 0) return keys.indexOf(attribute)
    const isAsSent = (name: string): boolean =>
      feeds.every(
        (feed) =>
          feed.stream.name !== stream.name ||
          feed.entity.keys.some(
            ({ name: key, inputs, type }) =>
              key === name && inputs.length === 1 && inputs[0] === attribute && type === typeOf(stream, attribute),
          ),
      )
    return keys.findIndex(isAsSent)
  }

  return ({ stream: name, keys }) => {
    const feeders = entitiesOf(schema, name).map(({ stream }) => stream)
    const streams = feeders.length > 0 ? feeders : schema.streams.filter((stream) => stream.name === name)
    const all = streams.map((stream) => ({ stream, routing: routings.get(stream.name) }))
    const [first] = all
    if (!first?.routing || all.some(({ routing }) => JSON.stringify(routing) !== JSON.stringify(first.routing))) {
      return undefined
    }
    const { routing } = first
    if (routing.attribute === undefined) {
      return isOwn(`of ${routing.of}`) ? ownsAll : ownsNone
    }
    const places = new Set(all.map(({ stream }) => placeIn(stream, routing.attribute, name, keys)))
    const [place = -1] = places
    if (places.size !== 1 || place < 0) return undefined
    return (key) => {
      const part = key[place]
      return part === undefined || isOwn(keyText([part]))
    }
  }
}
