/** Windows by key: what references bring and what queries tell, against a brute force over all events. */
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { compileEncoder } from '../../../../activities/events/encode-event.ts'
import { createPivots } from '../../../../activities/events/pivots.ts'
import { compileReferences } from '../../../../activities/rules/references/compile.ts'
import { wholeKey } from '../../../../activities/rules/references/entity-source.ts'
import { createOutside } from '../../../../activities/rules/references/outside.ts'
import type { RuleEvent } from '../../../../activities/rules/rule-event.ts'
import type { Event } from '../../../../base/json.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { compileEntities, entitySource } from '../../../../sql/query/compile/entities.ts'
import { createSchema } from '../../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import type { Stream } from '../../../../sql/schema/schema.ts'
import { objectText, type States } from '../../../../sql/schema/statistic-values.ts'
import { createPlainState } from '../../../support/plain-state.ts'
import { randomFor, rounds } from '../../../support/random/seed.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

const minute = 60e6
const windows = [60, 3_600, 86_400]
const names: Readonly<Record<number, string>> = { 60: '1m', 3600: '1h', 86400: '1d' }
/** Hops: of a minute for `gran` 60, of five where `gran` is 300, a sixtieth of a day. */
const hopOf = (length: number, granularity: number): number => Math.max(Math.ceil(length / 60), granularity) * 1e6

const moments = ['cnt', 'sum', 'min', 'max', 'avg', 'stdd', 'skew', 'kurt']
const members: Readonly<Record<string, readonly string[]>> = {
  all: [...moments, 'p50', 'p95'],
  sums: ['sum', 'avg'],
  ends: ['min', 'max'],
  seen: ['cnt'],
  many: ['cnt'],
}
const paths = Object.entries(members).flatMap(([result, fields]) =>
  windows.flatMap((length) => fields.map((field) => `${result}.${names[length]}.${field}`)),
)
const resultOf = (path: string): string => `r_${path.replaceAll('.', '_')}`

function schemaOf(name: string) {
  const key = [{ name: 'id', type: 'STRING', iatr: ['k'] }]
  const value = (opid: unknown, ratr: string[], iatr: string[]) => ({
    ...{ name: ratr[0], opid, window: windows, ratr, iatr, pkatr: key, rstm: 'shop' },
    ...(Array.isArray(opid) && { q: [0.5, 0.95] }),
  })
  const typeOf = (path: string) => (path.endsWith('.cnt') ? 'LONG' : 'DOUBLE')
  return decodeSchema({
    schema: name,
    streams: [
      {
        ...{ name: 'sale', type: 1, swsz: 0 },
        attr: [
          { name: 'k', type: 'STRING' },
          { name: 'user', type: 'STRING', gran: 300 },
          { name: 'price', type: 'DOUBLE' },
        ],
        enty: [
          value(['RSTAT', 'QUANTILES'], ['all'], ['price']),
          value('RSTAT', ['sums', 'ends'], ['price', 'price']),
          value('UCOUNT', ['seen'], ['user']),
          value('COUNT', ['many'], ['user']),
        ],
        refr: [
          {
            name: 'of_shop',
            rstm: 'shop',
            iatr: paths.map(resultOf),
            ratr: paths,
            jqry: { cond: ['id'], args: ['k'], opnm: 'ATTR' },
          },
        ],
      },
      { name: 'shop', type: 4, inpt: ['sale'], attr: [] },
    ],
    ...{ types: typeOf },
  })
}

type Sale = { readonly k: string; readonly user: string | null; readonly price: number | null; readonly pk: number }

