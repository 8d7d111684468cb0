import type { Filter, Relation, Schema, StatisticKind, Stream } from '../../schema.ts'
import type { Measure } from '../../statistics.ts'
import { type AggregateSource, selectStates } from '../aggregate.ts'
import type { DerivedTable } from '../derived.ts'
import type { GraphFeed } from '../graph/feed.ts'
import { graphFeeds } from '../graph/relations.ts'
import { derivedTables } from '../schema.ts'

/** An edit from one schema to another. */
export type Change = {
  readonly from: Schema
  readonly to: Schema
  /** The one stream that `to` has beyond `from`: it was deleted with undo, and comes back with its tables. */
  readonly restored?: string | undefined
}

export const streamOf = (schema: Schema, name: string): Stream | undefined =>
  schema.streams.find((each) => each.name === name)

export const allDerived = (schema: Schema): DerivedTable[] =>
  schema.streams.flatMap((stream) => derivedTables(schema, stream))

/** An aggregate table that the edit makes: the sources with the measures that were not kept before. */
export type FreshTable = {
  readonly derived: DerivedTable
  readonly sources: readonly AggregateSource[]
  /** Measures, or the parts of some, that are taken over from the table of that name; absent where there was none. */
  readonly kept?: readonly Measure[]
}

const sameKeys = (a: DerivedTable, b: DerivedTable): boolean =>
  JSON.stringify(a.aggregate.keys.map(({ name, type }) => [name, type])) ===
  JSON.stringify(b.aggregate.keys.map(({ name, type }) => [name, type]))

/** The states that a source brings into one measure, as text: two that differ are two statistics. */
const meaning = (source: AggregateSource, measure: Measure): string =>
  selectStates({ ...source, measures: [measure] }, 'rows')

/** A measure with some of its statistics alone. */
const partOf = (measure: Measure, kinds: readonly StatisticKind[], isUncounted: boolean): Measure => {
  const { isUncounted: _, ...counted } = measure
  return { ...counted, statistics: { ...measure.statistics, kinds }, ...(isUncounted && { isUncounted }) }
}

/** Each statistic of a measure by itself. Levels of quantiles are no part of what is kept. */
const kindsOf = (source: AggregateSource, measure: Measure): readonly (readonly [StatisticKind, string])[] =>
  measure.statistics.kinds.map((kind) => [
    kind,
    `${kind} ${meaning(source, partOf(measure, [kind], kind !== 'COUNT'))}`,
  ])

/**
 * The part of a measure that is not known, and the part that is. The number of values stays with the statistics that stay,
 * unless moments are new: those count the values of which they are.
 */
function splitMeasure(source: AggregateSource, measure: Measure, known: ReadonlySet<string>) {
  const kinds = kindsOf(source, measure)
  const stay = kinds.flatMap(([kind, text]) => (known.has(text) ? [kind] : []))
  const come = kinds.flatMap(([kind, text]) => (known.has(text) ? [] : [kind]))
  const isCountNew = stay.length === 0 || come.includes('RSTAT')
  return {
    fresh: come.length === 0 ? undefined : partOf(measure, come, !isCountNew),
    kept: stay.length === 0 ? undefined : partOf(measure, stay, isCountNew),
  }
}

/** The tables that gain measures, or are new. A stream that comes back finds its own, and its columns in those of entities. */
export function freshTables({ from, to, restored }: Change): FreshTable[] {
  if (restored !== undefined) return []
  const old = new Map(allDerived(from).map((derived) => [derived.aggregate.table, derived]))
  return allDerived(to).flatMap((derived) => {
    const before = old.get(derived.aggregate.table)
    const alike = before && sameKeys(before, derived) ? before : undefined
    const known = new Set(
      alike?.sources.flatMap((source) =>
        source.measures.flatMap((each) => kindsOf(source, each).map(([, text]) => text)),
      ),
    )
    const split = derived.sources.map((source) => ({
      source,
      parts: source.measures.map((measure) => splitMeasure(source, measure, known)),
    }))
    const sources = split
      .map(({ source, parts }) => ({ ...source, measures: parts.flatMap(({ fresh }) => fresh ?? []) }))
      .filter(({ measures }) => measures.length > 0)
    if (before && sources.length === 0) return []
    const kept = alike ? split.flatMap(({ parts }) => parts.flatMap((part) => part.kept ?? [])) : []
    return [{ derived, sources, ...(before && { kept }) }]
  })
}

/** Relations that give the same triples, whatever properties they bring. */
const ends = ({ subject, relation, object, subjectLabel, objectLabel }: Relation): string =>
  JSON.stringify([subject, relation, object, subjectLabel, objectLabel])

export type FreshFeed = { readonly stream: Stream; readonly feed: GraphFeed }

/** The feeds into the graph that are new, of streams that were there before. */
export function freshGraphFeeds({ from, to }: Change): FreshFeed[] {
  return to.streams.flatMap((stream) => {
    const before = streamOf(from, stream.name)
    if (!before) return []
    const known = new Set(before.relations.map(ends))
    const knownNodes = new Set(graphFeeds(from, before).map(({ select }) => select('rows')))
    return graphFeeds(to, stream)
      .filter((feed) =>
        feed.brings === 'triples' ? !known.has(ends(feed.relation)) : !knownNodes.has(feed.select('rows')),
      )
      .map((feed) => ({ stream, feed }))
  })
}

export type FreshFilter = {
  readonly stream: Stream
  readonly filter: Filter
  /** Filters that bring the stream's events there before it; absent where its target is new. */
  readonly beside?: readonly Filter[]
}

/** The copying of a filter, as text, whatever its name. */
const copied = ({ condition, attributes, target }: Filter): string => JSON.stringify([condition, attributes, target])

/** Whether SQL says all of a filter's copies: the rules alone compute attributes of a copy, and look up its references. */
function isSaidBySql(schema: Schema, { computed = [], target }: Filter): boolean {
  const into = streamOf(schema, target)
  return into !== undefined && computed.length + into.computed.length + into.references.length === 0
}

/** Filters whose copies no filter made before, out of streams that were there, and that SQL can make of kept events. */
export function freshFilters({ from, to }: Change): FreshFilter[] {
  return to.streams.flatMap((stream) => {
    const before = streamOf(from, stream.name)
    if (!before) return []
    const known = new Set(before.filters.map(({ target, name }) => `${name} ${target}`))
    const copies = new Set(before.filters.map(copied))
    const fresh = stream.filters.filter(
      (filter) => !known.has(`${filter.name} ${filter.target}`) && !copies.has(copied(filter)),
    )
    const kept = stream.filters.filter((filter) => !fresh.includes(filter))
    return fresh.flatMap((filter, number): FreshFilter[] => {
      const beside = [...kept, ...fresh.slice(0, number)].filter(({ target }) => target === filter.target)
      return isSaidBySql(to, filter) ? [{ stream, filter, ...(streamOf(from, filter.target) && { beside }) }] : []
    })
  })
}
