import type { Event } from '../../../base/json.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { spaceOf } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import {
  compileEntityKeyCount,
  compileEntityStates,
  type EntityStates,
  entitySource,
} from '../../../sql/query/compile/entities.ts'
import { attributeOf } from '../../../sql/schema/columns.ts'
import { entitiesOf, type FedEntity } from '../../../sql/schema/ddl/entities.ts'
import type { AttributeType, EntityKey, Reference, Schema, StatisticKind, Stream } from '../../../sql/schema/schema.ts'
import { besideTop, type Measure, shownStatistics } from '../../../sql/schema/statistics.ts'
import { compileKey, keyText } from '../../events/compare.ts'
import { type ReadEvent, readScalar } from '../../events/places.ts'
import type { Scalar } from '../../events/values.ts'
import type { RuleEvent } from '../rule-event.ts'
import { type Counter, createCounter, type Place, readCounted } from './counters.ts'
import type { Outside, Question } from './outside.ts'
import { readOperand } from './pair.ts'
import { type Fill, fillRecords, type IsOwn, type MemorySpace, ownsAll, seededKey } from './seed.ts'

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
    const results = new Set(all.flatMap(({ reference }) => reference.sources.map((path) => measureOf(path))))
    const entity = compileEntity(schema, name, results)
    for (const { reference, stream } of all) finders.set(reference, entity.finder(reference, stream))
    return entity
  })
  return { finders, entities }
}

/** `sales.avg` is the member `avg` of the measure `sales`. */
const measureOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')))
const fieldOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/** One definition that feeds the entity. */
type Feed = {
  readonly keyOf: (event: Event) => string | undefined
  readonly updates: readonly { readonly place: number; readonly read: ReadEvent }[]
}

const keepsSome = (measures: readonly Measure[], wanted: readonly StatisticKind[]): boolean =>
  measures.some(({ statistics: { kinds } }) => kinds.some((kind) => wanted.includes(kind)))

/** A measure as the name of a space holds it: of one statistic as it was before there were lists. */
const toSpace = ({ result, input, statistics }: Measure) => ({ result, input, kind: shownStatistics(statistics) })

