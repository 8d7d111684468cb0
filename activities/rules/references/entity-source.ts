import type { Event } from '../../../base/json.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { spaceOf } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import {
  compileEntityKeyCount,
  compileEntityStates,
  compileWindowStates,
  type EntityStates,
  entitySource,
  type WantedKeys,
  type WindowStates,
} from '../../../sql/query/compile/entities.ts'
import { attributeOf } from '../../../sql/schema/columns.ts'
import { entitiesOf, type FedEntity, type WindowMeasure } from '../../../sql/schema/ddl/entities.ts'
import type { AttributeType, EntityKey, Reference, Schema, StatisticKind, Stream } from '../../../sql/schema/schema.ts'
import { besideTop, type Measure, shownStatistics } from '../../../sql/schema/statistics.ts'
import type { Window } from '../../../sql/schema/windows.ts'
import { compileKey, keyText } from '../../events/compare.ts'
import { type ReadEvent, readScalar } from '../../events/places.ts'
import type { Scalar } from '../../events/values.ts'
import { type RuleEvent, timeOfEvent } from '../rule-event.ts'
import { createCounter, type Place, readCounted } from './counters.ts'
import type { Outside, Question } from './outside.ts'
import { readOperand } from './pair.ts'
import { type Fill, fillRecords, type IsOwn, type MemorySpace, ownsAll, seededKey } from './seed.ts'
import { createWindowCounter, forgotten, type StoredHop } from './window-counter.ts'

/** A row of an entity as it is remembered: the state of each measure that a reference reads. */
type EntityRow = readonly unknown[]

/** Set where all rows of an entity are remembered: one that is not there is empty. No key's text begins so. */
export const wholeKey = 'whole'

/** An entity of more rows is not remembered as a whole: its rows are asked for when they are wanted. */
const maxSeeded = 200_000

/** A row with a sketch makes up to a thousand records. */
const rowsOfSketches = 4

/** Finds the row of an entity that a reference means, and gives its values; undefined where there is none. */
export type FindEntity = (event: RuleEvent, state: RuleState, outside: Outside) => readonly unknown[] | undefined

/** References over the rows of entities, by the entity stream. */
export function compileEntitySources(schema: Schema) {
  const finders = new Map<Reference, FindEntity>()
  const byEntity = new Map<string, { reference: Reference; stream: Stream }[]>()
  for (const stream of schema.streams) {
    for (const reference of stream.references) {
      if (reference.source.kind !== 'entity') continue
      const name = reference.source.stream
      byEntity.set(name, [...(byEntity.get(name) ?? []), { reference, stream }])
    }
  }
  const entities = [...byEntity].map(([name, all]) => {
    const wanted = new Map<string, string[]>()
    for (const path of all.flatMap(({ reference }) => reference.sources))
      wanted.set(measureOf(path), [...(wanted.get(measureOf(path)) ?? []), fieldOf(path)])
    const entity = compileEntity(schema, name, wanted)
    for (const { reference, stream } of all) finders.set(reference, entity.finder(reference, stream))
    return entity
  })
  return { finders, entities }
}

/** `sales.avg` is the member `avg` of the measure `sales`, `sales.1h.avg` of `sales.1h`, the same over a window. */
const measureOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')))
const fieldOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** One definition that feeds the entity. */
type Feed = {
  readonly keyOf: (event: Event) => string | undefined
  readonly updates: readonly { readonly place: number; readonly read: ReadEvent }[]
}

/** A value that references read of each row, over all time or over a window, by its place in the row. */
type Counted = {
  /** The value of the entity, and the path by which it is read. */
  readonly result: string
  readonly path: string
  readonly empty: unknown
  begin(answer: unknown, place: Place): unknown
  /** Undefined where the memory has forgotten a part. */
  add(state: unknown, value: Scalar, place: Place, pk: string): unknown
  readonly members: Readonly<Record<string, ReadMember>>
}
/** `forgotten` where the memory has forgotten a part. */
type ReadMember = (state: unknown, place: Place, time: number) => unknown

/** A row as ClickHouse has it: of each measure the states and sketches, or the hops of its window. */
type Answer = readonly unknown[]

