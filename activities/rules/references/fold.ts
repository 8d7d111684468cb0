import type { Json } from '../../../base/json.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { spaceOf } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import { compileLatestRows, compileSeedSize, type SeedRow, type SeedSource } from '../../../sql/references/seed-rows.ts'
import type { ComputedAttribute, Schema, Stream } from '../../../sql/schema/schema.ts'
import { compileKey, keyText } from '../../events/compare.ts'
import { conversions } from '../../events/computed/compile.ts'
import { readScalar, typeOf } from '../../events/places.ts'
import type { Scalar } from '../../events/values.ts'
import { isPast, type RuleEvent, timeOfEvent } from '../rule-event.ts'
import { type Fill, fromText, type IsOwn, inFills, type MemorySpace, maxFilled, ownsAll, seededKey } from './seed.ts'

/** The value that a key has reached, with the place and the time of the event that had it last. */
type Reached = readonly [value: Scalar, seq: number, pk: number]

/** Keys that one statement asks for. */
const keysAtOnce = 40_000

/**
 * A value that goes from one event of a key to the next, in the order of the log. An event has it before anything is
 * computed; the attribute's expression may put another in its place.
 */
export function compileFold(schema: Schema, stream: Stream, { name, key = [], start }: ComputedAttribute) {
  const typed = (each: string) => ({ name: each, type: typeOf(stream, each) })
  const [keys, value] = [key.map(typed), typed(name)]
  const space = spaceOf(schema.name, stream.name, 'fold', { keys, value })
  const window_us = stream.window === 0 ? Number.POSITIVE_INFINITY : stream.window * 1_000_000
  const keyOf = compileKey(key.map((each) => readScalar(stream, each)))
  const read = readScalar(stream, name)
  const first = conversions[value.type](start)

  function reached(state: RuleState, of: string): Scalar | undefined {
    const known = state.value(space, of) as Reached | undefined
    if (known === undefined || isPast({ seq: known[1], pk: known[2] }, window_us, state.now())) return first
    return known[0]
  }

  function put(state: RuleState, of: string, [is, seq, pk]: Reached): void {
    state.set(space, of, [is, seq, pk], { seq, pk })
  }

  async function* seed(clickhouse: Pick<ClickHouse, 'rows'>, isOwn: IsOwn = ownsAll): AsyncGenerator<Fill> {
    const source: SeedSource = { schema, stream, keys, attributes: [value], present: [value] }
    const [size] = await clickhouse.rows<{ readonly keys: number }>(compileSeedSize(source))
    // A hash does not share keys out evenly.
    const parts = Math.ceil((Math.min(size?.keys ?? 0, maxFilled) / keysAtOnce) * 1.1)
    for (let part = 0; part < parts; part++) {
      const rows = await clickhouse.rows<{ readonly row: SeedRow }>(
        compileLatestRows(source, { part, parts }, keysAtOnce),
      )
      const found = rows.flatMap(({ row: [seq, pk, texts, [text]] }): [string, Reached][] => {
        const of = keys.map(({ type }, index) => fromText(type, texts[index] ?? '') as Scalar)
        if (text === null || text === undefined || !isOwn(of)) return []
        return [[keyText(of), [fromText(value.type, text) as Scalar, Number(seq), Number(pk)]]]
      })
      yield* inFills(found, (state, [of, each]) => put(state, of, each))
    }
    yield (state) => state.set(space, seededKey, true)
  }

  const memory: MemorySpace = { name: space, stream: stream.name, keys: key, window_us, seed }
  return {
    memory,
    stream: stream.name,
    /** Gives an event the value that its key has reached. One without a key has none, whatever it brings. */
    resolve({ event }: RuleEvent, state: RuleState): void {
      const of = keyOf(event)
      const is = of === undefined ? undefined : reached(state, of)
      if (is === undefined) delete event[name]
      else event[name] = is as Json
    },
    observe(event: RuleEvent, state: RuleState): void {
      const of = keyOf(event.event)
      const is = read(event.event)
      if (of !== undefined && is !== undefined) put(state, of, [is, event.seq, timeOfEvent(event)])
    },
  }
}
