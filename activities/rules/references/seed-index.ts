import { type Event, isObject, parseJson } from '../../../base/json.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import type { Condition, Literal } from '../../../sql/query/ast.ts'
import {
  compileLastRows,
  compileLatestRows,
  compileSeedSize,
  compileStairs,
  compileTimeBefore,
  type SeedPart,
  type SeedRow,
  type SeedSource,
} from '../../../sql/references/seed-rows.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import { keyText } from '../../events/compare.ts'
import { readValue, typeOf } from '../../events/places.ts'
import type { Scalar } from '../../events/values.ts'
import type { RuleEvent } from '../rule-event.ts'
import type { IndexDefinition } from './index-definition.ts'
import { createLatestRows } from './latest-rows.ts'
import { maxRows, passedKey, passedKeyOf } from './searched-rows.ts'
import { type Fill, fillRecords, fromText, type IsOwn, inFills, maxFilled, ownsAll, seededKey } from './seed.ts'
import { createTimedRows } from './timed-rows.ts'

/** Keys, or rows of keys, that one statement asks for. */
const keysAtOnce = 40_000
const rowsAtOnce = 50_000

/** The members of an event that have no column of their own. */
function restOf(text: string | null | undefined): Event {
  const rest = text ? parseJson(text, 'the rest of an event') : undefined
  return isObject(rest) ? rest : {}
}

type Place = { readonly seq: number; readonly pk: number }
type Row = { readonly row: SeedRow }
type Read = { readonly key: string; readonly place: Place; readonly values: readonly unknown[] }