function compileEntity(schema: Schema, name: string, results: ReadonlySet<string>) {
  const source = entitySource(schema, name)
  const fed = entitiesOf(schema, name)
  // A reference takes one value, and the most frequent ones are a list.
  const measures = source.measures.filter(({ result }) => results.has(result)).map(besideTop)
  const hasParts = keepsSome(measures, ['UCOUNT'])
  const hasSketches = keepsSome(measures, ['UCOUNT', 'QUANTILES'])
  const space = spaceOf(schema.name, name, 'entity', {
    // Parts of sketches of before had no generation.
    ...(hasParts && { generations: true }),
    keys: source.keys,
    measures: measures.map(toSpace),
    fed: fed.map(({ stream, entity }) => ({
      stream: stream.name,
      keys: entity.keys,
      inputs: entity.inputs,
      results: entity.results,
    })),
  })
  const counted = measures.map(createCounter)

  const feeds = new Map<string, Feed[]>()
  for (const each of fed) {
    feeds.set(each.stream.name, [...(feeds.get(each.stream.name) ?? []), compileFeed(each, measures, counted)])
  }

  const question: Question<EntityStates['_v'] | 'none'> = {
    isOfEvents: true,
    // A sketch has up to a hundred thousand bytes.
    atOnce: hasSketches ? 20 : 500,
    async ask({ clickhouse }, asked) {
      const texts = asked.map((values) => values.map(String))
      const rows = await clickhouse.rows<EntityStates>(compileEntityStates(source, measures, { texts }))
      const found = new Map(rows.map(({ _parts, _v }) => [keyText(_parts.map(readPart)), _v]))
      return asked.map((values) => found.get(keyText(values)) ?? 'none')
    },
  }
  const readPart = (text: string, index: number): Scalar => readText(source.keys[index]?.type ?? 'STRING', text)

  const placeOf = (state: RuleState, seq: number, key: string, measure: number): Place => ({
    seq,
    value: (part) => state.value(space, `${measure}/${part}/${key}`),
    set: (part, value) => state.set(space, `${measure}/${part}/${key}`, value),
  })

  /** The row of a key; undefined where it is not known. A row that ClickHouse was asked for is remembered from now on. */
  function rowOf(state: RuleState, seq: number, key: string, answer: EntityStates['_v'] | 'none' | undefined) {
    const row = state.value(space, key) as EntityRow | undefined
    if (row !== undefined) return row.length === 0 ? 'none' : row
    if (state.value(space, wholeKey) !== undefined) return 'none'
    if (answer === undefined) return undefined
    if (answer !== 'none') return begin(state, seq, key, answer)
    // Is known from now on to be empty.
    state.set(space, key, [])
    return 'none'
  }

  /** Goes on with the states of a row that ClickHouse has merged. */
  function begin(state: RuleState, seq: number, key: string, answer: EntityStates['_v']): EntityRow {
    const begun: EntityRow = counted.map((counter, index): unknown => {
      const [merged, sketches] = answer[index] ?? [0, []]
      return counter.begin(merged, sketches, placeOf(state, seq, key, index))
    })
    state.set(space, key, begun)
    return begun
  }

  function observe(stream: string, one: RuleEvent, state: RuleState, outside: Outside): void {
    for (const feed of feeds.get(stream) ?? []) {
      const key = feed.keyOf(one.event)
      if (key === undefined || isCounted(feed, key, one, state, outside)) continue
      // The row is asked for as one that was never remembered is.
      state.set(space, wholeKey, undefined)
      state.set(space, key, undefined)
      isCounted(feed, key, one, state, outside)
    }
  }

  /** Counts an event in the row of its key; false where the memory has forgotten a part of the row. */
  function isCounted({ updates }: Feed, key: string, one: RuleEvent, state: RuleState, outside: Outside): boolean {
    const { event, pk, seq } = one
    const known = rowOf(state, seq, key, outside.known(question, key))
    // A row that is not remembered is asked for when a reference wants it, with all events before.
    if (known === undefined) return true
    const row = known === 'none' ? counted.map(({ empty }): unknown => empty) : [...known]
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
      const place = measures.findIndex(({ result }) => result === measureOf(path))
      return { place, read: counted[place]?.fields[fieldOf(path)] }
    })
    return ({ event, seq }, state, outside) => {
      const key = keyOf(event)
      if (key === undefined) return undefined
      let row = rowOf(state, seq, key, outside.known(question, key))
      if (row === undefined) {
        const values = readers.flatMap((read) => read(event) ?? [])
        row = rowOf(state, seq, key, outside.answer(question, key, values))
      }
      if (row === undefined || row === 'none') return undefined
      return fields.map(({ place, read }) => read?.(row[place]))
    }
  }

  async function* seed(clickhouse: Pick<ClickHouse, 'rows'>, isOwn: IsOwn = ownsAll): AsyncGenerator<Fill> {
    const [size] = await clickhouse.rows<{ readonly keys: number }>(compileEntityKeyCount(source))
    const keys = size?.keys ?? 0
    const isWhole = keys <= (hasSketches ? maxSeeded / 20 : maxSeeded)
    // The memory forgets the oldest first, so the mark goes before any row.
    if (isWhole) yield (state) => state.set(space, wholeKey, true, { seq: 0, pk: 0 })
    const parts = isWhole ? Math.ceil(keys / (hasSketches ? 200 : 20_000)) : 0
    for (let part = 0; part < parts; part++) {
      const found = await clickhouse.rows<EntityStates>(compileEntityStates(source, measures, { part, parts }))
      const rows = found.map(({ _parts, _v }) => ({ key: _parts.map(readPart), _v })).filter(({ key }) => isOwn(key))
      const atOnce = hasSketches ? rowsOfSketches : fillRecords
      for (let at = 0; at < rows.length; at += atOnce) {
        const some = rows.slice(at, at + atOnce)
        yield (state) => {
          for (const { key, _v } of some) begin(state, state.now(), keyText(key), _v)
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

function compileFeed({ stream, entity }: FedEntity, measures: readonly Measure[], counted: readonly Counter[]): Feed {
  const keyOf = compileKey(entity.keys.map((key) => readKeyPart(stream, key)))
  const updates = entity.results.flatMap((result, index) => {
    const place = measures.findIndex((measure) => measure.result === result)
    const input = attributeOf(stream, entity.inputs[index] ?? '')
    const counter = counted[place]
    return input && counter ? [{ place, read: readCounted(stream, input) }] : []
  })
  return { keyOf, updates }
}

/** The part of a key that an event gives; several values are joined to one text. */
function readKeyPart(stream: Stream, { inputs, type }: EntityKey): ReadEvent {
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