const overAllTime = (measure: Measure): Counted => {
  const counter = createCounter(measure)
  return {
    ...{ result: measure.result, path: measure.result, empty: counter.empty, members: counter.fields },
    add: counter.add,
    begin(answer, place) {
      const [states, sketches] = (answer as EntityStates['_v'][number] | undefined) ?? [0, []]
      return counter.begin(states, sketches, place)
    },
  }
}

const overWindow = (measure: WindowMeasure, window: Window, wanted: readonly string[]): Counted => {
  const counter = createWindowCounter(measure, window, wanted)
  return {
    ...{ result: measure.of, path: measure.path, empty: counter.empty, members: counter.members },
    add: (state, value, place, pk) => counter.add(state, value, place, { time: Number(pk), now: place.now() }),
    begin: (answer, place) => counter.begin((answer as readonly StoredHop[] | undefined) ?? [], place),
  }
}

const keepsSome = (measures: readonly Measure[], wanted: readonly StatisticKind[]): boolean =>
  measures.some(({ statistics: { kinds } }) => kinds.some((kind) => wanted.includes(kind)))

/** A measure as the name of a space holds it: of one statistic as it was before there were lists. */
const toSpace = ({ result, input, statistics }: Measure) => ({ result, input, kind: shownStatistics(statistics) })

