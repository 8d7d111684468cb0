/** Streams that the rules make before ClickHouse, and the matches of rules: each has a part of the log of its own. */
import { hasSessions } from './has-sessions.ts'
import { notificationsOfRule } from './rule-outputs.ts'
import type { Filter, Schema, Stream } from './schema.ts'

/** Whether the stream's events come by a part of the log of its own: posted ones, and those that rules make. */
export const hasQueue = ({ kind, isMade }: Pick<Stream, 'kind' | 'isMade'>): boolean =>
  kind === 'input' || isMade === true

/** Whether a schema has rules: they remember events. */
export const remembers = ({ streams }: Schema): boolean =>
  streams.some(
    (stream) =>
      stream.isMade === true ||
      stream.references.length + stream.rules.length + stream.movingFilters.length > 0 ||
      hasSessions(stream),
  )

/** Whether the order of its events matters to a schema: it has rules, folds, or predictions from last values. */
export const takesTurns = (schema: Schema): boolean =>
  remembers(schema) ||
  schema.streams.some(({ computed }) =>
    computed.some(({ lag, operation }) => lag !== undefined || operation === 'FOLD'),
  )

type WithMatches = {
  readonly streams: readonly Pick<Stream, 'rules' | 'movingFilters' | 'groupBys' | 'entities'>[]
}

/** Whether rules, sessions, or filters with a moving condition, have a notification. */
export const hasMatches = ({ streams }: WithMatches): boolean =>
  streams.some(
    ({ rules, movingFilters, groupBys, entities }) =>
      rules.some((rule) => notificationsOfRule(rule).length > 0) ||
      movingFilters.some(({ notification }) => notification !== undefined) ||
      [...groupBys, ...entities].some(({ session }) => session?.notification !== undefined),
  )

const isMadeStream = ({ streams }: Schema, name: string): boolean =>
  streams.some((stream) => stream.name === name && stream.isMade === true)

/** A filter that a view evaluates, with its place among those of its stream: the rules evaluate one into a stream that they make. */
export type ViewFilter = { readonly filter: Filter; readonly number: number }

export const viewFilters = (schema: Schema, { filters }: Pick<Stream, 'filters'>): ViewFilter[] =>
  filters.flatMap((filter, number) => (isMadeStream(schema, filter.target) ? [] : [{ filter, number }]))

/**
 * The streams whose events have values of a stream's events that are no copies of them: rows of joins, patterns and sessions, and what
 * references brought, from its entities too. The stream itself is one where it refers to its own events.
 */
export function takersOf({ streams }: Schema, stream: Stream): Stream[] {
  const [takers, copies] = [new Map<string, string[]>(), new Map<string, string[]>()]
  function add(to: Map<string, string[]>, source: string, name: string): void {
    const names = to.get(source)
    if (names) names.push(name)
    else to.set(source, [name])
  }
  const feeders = new Map<string, string[]>()
  for (const { name, entities } of streams) for (const { target } of entities) add(feeders, target, name)
  for (const { name, rules, references, computed, filters, movingFilters, groupBys, entities } of streams) {
    if (computed.some(({ operation }) => operation === 'FOLD')) add(takers, name, name)
    for (const { target } of [...filters, ...movingFilters]) if (target !== undefined) add(copies, name, target)
    for (const { session } of [...groupBys, ...entities])
      if (session?.target !== undefined) add(takers, name, session.target)
    for (const rule of rules) {
      const { target, absent, partner = name } = rule
      if (target !== undefined) for (const source of new Set([name, partner])) add(takers, source, target)
      if (absent?.target !== undefined) add(takers, name, absent.target)
    }
    for (const { source } of references) {
      if (source.kind === 'stream') add(takers, source.stream, name)
      if (source.kind === 'entity') for (const feeder of feeders.get(source.stream) ?? []) add(takers, feeder, name)
    }
  }
  const copied = new Set([stream.name])
  for (const name of copied) for (const copy of copies.get(name) ?? []) copied.add(copy)
  const taken = new Set([...copied].flatMap((name) => takers.get(name) ?? []))
  for (const name of taken)
    for (const next of [...(takers.get(name) ?? []), ...(copies.get(name) ?? [])]) taken.add(next)
  return streams.filter(({ name }) => taken.has(name))
}

/** How many filters of the schema, of either kind, copy events into the stream. */
export const filtersInto = ({ streams }: Schema, name: string): number =>
  streams
    .flatMap(({ filters, movingFilters }) => [...filters, ...movingFilters])
    .filter(({ target }) => target === name).length

/**
 * Streams with a part of the log whose lines reach the stream by views: through filters, and as entities. Rows that rules
 * make come while posted events take their turns, so the posted streams are among the sources of what is made.
 */
export function sourcesOf(schema: Schema, target: Pick<Stream, 'name'>): Stream[] {
  const sources = schema.streams.filter((source) => hasQueue(source) && reaches(schema, source, target.name))
  if (sources.every(({ isMade }) => isMade !== true)) return sources
  return schema.streams.filter((stream) => stream.kind === 'input' || sources.includes(stream))
}

function reaches(schema: Schema, source: Stream, target: string): boolean {
  const found = new Map([[source.name, source]])
  for (const each of found.values()) {
    if (each.name === target || each.entities.some((entity) => entity.target === target)) return true
    for (const { filter } of viewFilters(schema, each)) {
      const next = schema.streams.find(({ name }) => name === filter.target)
      if (next) found.set(next.name, next)
    }
  }
  return false
}
