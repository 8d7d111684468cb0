import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { spaceOf } from '../../../infra/memory/spaces.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import { compileLastRows, compileSeedSize, type SeedRow, type SeedSource } from '../../../sql/references/seed-rows.ts'
import type { ComputedAttribute, Schema, Stream } from '../../../sql/schema/schema.ts'
import { keyText } from '../../events/compare.ts'
import { toNumber } from '../../events/computed/values.ts'
import { readScalar, typeOf } from '../../events/places.ts'
import type { Scalar } from '../../events/values.ts'
import type { RuleEvent } from '../rule-event.ts'
import { type Fill, fromText, type IsOwn, inFills, type MemorySpace, ownsAll, seededKey } from './seed.ts'

/** The last values of each series of a stream, in the order of the log. */
export type LaggedValues = {
  /** The last `n` values of a series, the oldest first; undefined where it has fewer. */
  last(uid: Scalar | undefined, n: number): readonly number[] | undefined
  push(uid: Scalar | undefined, value: number): void
}

/** The series of one attribute, by the values of another one, or one series where there is none. */
type Series = { readonly stream: Stream; readonly input: string; readonly uid?: string; readonly length: number }

/** Predictions of one stream over the same series share its values. */
export function seriesOf(stream: Stream): Series[] {
  const series = new Map<string, Series>()
  for (const { lag, uid, inputs } of stream.computed) {
    const [input] = inputs
    if (lag === undefined || typeof input !== 'string') continue
    const place = placeOf(input, uid)
    const length = Math.max(lag, series.get(place)?.length ?? 0)
    series.set(place, { stream, input, length, ...(uid !== undefined && { uid }) })
  }
  return [...series.values()]
}

const placeOf = (input: string, uid: string | undefined): string => JSON.stringify([input, uid ?? null])

/** Whether the series is that of the prediction's values. */
export const isSeriesOf = ({ input, uid }: Series, { inputs, ...attribute }: ComputedAttribute): boolean =>
  attribute.lag !== undefined && placeOf(input, uid) === placeOf(String(inputs[0]), attribute.uid)

export function compileLagged(schema: Schema, series: Series) {
  const { stream, input, uid, length } = series
  const typed = (name: string) => ({ name, type: typeOf(stream, name) })
  const keys = uid === undefined ? [] : [typed(uid)]
  const space = spaceOf(schema.name, stream.name, 'lag', { keys, input: typed(input), length })
  const readUid = uid === undefined ? undefined : readScalar(stream, uid)
  const readValue = readScalar(stream, input)
  const keyOf = (of: Scalar | undefined): string | undefined =>
    uid === undefined ? '' : of === undefined ? undefined : keyText([of])

  const valuesIn = (state: RuleState): LaggedValues => ({
    last(of, n) {
      const key = keyOf(of)
      const values = key === undefined ? [] : ((state.value(space, key) as readonly number[] | undefined) ?? [])
      return values.length < n ? undefined : values.slice(values.length - n)
    },
    push(of, value) {
      const key = keyOf(of)
      if (key === undefined) return
      const values = (state.value(space, key) as readonly number[] | undefined) ?? []
      state.set(space, key, [...values.slice(-length + 1), value])
    },
  })

  function observe({ event }: RuleEvent, state: RuleState): void {
    const value = toNumber(readValue(event))
    if (value !== undefined) valuesIn(state).push(readUid?.(event), value)
  }

  async function* seed(clickhouse: Pick<ClickHouse, 'rows'>, isOwn: IsOwn = ownsAll): AsyncGenerator<Fill> {
    const source: SeedSource = { schema, stream, keys, attributes: [typed(input)], present: [typed(input)] }
    const [size] = await clickhouse.rows<{ readonly rows: number }>(compileSeedSize(source))
    const parts = Math.ceil((size?.rows ?? 0) / rowsAtOnce)
    for (let part = 0; part < parts; part++) {
      const rows = await clickhouse.rows<{ readonly row: SeedRow }>(compileLastRows(source, { part, parts }, length))
      const ofKey = new Map<string, number[]>()
      for (const { row } of rows) {
        const [, , key, [text]] = row
        const parts = keys.map(({ type }, index) => fromText(type, key[index] ?? '') as Scalar)
        const name = keyOf(parts[0])
        // The last one comes first.
        if (name !== undefined && isOwn(parts)) ofKey.set(name, [Number(text), ...(ofKey.get(name) ?? [])])
      }
      yield* inFills([...ofKey], (state, [key, values]) => state.set(space, key, values))
    }
    yield (state) => state.set(space, seededKey, true)
  }

  const memory: MemorySpace = {
    name: space,
    stream: stream.name,
    keys: keys.map(({ name }) => name),
    window_us: Number.POSITIVE_INFINITY,
    seed,
  }
  return { memory, series, stream: stream.name, observe, valuesIn }
}

const rowsAtOnce = 50_000