/** `wanted`: by path of a measure the members that references read. */
function compileEntity(schema: Schema, name: string, wanted: ReadonlyMap<string, readonly string[]>) {
  const source = entitySource(schema, name)
  const fed = entitiesOf(schema, name)
  // A reference takes one value, and the most frequent ones are a list.
  const measures = source.measures.filter(({ result }) => wanted.has(result)).map(besideTop)
  const windows = source.windows
    .map((window) => ({ ...window, measures: window.measures.filter(({ path }) => wanted.has(path)) }))
    .filter((window) => window.measures.length > 0)
  const allMeasures = [...measures, ...windows.flatMap((window) => window.measures)]
  const hasParts = keepsSome(measures, ['UCOUNT'])
  const hasSketches = keepsSome(allMeasures, ['UCOUNT', 'QUANTILES'])
  const space = spaceOf(schema.name, name, 'entity', {
    // Parts of sketches of before had no generation.
    ...(hasParts && { generations: true }),
    keys: source.keys,
    measures: measures.map(toSpace),
    ...(windows.length > 0 && {
      windows: windows.map(({ length, hop, measures: own }) => ({
        ...{ length, hop },
        measures: own.map((measure) => ({
          ...toSpace(measure),
          members: [...new Set(wanted.get(measure.path))].sort(),
        })),
      })),
    }),
    fed: fed.map(({ stream, entity }) => ({
      stream: stream.name,
      keys: entity.keys,
      inputs: entity.inputs,
      results: entity.results,
    })),
  })
  const counted: readonly Counted[] = [
    ...measures.map(overAllTime),
    ...windows.flatMap((window) =>
      window.measures.map((measure) => overWindow(measure, window, wanted.get(measure.path) ?? [])),
    ),
  ]

  const feeds = new Map<string, Feed[]>()
  for (const each of fed) {
    feeds.set(each.stream.name, [...(feeds.get(each.stream.name) ?? []), compileFeed(each, counted)])
  }

  const question: Question<Answer | 'none'> = {
    isOfEvents: true,
    // A sketch has up to a hundred thousand bytes, and a window a hundred hops.
    atOnce: hasSketches ? 20 : windows.length > 0 ? 100 : 500,
    async ask({ clickhouse }, asked) {
      const found = await rowsOf(clickhouse, { texts: asked.map((values) => values.map(String)) })
      return asked.map((values) => found.get(keyText(values))?.answer ?? 'none')
    },
  }

  /** The rows that ClickHouse has, by key. */
  async function rowsOf(clickhouse: Pick<ClickHouse, 'rows'>, which: WantedKeys) {
    const found = new Map<string, { readonly key: readonly Scalar[]; readonly answer: unknown[] }>()
    for (const { _parts, _v } of await clickhouse.rows<EntityStates>(compileEntityStates(source, measures, which))) {
      const key = _parts.map(readPart)
      found.set(keyText(key), { key, answer: [..._v] })
    }
    let before = measures.length
    for (const window of windows) {
      const hops = await clickhouse.rows<WindowStates>(compileWindowStates(source, window, which))
      for (const { _parts, _hops } of hops) {
        // A row of all time is there for each: one table may be an instant behind the other only where nothing was caught up.
        const answer = found.get(keyText(_parts.map(readPart)))?.answer
        for (const index of window.measures.keys())
          if (answer)
            answer[before + index] = _hops.map(
              ([start, of]): StoredHop => [Number(start), of[index]?.[0] ?? 0, of[index]?.[1] ?? []],
            )
      }
      before += window.measures.length
    }
    return found
  }
  const readPart = (text: string, index: number): Scalar => readText(source.keys[index]?.type ?? 'STRING', text)

  const placeOf = (state: RuleState, seq: number, key: string, measure: number): Place => ({
    seq,
    value: (part) => state.value(space, `${measure}/${part}/${key}`),
    set: (part, value) => state.set(space, `${measure}/${part}/${key}`, value),
    now: state.now,
  })

  /** Rows that go on from an answer of this turn: an answer knows none of the turn's own events. */
  const answered = new WeakMap<EntityRow, Outside>()

  /** The row of a key; undefined where it is not known. A row that ClickHouse was asked for is remembered from now on. */
  function rowOf(state: RuleState, seq: number, key: string, outside: Outside): EntityRow | 'none' | undefined {
    const row = state.value(space, key) as EntityRow | undefined
    const answer = outside.known(question, key)
    if (row !== undefined && (answer === undefined || answered.get(row) === outside))
      return row.length === 0 ? 'none' : row
    if (answer === undefined) return state.value(space, wholeKey) === undefined ? undefined : 'none'
    // An answer of none is remembered, too.
    const begun = answer === 'none' ? [] : begin(state, seq, key, answer)
    state.set(space, key, begun)
    answered.set(begun, outside)
    return answer === 'none' ? 'none' : begun
  }

  /** Goes on with the states of a row that ClickHouse has merged. */
  function begin(state: RuleState, seq: number, key: string, answer: Answer): EntityRow {
    return counted.map((counter, index): unknown => counter.begin(answer[index], placeOf(state, seq, key, index)))
  }

  function observe(stream: string, one: RuleEvent, state: RuleState, outside: Outside): void {
    for (const feed of feeds.get(stream) ?? []) {
      const key = feed.keyOf(one.event)
      if (key === undefined || isCounted(feed, key, one, state, outside)) continue
      forget(state, key)
      isCounted(feed, key, one, state, outside)
    }
  }

  /** Forgets a row, so that the next reference to it asks ClickHouse. */
  function forget(state: RuleState, key: string): void {
    state.set(space, wholeKey, undefined)
    state.set(space, key, undefined)
  }

  /** Counts an event in the row of its key; false where the memory has forgotten a part of the row. */
  function isCounted({ updates }: Feed, key: string, one: RuleEvent, state: RuleState, outside: Outside): boolean {
    const { event, pk, seq } = one
    const known = rowOf(state, seq, key, outside)
    // A row that is not remembered is asked for when a reference wants it, with all events before.
    if (known === undefined) return true
    const row = known === 'none' ? counted.map(({ empty }): unknown => empty) : [...known]
    if (outside.known(question, key) !== undefined) answered.set(row, outside)
    for (const { place, read } of updates) {
      const value = read(event)
      const counter = counted[place]
      if (!counter || value === undefined) continue
      row[place] = counter.add(row[place], value, placeOf(state, seq, key, place), pk)
      if (row[place] === undefined) return false
    }
    state.set(space, key, row)
    return true
  }

  function finder(reference: Reference, stream: Stream): FindEntity {
    const readers = source.keys.map(({ name: key, type }): ReadEvent => {
      const term = reference.condition.terms.find(({ other }) => other === key)
      const read = term ? readOperand(stream, term) : () => undefined
      return (event) => asKey(type, read(event))
    })
    const keyOf = compileKey(readers)
    const fields = reference.sources.map((path) => {
      const place = counted.findIndex((each) => each.path === measureOf(path))
      return { place, read: counted[place]?.members[fieldOf(path)] }
    })
    const valuesOf = (row: EntityRow, one: RuleEvent, state: RuleState, key: string): readonly unknown[] => {
      const time = timeOfEvent(one)
      return fields.map(({ place, read }) => read?.(row[place], placeOf(state, one.seq, key, place), time))
    }
    return (one, state, outside) => {
      const { event, seq } = one
      const key = keyOf(event)
      if (key === undefined) return undefined
      const ask = (): undefined => {
        const values = readers.flatMap((read) => read(event) ?? [])
        outside.answer(question, key, values)
      }
      const row = rowOf(state, seq, key, outside)
      if (row === undefined) return ask()
      if (row === 'none') return undefined
      const values = valuesOf(row, one, state, key)
      return values.includes(forgotten) ? ask() : values
    }
  }

  async function* seed(clickhouse: Pick<ClickHouse, 'rows'>, isOwn: IsOwn = ownsAll): AsyncGenerator<Fill> {
    const [size] = await clickhouse.rows<{ readonly keys: number }>(compileEntityKeyCount(source))
    const keys = size?.keys ?? 0
    const rowSize = hasSketches ? 20 : 1 + windows.length
    const isWhole = keys <= maxSeeded / rowSize
    // The memory forgets the oldest first, so the mark goes before any row.
    if (isWhole) yield (state) => state.set(space, wholeKey, true, { seq: 0, pk: 0 })
    const parts = isWhole ? Math.ceil(keys / (hasSketches ? 200 : windows.length > 0 ? 2_000 : 20_000)) : 0
    for (let part = 0; part < parts; part++) {
      const rows = [...(await rowsOf(clickhouse, { part, parts })).values()].filter(({ key }) => isOwn(key))
      const atOnce = hasSketches ? rowsOfSketches : Math.ceil(fillRecords / rowSize)
      for (let at = 0; at < rows.length; at += atOnce) {
        const some = rows.slice(at, at + atOnce)
        yield (state) => {
          for (const { key, answer } of some)
            state.set(space, keyText(key), begin(state, state.now(), keyText(key), answer))
        }
      }
    }
    yield (state) => state.set(space, seededKey, true)
  }

  const memory: MemorySpace = {
    name: space,
    stream: name,
    keys: source.keys.map((key) => key.name),
    window_us: Number.POSITIVE_INFINITY,
    seed,
  }
  return { memory, streams: [...feeds.keys()], observe, finder }
}

