import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { Condition, Literal } from '../../../sql/query/ast.ts'
import {
  compileLastRows,
  compileLatestRows,
  compileSeedSize,
  compileTimeBefore,
  type SeedPart,
  type SeedRow,
  type SeedSource,
} from '../../../sql/references/seed-rows.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import { keyText, type Scalar, typeOf } from '../values.ts'
import type { IndexDefinition } from './index-definition.ts'
import { type Stair, withStair } from './latest-rows.ts'
import { maxRows, passedKey } from './searched-rows.ts'
import { type Fill, fromText, seededKey } from './seed.ts'

/** Keys, or rows of keys, that one statement asks for. */
const keysAtOnce = 50_000
const rowsAtOnce = 200_000

type Place = { readonly seq: number; readonly pk: number }
type Read = { readonly key: string; readonly place: Place; readonly values: readonly unknown[] }

/** Fills an index from the events that ClickHouse has, a part of the keys after the other. */
export async function* seedIndex(
  schema: Schema,
  space: string,
  window_us: number,
  definition: IndexDefinition,
  clickhouse: Pick<ClickHouse, 'rows'>,
): AsyncGenerator<Fill> {
  const { stream, keys, attributes, fixed, isSearched } = definition
  const typed = (names: readonly string[]) => names.map((name) => ({ name, type: typeOf(stream, name) }))
  const where = conditionOf(fixed)
  const source: SeedSource = {
    ...{ schema, stream, keys: typed(keys), attributes: typed(attributes) },
    ...(where && { where }),
  }

  function read([seq, pk, key, values]: SeedRow): Read | undefined {
    const parts = key.map((text, index) => fromText(source.keys[index]?.type ?? 'STRING', text))
    if (parts.some((part) => typeof part === 'object')) return undefined
    return {
      key: keyText(parts as Scalar[]),
      place: { seq: Number(seq), pk: Number(pk) },
      values: values.map((text, index) =>
        text === null ? null : fromText(source.attributes[index]?.type ?? 'STRING', text),
      ),
    }
  }

  async function latest(part: SeedPart): Promise<Fill> {
    type Rows = { readonly latest: SeedRow; readonly newest: SeedRow }
    const rows = await clickhouse.rows<Rows>(compileLatestRows(source, part))
    return (state) => {
      for (const row of rows) {
        const [last, newest] = [read(row.latest), read(row.newest)]
        if (!last || !newest) continue
        const stairOf = ({ place, values }: Read): Stair => [place.seq, place.pk, values]
        const known = newest.place.seq === last.place.seq ? undefined : [stairOf(newest)]
        const stairs = withStair(known, stairOf(last), window_us)
        state.set(space, last.key, stairs, { seq: last.place.seq, pk: stairs[0]?.[1] ?? last.place.pk })
      }
    }
  }

  async function last(part: SeedPart): Promise<Fill> {
    const rows = await clickhouse.rows<{ readonly row: SeedRow }>(compileLastRows(source, part, maxRows))
    return (state) => {
      // The oldest first, as a list has them.
      for (const { row } of rows.toReversed()) {
        const found = read(row)
        if (found) state.list(space, found.key).add({ ...found.place, value: found.values })
      }
    }
  }

  /** Whether a stream without a key has more rows than are remembered, and until when. */
  async function passed(): Promise<Fill> {
    const rows = await clickhouse.rows<{ readonly row: SeedRow }>(
      compileLastRows({ ...source, attributes: [] }, { part: 0, parts: 1 }, maxRows),
    )
    const oldest = rows.reduce((least, { row }) => Math.min(least, Number(row[0])), Number.POSITIVE_INFINITY)
    if (rows.length < maxRows) return () => {}
    const [before] = await clickhouse.rows<{ readonly pk: string | null }>(compileTimeBefore(source, oldest))
    const pk = before?.pk ?? undefined
    return (state) => {
      if (pk !== undefined) state.set(space, passedKey, Number(pk))
    }
  }

  const [size] = await clickhouse.rows<{ readonly rows: number; readonly keys: number }>(compileSeedSize(source))
  const parts = Math.ceil(isSearched ? (size?.rows ?? 0) / rowsAtOnce : (size?.keys ?? 0) / keysAtOnce)
  for (let part = 0; part < parts; part++) yield await (isSearched ? last : latest)({ part, parts })
  if (isSearched && keys.length + fixed.length === 0) yield await passed()
  yield (state) => state.set(space, seededKey, true)
}

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