async function open(name: string, isWhole: boolean) {
  const schema = schemaOf(name)
  for (const statement of createSchema(schema)) await clickhouse.run(statement)
  const references = compileReferences(schema)
  const { state, values, at } = createPlainState()
  if (isWhole) for (const { name: space } of references.spaces) state.set(space, wholeKey, true)
  const [stream] = schema.streams as [Stream, ...Stream[]]
  const encode = compileEncoder(
    schema,
    stream,
    createPivots(schema, stream, new Map(), () => {}),
  )
  let seq = 0
  let waiting: string[] = []

  async function caughtUp(): Promise<void> {
    if (waiting.length > 0)
      await clickhouse.insert({
        table: `${name}.sale__in`,
        rows: Buffer.from(waiting.join('')),
        token: `${name} ${seq}`,
      })
    waiting = []
  }

  /** One body of events, as they are stored. */
  async function take(sales: readonly Sale[], now: number): Promise<Event[]> {
    at(now)
    const outside = createOutside({ clickhouse, caughtUp, tableOf: () => undefined })
    for (;;) {
      const before = new Map(values)
      const lines: string[] = []
      const stored = sales.map(({ pk, ...event }, index) => {
        const one: RuleEvent = { event: { ...event }, pk: String(pk), seq: seq + index + 1 }
        references.resolve('sale', one, state, outside)
        lines.push(encode(one.event, one.pk, one.seq))
        references.observe('sale', one, state, outside)
        return one.event
      })
      if (!outside.lacks()) {
        seq += sales.length
        waiting.push(...lines)
        return stored
      }
      values.clear()
      for (const [key, value] of before) values.set(key, value)
      await outside.fetch()
    }
  }

  /** The value objects of all rows at a time, by key and path. */
  async function shown(at_us: number): Promise<Map<string, Map<string, unknown>>> {
    await caughtUp()
    const source = entitySource(schema, 'shop')
    const rows = await clickhouse.rows<{ _k: string; _v: States[] }>(compileEntities(source, { limit: 100, at_us }))
    const measures = source.windows.flatMap((window) => window.measures)
    return new Map(
      rows.map(({ _k, _v }) => {
        const texts = measures.map(({ statistics, path }, index) => {
          const object = JSON.parse(objectText(statistics, _v[source.measures.length + index] ?? 0))
          return Object.entries(object).map(([field, value]) => [`${path}.${field}`, value] as const)
        })
        return [_k, new Map(texts.flat())]
      }),
    )
  }
  return { take, shown, values }
}

/** By path what the events of a key give at a time. */
function expectedOf(events: readonly Sale[], key: string, time: number): Map<string, number | undefined> {
  const expected = new Map<string, number | undefined>()
  for (const length of windows) {
    const over = (granularity: number): readonly Sale[] => {
      const hop = hopOf(length, granularity)
      const first = Math.floor((time - length * 1e6 + 1) / hop)
      const last = Math.floor(time / hop)
      return events.filter(({ k, pk }) => k === key && Math.floor(pk / hop) >= first && Math.floor(pk / hop) <= last)
    }
    const prices = over(60).flatMap(({ price }) => (price === null ? [] : [price]))
    const users = over(300).flatMap(({ user }) => user ?? [])
    const name = names[length] ?? ''
    const n = prices.length
    const mean = prices.reduce((sum, each) => sum + each, 0) / n
    const power = (p: number): number => prices.reduce((sum, each) => sum + (each - mean) ** p, 0)
    const isFlat = n > 0 && Math.min(...prices) === Math.max(...prices)
    const [m2, m3, m4] = [power(2), power(3), power(4)]
    const sorted = prices.toSorted((a, b) => a - b)
    const figures: Record<string, number | undefined> = {
      cnt: n,
      sum: n === 0 ? 0 : mean * n,
      min: n === 0 ? 0 : Math.min(...prices),
      max: n === 0 ? 0 : Math.max(...prices),
      avg: n === 0 ? 0 : mean,
      stdd: n < 2 || isFlat ? 0 : Math.sqrt(m2 / (n - 1)),
      skew: n < 3 || isFlat ? 0 : ((Math.sqrt(n * (n - 1)) / (n - 2)) * (m3 / n)) / (m2 / n) ** 1.5,
      kurt: n < 4 || isFlat ? 0 : ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * ((n * m4) / m2 ** 2 - 3) + 6),
      p50: sorted[Math.ceil(n * 0.5) - 1],
      p95: sorted[Math.ceil(n * 0.95) - 1],
    }
    for (const result of ['all', 'sums', 'ends'])
      for (const field of members[result] ?? []) expected.set(`${result}.${name}.${field}`, figures[field])
    expected.set(`seen.${name}.cnt`, new Set(users).size)
    expected.set(`many.${name}.cnt`, users.length)
  }
  return expected
}