function compileFeed({ stream, entity }: FedEntity, counted: readonly Counted[]): Feed {
  const keyOf = compileKey(entity.keys.map((key) => readKeyPart(stream, key)))
  const updates = entity.results.flatMap((result, index) => {
    const input = attributeOf(stream, entity.inputs[index] ?? '')
    const read = input && readCounted(stream, input)
    return counted.flatMap((each, place) => (read && each.result === result ? [{ place, read }] : []))
  })
  return { keyOf, updates }
}

/** The part of a key that an event gives; several values are joined to one text. */
export function readKeyPart(stream: Stream, { inputs, type }: EntityKey): ReadEvent {
  const readers = inputs.map((input) => readScalar(stream, input))
  const [only] = readers
  if (readers.length === 1 && only) return (event) => asKey(type, only(event))
  return (event) => {
    const texts: string[] = []
    for (const read of readers) {
      const value = read(event)
      if (value === undefined) return undefined
      texts.push(escaped(value))
    }
    return texts.join(':')
  }
}

/** As ClickHouse joins them: `\` and `:` stay apart from the joints. */
const escaped = (value: Scalar): string => textOf(value).replaceAll('\\', '\\\\').replaceAll(':', '\\:')

/** The text that ClickHouse's toString makes of a value. */
const textOf = (value: Scalar): string => (typeof value === 'number' ? String(value).replace('e+', 'e') : String(value))

/** A value as the key's column has it. */
function asKey(type: AttributeType, value: Scalar | undefined): Scalar | undefined {
  if (value === undefined) return undefined
  if (type === 'STRING' || type === 'OBJECT') return textOf(value)
  return value
}

function readText(type: AttributeType, text: string): Scalar {
  if (type === 'BOOL') return text === 'true'
  if (type !== 'LONG' && type !== 'DOUBLE') return text
  const number = Number(text)
  return type === 'LONG' && !Number.isSafeInteger(number) ? BigInt(text) : number
}