/** Fills an index from the events that ClickHouse has, a part of the keys after the other. */
export async function* seedIndex(
  schema: Schema,
  space: string,
  window_us: number,
  definition: IndexDefinition,
  clickhouse: Pick<ClickHouse, 'rows'>,
  isOwn: IsOwn = ownsAll,
): AsyncGenerator<Fill> {
  const { stream, keys, attributes, fixed, isSearched, isByTime, searchedBy } = definition
  const typed = (names: readonly string[]) => names.map((name) => ({ name, type: typeOf(stream, name) }))
  const where = conditionOf(fixed)
  const source: SeedSource = {
    ...{ schema, stream, keys: typed(keys), attributes: typed(attributes) },
    ...(where && { where }),
  }

  const readers = source.attributes.map(({ name, type }): ((text: string | null, rest: Event) => unknown) => {
    if (type !== 'OBJECT') return (text) => (text === null ? null : fromText(type, text))
    const readObject = readValue(stream, name)
    return (_, rest) => readObject(rest) ?? null
  })

  let [seen, own] = [0, 0]

  function read([seq, pk, key, values]: SeedRow): Read | undefined {
    const parts = key.map((text, index) => fromText(source.keys[index]?.type ?? 'STRING', text))
    if (!areScalars(parts)) return undefined
    seen++
    if (!isOwn(parts)) return undefined
    own++
    const rest = restOf(values[readers.length])
    return {
      key: keyText(parts),
      place: { seq: Number(seq), pk: Number(pk) },
      values: readers.map((readValue, index) => readValue(values[index] ?? null, rest)),
    }
  }

  const eventOf = ({ place: { seq, pk } }: Read): RuleEvent => ({ event: { _pk: pk }, seq, pk: String(pk) })

  const readAll = (rows: readonly { readonly row: SeedRow }[]): Read[] => rows.flatMap(({ row }) => read(row) ?? [])

  /** The rows before the last one of a key come first, as events would have come. */
  async function* latest(part: SeedPart): AsyncGenerator<Fill> {
    const index = createLatestRows(space, window_us)
    const put = (state: RuleState, each: Read): void => index.add(state, each.key, eventOf(each), each.values)
    const last = await clickhouse.rows<Row & { readonly late: number }>(compileLatestRows(source, part, keysAtOnce))
    // Mostly rows come in the order of their times: then there are none before.
    const isOne = window_us === Number.POSITIVE_INFINITY || last.every(({ late }) => late === 0)
    const before = isOne ? [] : await clickhouse.rows<Row>(compileStairs(source, part, maxRows))
    const ofKey = new Map<string, Read[]>()
    for (const each of readAll(before).reverse()) {
      const stairs = ofKey.get(each.key)
      if (stairs) stairs.push(each)
      else ofKey.set(each.key, [each])
    }
    for (const each of readAll(last)) {
      const stairs = ofKey.get(each.key)
      if (stairs) stairs.push(each)
      else ofKey.set(each.key, [each])
    }
    for (const several of inFillsByKey(ofKey)) {
      yield (state) => {
        for (const each of several) put(state, each)
      }
    }
  }

  async function* last(part: SeedPart): AsyncGenerator<Fill> {
    const by = isByTime ? 'time' : 'log'
    const rows = await clickhouse.rows<Row>(compileLastRows(source, part, maxRows + 1, rowsAtOnce, by))
    const counts = new Map<string, number>()
    const found: Read[] = []
    const older: Read[] = []
    for (const each of readAll(rows)) {
      const count = (counts.get(each.key) ?? 0) + 1
      counts.set(each.key, count)
      if (count <= maxRows) found.push(each)
      else older.push(each)
    }
    if (isByTime) {
      const timed = createTimedRows({ space, window_us, places: [] })
      yield* inFills(older, (state, { key, place }) => timed.pass(state, key, place.seq, place.pk))
      found.sort((one, other) => other.place.seq - one.place.seq)
    }
    // The oldest first, as a list has them.
    yield* inFills(found.reverse(), (state, { key, place, values }) =>
      state.list(space, key).add({ ...place, value: values }),
    )
    if (isByTime || keys.length + fixed.length === 0) return
    // The seed does not read older rows, and a reference may mean one of them: it then asks ClickHouse.
    const more = [...counts].flatMap(([key, count]) => (count > maxRows ? [key] : []))
    yield* inFills(more, (state, key) =>
      state.set(space, passedKeyOf(key), { pk: Number.MAX_SAFE_INTEGER, bounds: searchedBy.map(() => 'any') }),
    )
  }

  /** Whether a stream without a key has more rows than are remembered, and until when. */
  async function passed(): Promise<Fill> {
    const rows = await clickhouse.rows<{ readonly row: SeedRow }>(
      compileLastRows({ ...source, attributes: [] }, { part: 0, parts: 1 }, maxRows),
    )
    const oldest = rows.reduce((min, { row }) => Math.min(min, Number(row[0])), Number.POSITIVE_INFINITY)
    if (rows.length < maxRows) return () => {}
    const [before] = await clickhouse.rows<{ readonly pk: string | null }>(compileTimeBefore(source, oldest))
    const pk = before?.pk ?? undefined
    return (state) => {
      if (pk !== undefined) state.set(space, passedKey, Number(pk))
    }
  }

  const [size] = await clickhouse.rows<{ readonly rows: number; readonly keys: number }>(compileSeedSize(source))
  const { rows = 0, keys: different = 0 } = size ?? {}
  const isListed = isSearched || isByTime
  const [all, atOnce] = isListed ? [rows, rowsAtOnce] : [different, keysAtOnce]
  // A hash does not share keys out evenly.
  const parts = Math.ceil((Math.min(all, maxFilled) / atOnce) * 1.1)
  for (let part = 0; part < parts; part++) yield* isListed ? last({ part, parts }) : latest({ part, parts })
  // The same share of the rows that were not read belongs to this task's memory.
  const past = Math.round(((all - maxFilled) * own) / Math.max(1, seen))
  if (past > 0) yield (state) => state.dropped(space, past)
  if (isSearched && !isByTime && keys.length + fixed.length === 0) yield await passed()
  yield (state) => state.set(space, seededKey, true)
}

const areScalars = (parts: readonly unknown[]): parts is Scalar[] => parts.every((part) => typeof part !== 'object')

function conditionOf(fixed: IndexDefinition['fixed']): Condition | undefined {
  if (fixed.length === 0) return undefined
  return {
    kind: 'and',
    terms: fixed.map(({ other, operator, value }) => ({
      ...{ kind: 'compare', path: other, operator, value: literalOf(value) },
      at: { offset: 0, line: 1, column: 1 },
    })),
  }
}

const literalOf = (value: Scalar): Literal => {
  if (typeof value === 'string') return { kind: 'string', value }
  return typeof value === 'boolean' ? { kind: 'boolean', value } : { kind: 'number', text: String(value) }
}

/** Rows of several keys at a time, those of one key together. */
function* inFillsByKey(ofKey: ReadonlyMap<string, readonly Read[]>): Generator<readonly Read[]> {
  let some: Read[] = []
  for (const rows of ofKey.values()) {
    some.push(...rows)
    if (some.length < fillRecords) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