function isAsExpected(path: string, value: unknown, expected: number | undefined): boolean {
  if (expected === undefined) return value === undefined || value === null
  if (typeof value !== 'number') return false
  const isQuantile = /\.p\d+$/.test(path)
  const isShape = /\.(skew|kurt)$/.test(path)
  const near = isQuantile ? 0.01 : isShape ? 1e-6 : 1e-9
  return Math.abs(value - expected) <= near * Math.max(1e-3, isQuantile ? 0 : 1, Math.abs(expected))
}

/** `late_s`: how long before the newest event of the key the time is; a window that is too long ago has lost hops. */
function compare(
  t: ExecutionContext,
  what: string,
  found: (path: string) => unknown,
  expected: ReadonlyMap<string, number | undefined>,
  late_s: number,
) {
  const isKept = (path: string) =>
    windows.some((length) => path.includes(`.${names[length]}.`) && late_s <= Math.max(length, 600))
  for (const path of paths.filter(isKept))
    t.true(
      isAsExpected(path, found(path), expected.get(path)),
      `${what} ${path}: ${found(path)}, not ${expected.get(path)}`,
    )
}

for (const isWhole of [true, false]) {
  const title = isWhole ? 'remembered from its beginning' : 'asked for when an event first reads it'
  test(`windows of a row that is ${title} have what a brute force over the events gives, in references and queries`, async (t) => {
    const random = randomFor(t)
    const whole = (most: number): number => Math.floor(random.next() * most)
    const service = await open(isWhole ? 'whole' : 'part', isWhole)
    // The tables keep hops by the clock, too.
    const start = (Math.floor(Date.now() / 60_000) - 2 * 24 * 60) * minute
    let now = start
    const events: Sale[] = []
    const timeOf = (): number => {
      const kind = whole(10)
      if (kind < 6) return now
      if (kind < 8) return now - whole(10 * 60) * 1e6
      return kind < 9 ? now - whole(20 * 3600) * 1e6 : now + whole(90) * 1e6
    }
    const late = (key: string, time: number): number =>
      (Math.max(...events.filter(({ k }) => k === key).map(({ pk }) => pk)) - time) / 1e6
    for (let body = 0; body < rounds(60, 36); body++) {
      now += [whole(30e6), whole(600e6), whole(1.5 * 3600e6)][whole(3)] ?? 0
      const sales = Array.from(
        { length: 1 + whole(8) },
        (): Sale => ({
          k: ['a', 'b', 'ü:\\'][whole(3)] ?? '',
          user: whole(6) === 0 ? null : `user ${whole(20)}`,
          price: whole(6) === 0 ? null : whole(4000) / 8 - 100,
          pk: timeOf(),
        }),
      )
      const stored = await service.take(sales, now)
      for (const [index, sale] of sales.entries()) {
        const isThere = events.some(({ k }) => k === sale.k)
        const one = stored[index] ?? {}
        if (isThere)
          compare(
            t,
            `${sale.k} at ${sale.pk}`,
            (path) => one[resultOf(path)],
            expectedOf(events, sale.k, sale.pk),
            late(sale.k, sale.pk),
          )
        else t.is(one.r_many_1d_cnt, undefined)
        events.push(sale)
      }
      if (body % 10 === 9) {
        // The memory may forget a part before its row, or a row.
        for (const key of [...service.values.keys()])
          if (whole(3) === 0 || key.endsWith(wholeKey)) service.values.delete(key)
      }
      if (body % 6 === 5) {
        const at_us = now - whole(3) * whole(3600) * 1e6
        const rows = await service.shown(at_us)
        for (const [key, row] of rows)
          compare(t, `row ${key}`, (path) => row.get(path), expectedOf(events, key, at_us), 0)
      }
    }
    t.true(events.length > 100)
  })
}
