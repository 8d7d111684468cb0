import type { Event } from '../../../base/json.ts'
import { spaceOf } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import type { AttributeType, Reference, Schema, Stream } from '../../../sql/schema/schema.ts'
import { compileComparison, compileKey } from '../../events/compare.ts'
import { readScalar, readValue, typeOf } from '../../events/places.ts'
import { type RuleEvent, timeOfEvent } from '../rule-event.ts'
import type { IndexDefinition } from './index-definition.ts'
import { createLatestRows } from './latest-rows.ts'
import { type SplitCondition, type SplitTerm, splitCondition } from './pair.ts'
import type { RowTest } from './row-bounds.ts'
import { createSearchedRows } from './searched-rows.ts'
import type { MemorySpace } from './seed.ts'
import { seedIndex } from './seed-index.ts'
import { createTimedRows } from './timed-rows.ts'

/** Finds the row that a reference means, and gives its values; undefined where there is none. */
export type FindRow = (event: RuleEvent, state: RuleState) => readonly unknown[] | undefined

type StreamReference = {
  readonly reference: Reference
  readonly stream: Stream
  readonly source: Stream
  readonly condition: SplitCondition
}

/** All references over the rows of streams that share an index. */
type Sharing = {
  readonly first: StreamReference
  readonly all: StreamReference[]
  readonly attributes: Set<string>
  readonly searchedBy: Set<string>
}

const placeOf = ({ source, reference, condition: { keys, fixed, rest } }: StreamReference): string =>
  JSON.stringify([
    source.name,
    keys.map(({ other }) => other),
    fixed.map(({ other, operator, value }) => [other, operator, typeof value, String(value)]),
    rest.length > 0,
    ...(reference.asOf ? [reference.asOf] : []),
  ])

const attributesOf = ({ reference, condition }: StreamReference): string[] => [
  ...reference.sources,
  ...condition.rest.map(({ other }) => other),
]

/** References over the rows of streams: the finder of each, and the indexes of the rows. */
export function compileStreamSources(schema: Schema) {
  const streams = new Map(schema.streams.map((stream) => [stream.name, stream]))
  const sharing = new Map<string, Sharing>()
  for (const stream of schema.streams) {
    for (const reference of stream.references) {
      const source = reference.source.kind === 'stream' ? streams.get(reference.source.stream) : undefined
      if (!source) continue
      const one = { reference, stream, source, condition: splitCondition(reference.condition.terms, stream) }
      const shared = sharing.get(placeOf(one)) ?? {
        ...{ first: one, all: [] },
        attributes: new Set<string>(),
        searchedBy: new Set<string>(),
      }
      shared.all.push(one)
      for (const { other } of one.condition.rest) shared.searchedBy.add(other)
      for (const name of attributesOf(one)) shared.attributes.add(name)
      sharing.set(placeOf(one), shared)
    }
  }
  const finders = new Map<Reference, FindRow>()
  const indexes = [...sharing.values()].map(({ first, all, attributes, searchedBy }) => {
    const { keys, fixed, rest } = first.condition
    const index = compileIndex(schema, {
      stream: first.source,
      keys: keys.map(({ other }) => other),
      fixed,
      isSearched: rest.length > 0,
      isByTime: first.reference.asOf !== undefined,
      searchedBy: [...searchedBy].sort(),
      attributes: [...attributes].sort(),
    })
    for (const one of all) finders.set(one.reference, index.finder(one))
    return index
  })
  return { finders, indexes }
}

const typed = (stream: Stream, names: readonly string[]): [string, AttributeType][] =>
  names.map((name) => [name, typeOf(stream, name)])

function compileIndex(schema: Schema, definition: IndexDefinition) {
  const { stream, keys, fixed, isSearched, isByTime, searchedBy, attributes } = definition
  const space = spaceOf(schema.name, stream.name, 'refr', {
    keys: typed(stream, keys),
    fixed,
    isSearched,
    ...(isByTime && { isByTime }),
    attributes: typed(stream, attributes),
  })
  const window_us = stream.window === 0 ? Number.POSITIVE_INFINITY : stream.window * 1_000_000
  const isKeyed = keys.length > 0 || fixed.length > 0
  const latest = createLatestRows(space, window_us)
  const searched = createSearchedRows({
    ...{ space, window_us, isKeyed },
    places: searchedBy.map((name) => attributes.indexOf(name)),
  })

  const timed = isByTime
    ? createTimedRows({ space, window_us, places: searchedBy.map((name) => attributes.indexOf(name)) })
    : undefined

  const keyOf = compileKey(keys.map((name) => readScalar(stream, name)))
  const readers = attributes.map((name) => readValue(stream, name))
  const tests = fixed.map(({ other, operator, value }) => {
    const [read, holds] = [readScalar(stream, other), compileComparison(operator)]
    return (event: Event): boolean => holds(read(event), value)
  })

  function observe(event: RuleEvent, state: RuleState): void {
    for (const test of tests) if (!test(event.event)) return
    const key = keyOf(event.event)
    if (key === undefined) return
    const values = readers.map((read) => read(event.event) ?? null)
    if (timed) timed.add(state, key, event, values)
    else if (isSearched) searched.add(state, key, event, values)
    else latest.add(state, key, event, values)
  }

  function finder({ reference, condition }: StreamReference): FindRow {
    const keyOfEvent = compileKey(condition.keys.map(({ read }) => read))
    const places = reference.sources.map((name) => attributes.indexOf(name))
    const pick = (row: readonly unknown[]): readonly unknown[] => places.map((place) => row[place])
    const testsOf = compileRest(condition.rest, attributes)
    return (event, state) => {
      const key = keyOfEvent(event.event)
      if (key === undefined) return undefined
      const time = timeOfEvent(event)
      if (!isSearched && !timed) {
        const row = latest.find(state, key, time)
        return row && pick(row)
      }
      const tests = testsOf(event.event)
      const row = tests && (timed ?? searched).find(state, key, time, tests)
      return row && pick(row)
    }
  }

  const memory: MemorySpace = {
    name: space,
    stream: stream.name,
    keys,
    window_us,
    seed: (clickhouse, isOwn) => seedIndex(schema, space, window_us, definition, clickhouse, isOwn),
  }
  return { memory, stream: stream.name, observe, finder }
}

/** The comparisons that remembered values have to pass beyond their key; undefined where no row can. */
function compileRest(rest: readonly SplitTerm[], attributes: readonly string[]) {
  const terms = rest.map(({ other, ...term }) => ({ place: attributes.indexOf(other), ...term }))
  return (event: Event): readonly RowTest[] | undefined => {
    const tests: RowTest[] = []
    for (const { place, operator, read } of terms) {
      const operand = read(event)
      if (operand === undefined) return undefined
      tests.push({ place, operator, operand })
    }
    return tests
  }
}

export type StreamIndex = ReturnType<typeof compileIndex>
