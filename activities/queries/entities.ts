import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Condition } from '../../sql/query/ast.ts'
import {
  compileEntities,
  compileEntityCount,
  type EntitySource,
  entitySource,
  timeOfWindows,
} from '../../sql/query/compile/entities.ts'
import { type KeyColumn, partText, splitKey } from '../../sql/query/compile/group-key.ts'
import { emptyStates, objectText, type States } from '../../sql/schema/statistic-values.ts'
import type { Measure } from '../../sql/schema/statistics.ts'
import { cutPage, now_us, pageBytesOf, type Select, type StreamQuery } from '../pages/continuation.ts'
import type { Cursors } from '../pages/cursors.ts'
import { type Key, type Page, type Row, rawNumber } from '../pages/page.ts'
import { objectOf } from '../pages/plain.ts'
import type { RegisteredStream } from '../registry/registry.ts'

type EntityRow = { readonly _k: string; readonly _parts: readonly string[]; readonly _v: readonly States[] }

/** Rows of a page without a limit. */
const pageRows = 10_000
/** The most rows that a client may ask for by `limit`. */
const limitedRows = 80_000

/** Answers queries on entity streams: one row a key, in the order of keys. */
export function createEntityQueries(cursors: Cursors) {
  function lastKey({ lastKey, cursor, text }: StreamQuery, { keys }: EntitySource): readonly string[] | undefined {
    if (cursor !== undefined) {
      const parts = Object.values(cursors.open(cursor, text))
      return parts.length > 0 ? parts : undefined
    }
    if (lastKey === undefined) return undefined
    return keys.length === 1 ? [lastKey] : splitKey(lastKey).map(partText)
  }

  return {
    async rows(
      { schema, stream }: RegisteredStream,
      statement: Select<'rows'>,
      query: StreamQuery,
      on: QueryClickHouse,
    ): Promise<Page> {
      const source = entitySource(schema, stream.name)
      const { where, at_us } = asked(source, statement.where, query)
      const limit = statement.limit === undefined ? pageRows : Math.min(statement.limit, limitedRows)
      const after = lastKey(query, source)
      if (source.keys.length === 0) return { rows: [], more: false, switchDone: 0, plainRows: () => [] }
      const compiled = compileEntities(source, {
        ...(where && { where }),
        ...(after && { after }),
        at_us,
        limit: limit + 1,
      })
      const merged = limit === 0 ? [] : await on.rows<EntityRow>(compiled)
      const found = merged.map((row) => ({ ...row, _v: rowValue(source, row._v) }))
      const { shown, cut } = cutPage(
        found.slice(0, limit),
        ({ _k, _v }) => Buffer.byteLength(_k) + Buffer.byteLength(_v),
        pageBytesOf(statement.limit),
      )
      const last = shown.at(-1)
      const more = cut || found.length > limit
      const type = source.keys.length === 1 ? source.keys[0]?.type : undefined
      const keyOf = ({ _k }: Pick<EntityRow, '_k'>): Key => {
        if (type === 'BOOL') return _k === 'true'
        return type === 'LONG' || type === 'DOUBLE' ? rawNumber(_k) : _k
      }
      /** The end of the entities, too, has a cursor. */
      const behind = last?._parts ?? after ?? []
      return {
        rows: shown.map((row): Row => ({ k: keyOf(row), v: row._v })),
        more,
        switchDone: 0,
        plainRows: () => shown.map((row) => plainEntity(source, row)),
        ...(last && (statement.limit !== undefined || more) && { lastKey: keyOf(last) }),
        // An empty key sent back is as good as none.
        ...((statement.where || (more && last?._k === '')) && {
          cursor: cursors.seal(Object.fromEntries(behind.entries()), query.text),
        }),
      }
    },

    async count(
      { schema, stream }: RegisteredStream,
      condition: Select<'count'>['where'],
      query: Pick<StreamQuery, 'at_us'>,
      on: QueryClickHouse,
    ): Promise<number> {
      const source = entitySource(schema, stream.name)
      if (source.keys.length === 0) return 0
      const { where, at_us } = asked(source, condition, query)
      const [row] = await on.rows<{ count: number }>(compileEntityCount(source, where, at_us))
      return Number(row?.count ?? 0)
    },
  }
}

/** `{"customer":"a","spent":{"cnt":3,...},...}`: no value has the name of a key. */
function plainEntity({ keys }: EntitySource, row: Pick<EntityRow, '_parts'> & { readonly _v: string }) {
  const named = objectOf(keys.map(({ name, type }, index) => [name, keyJson(type, row._parts[index] ?? '')]))
  return row._v === '{}' ? named : `${named.slice(0, -1)},${row._v.slice(1)}`
}

/** A part of a key as JSON of its attribute's type. */
export const keyJson = (type: KeyColumn['type'], text: string): string =>
  type === 'LONG' || type === 'DOUBLE' || type === 'BOOL' ? text : JSON.stringify(text)

/** The condition, and the time of which windows tell: now where neither the text nor the request says another. */
function asked(source: EntitySource, where: Condition | undefined, query: Pick<StreamQuery, 'at_us'>) {
  return { at_us: query.at_us ?? now_us(), ...timeOfWindows(source, where) }
}

/** `{"views":{"cnt":3,"1h":{"cnt":1}},...}` */
function rowValue({ measures, windows }: EntitySource, states: readonly States[]): string {
  const valueOf = ({ statistics }: Measure, index: number): string =>
    objectText(statistics, states[index] ?? emptyStates(statistics))
  const ofWindows = windows
    .flatMap((window) => window.measures)
    .map((measure, index) => ({ measure, text: valueOf(measure, measures.length + index) }))
  const all = measures.map((measure, index) => {
    const own = ofWindows.filter((each) => each.measure.of === measure.result)
    const members = own.map((each) => `,${JSON.stringify(each.measure.name)}:${each.text}`)
    return `${JSON.stringify(measure.result)}:${valueOf(measure, index).slice(0, -1)}${members.join('')}}`
  })
  return `{${all.join(',')}}`
}
