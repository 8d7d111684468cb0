/** References over the rows of entities, against the rows that ClickHouse shows once it has the same events. */
import { join } from 'node:path'
import test from 'ava'
import { compileEncoder } from '../../../../activities/events/encode-event.ts'
import { createPivots } from '../../../../activities/events/pivots.ts'
import { compileReferences } from '../../../../activities/rules/references/compile.ts'
import { wholeKey } from '../../../../activities/rules/references/entity-source.ts'
import { createOutside } from '../../../../activities/rules/references/outside.ts'
import { intHash64 } from '../../../../activities/rules/references/unique-count.ts'
import type { RuleEvent } from '../../../../activities/rules/rule-event.ts'
import { cityHash64 } from '../../../../base/city-hash.ts'
import type { Event } from '../../../../base/json.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { compileEntities, entitySource } from '../../../../sql/query/compile/entities.ts'
import { createSchema } from '../../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import type { AttributeType, Reference, Schema, Stream } from '../../../../sql/schema/schema.ts'
import { objectText, type States } from '../../../../sql/schema/statistic-values.ts'
import { createPlainState } from '../../../support/plain-state.ts'
import { randomFor } from '../../../support/random/seed.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

const fields = ['cnt', 'sum', 'min', 'max', 'avg', 'stdd', 'skew', 'kurt']
const paths = [
  ...fields.map((field) => `sales.${field}`),
  ...fields.map((field) => `far.${field}`),
  'numbers.sum',
  'views.cnt',
  'users.cnt',
  'prices.cnt',
  'visits.cnt',
  'ids.cnt',
  ...['cnt', 'unique', 'sum', 'p50', 'p90', 'p95', 'p99', 'last', 'first'].map((field) => `all.${field}`),
  ...['last', 'first'].map((field) => `names.${field}`),
]
const typeOfPath = (path: string): AttributeType => {
  if (path.startsWith('names.')) return 'STRING'
  return path.endsWith('cnt') || path.endsWith('unique') ? 'LONG' : 'DOUBLE'
}
const resultOf = (path: string): string => `r_${path.replace('.', '_')}`

const attr = [
  ...['k', 'region', 'user'].map((name) => ({ name, type: 'STRING' })),
  ...['n', 'id'].map((name) => ({ name, type: 'LONG' })),
  ...['price', 'far'].map((name) => ({ name, type: 'DOUBLE' })),
]

/** Two streams feed `shop`, one of them by two definitions; `asks` reads it by its key, and `pairs`, of two attributes. */
function schemaOf(name: string): Schema {
  const key = [{ name: 'id', type: 'STRING', iatr: ['k'] }]
  const schema = decodeSchema({
    schema: name,
    streams: [
      {
        ...{ name: 'sale', type: 1, swsz: 0, attr },
        enty: [
          {
            ...{ name: 'a', opid: 'RSTAT', ratr: ['sales', 'far', 'numbers'], iatr: ['price', 'far', 'n'] },
            pkatr: key,
            rstm: 'shop',
          },
          {
            ...{ name: 'b', opid: 'UCOUNT', ratr: ['users', 'prices'], iatr: ['user', 'price'] },
            pkatr: key,
            rstm: 'shop',
          },
          {
            ...{ name: 'f', opid: ['UCOUNT', 'RSTAT', 'QUANTILES', 'LAST', 'FIRST'], ratr: ['all'], iatr: ['price'] },
            pkatr: key,
            rstm: 'shop',
          },
          {
            ...{ name: 'g', opid: ['LAST', 'FIRST'], ratr: ['names'], iatr: ['user'] },
            pkatr: key,
            rstm: 'shop',
          },
          {
            ...{ name: 'c', opid: 'COUNT', ratr: ['both'], iatr: ['n'], rstm: 'pairs' },
            pkatr: [{ name: 'id', type: 'STRING', iatr: ['k', 'region'] }],
          },
        ],
      },
      {
        ...{ name: 'visit', type: 1, swsz: 0, attr },
        enty: [
          { ...{ name: 'd', opid: 'COUNT', ratr: ['views', 'visits'], iatr: ['n', 'user'] }, pkatr: key, rstm: 'shop' },
          { ...{ name: 'e', opid: 'UCOUNT', ratr: ['ids'], iatr: ['id'] }, pkatr: key, rstm: 'shop' },
        ],
      },
      { name: 'asks', type: 1, swsz: 0, attr: [...attr, { name: 'pair', type: 'STRING' }] },
      { name: 'shop', type: 4, inpt: ['sale', 'visit'] },
      { name: 'pairs', type: 4, inpt: ['sale'] },
    ],
  })
  const reference = (entity: string, name: string, sources: readonly string[]): Reference => ({
    name: entity,
    source: { kind: 'entity', stream: entity },
    results: sources.map(resultOf),
    sources,
    condition: { terms: [{ other: 'id', operator: '=', value: { kind: 'attribute', name } }], between: 'any' },
    whenPresent: 'add',
  })
  const results = [...paths, 'both.cnt'].map((path) => ({
    ...{ name: resultOf(path), type: typeOfPath(path) },
    ...{ granularity: 60, primaryKey: false },
  }))
  return {
    ...schema,
    streams: schema.streams.map((stream) =>
      stream.name === 'asks'
        ? {
            ...stream,
            attributes: [...stream.attributes, ...results],
            references: [reference('shop', 'k', paths), reference('pairs', 'pair', ['both.cnt'])],
          }
        : stream,
    ),
  }
}

/** The events as the sequencer takes them, and a ClickHouse that gets them later. */
async function open(name: string, { isWhole }: { isWhole: boolean }) {
  const schema = schemaOf(name)
  for (const statement of createSchema(schema)) await clickhouse.run(statement)
  const references = compileReferences(schema)
  const { state, values } = createPlainState()
  if (isWhole) for (const { name: space } of references.spaces) state.set(space, wholeKey, true)
  const encoders = new Map(
    schema.streams
      .filter(({ kind }) => kind === 'input')
      .map((stream: Stream) => [
        stream.name,
        compileEncoder(
          schema,
          stream,
          createPivots(schema, stream, new Map(), () => {}),
        ),
      ]),
  )
  let [seq, asked] = [0, 0]
  const waiting = new Map<string, string[]>()

  async function caughtUp(): Promise<void> {
    asked++
    for (const [stream, lines] of waiting) {
      if (lines.length > 0) {
        await clickhouse.insert({
          table: `${name}.${stream}__in`,
          rows: Buffer.from(lines.join('')),
          token: `${name} ${stream} ${seq}`,
        })
      }
      waiting.set(stream, [])
    }
  }

  /** One body of events: its lines go out once all of them have been through. */
  async function take(events: readonly { stream: string; event: Event }[]): Promise<Event[]> {
    const outside = createOutside({ clickhouse, caughtUp, tableOf: () => undefined })
    for (;;) {
      const before = new Map(values)
      const lines: [string, string][] = []
      const stored = events.map(({ stream, event }, index) => {
        const place = seq + index + 1
        const one: RuleEvent = { event: { ...event }, pk: String(1_700_000_000_000_000 + place), seq: place }
        references.resolve(stream, one, state, outside)
        lines.push([stream, encoders.get(stream)?.(one.event, one.pk, one.seq) ?? ''])
        references.observe(stream, one, state, outside)
        return one.event
      })
      if (!outside.lacks()) {
        seq += events.length
        for (const [stream, line] of lines) {
          if (!waiting.has(stream)) waiting.set(stream, [])
          waiting.get(stream)?.push(line)
        }
        return stored
      }
      values.clear()
      for (const [key, value] of before) values.set(key, value)
      await outside.fetch()
    }
  }

  /** The value object of an entity's row, by path. */
  async function shown(entity: string, key: string): Promise<Map<string, number | null>> {
    await caughtUp()
    const source = entitySource(schema, entity)
    const rows = await clickhouse.rows<{ _k: string; _v: States[] }>(
      compileEntities(source, { limit: 10_000, at_us: 0 }),
    )
    const row = rows.find(({ _k }) => _k === key)
    const members = source.measures.flatMap(({ result, statistics }, index): [string, number | null][] =>
      row
        ? Object.entries(JSON.parse(objectText(statistics, row._v[index] ?? 0))).map(([field, value]) => [
            `${result}.${field}`,
            value as number,
          ])
        : [],
    )
    return new Map(members)
  }
  return { take, shown, asked: () => asked, values }
}

const isClose = (a: unknown, b: unknown): boolean =>
  a === b ||
  (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b)))

for (const isWhole of [true, false]) {
  const title = isWhole ? 'remembered from its beginning' : 'asked for when a reference first reads it'
  test(`the row of an entity that is ${title} has all events before, and what ClickHouse shows`, async (t) => {
    const random = randomFor(t)
    const whole = (most: number): number => Math.floor(random.next() * most)
    const service = await open(isWhole ? 'whole' : 'part', { isWhole })
    const maybe = (value: () => string | number): string | number | null => (whole(5) === 0 ? null : value())
    const some = (stream: string) => ({
      stream,
      event: {
        k: maybe(() => ['a', 'b', 'ü:\\'][whole(3)] ?? ''),
        region: maybe(() => ['x', 'y:z'][whole(2)] ?? ''),
        user: maybe(() => `user ${'long '.repeat(whole(20))}${whole(30)}`),
        n: maybe(() => whole(9) - 4),
        id: maybe(() => whole(1000) - 500),
        price: maybe(() => whole(400) / 4 - 20),
        far: maybe(() => 1e9 + random.next()),
      },
    })
    for (let body = 0; body < 12; body++) {
      const key = ['a', 'b', 'ü:\\', 'absent'][body % 4] ?? ''
      const stored = await service.take([
        ...Array.from({ length: 20 }, () => some(whole(2) === 0 ? 'sale' : 'visit')),
        { stream: 'asks', event: { k: key, pair: `${key.replaceAll('\\', '\\\\').replaceAll(':', '\\:')}:y\\:z` } },
      ])
      const found = stored.at(-1) ?? {}
      // The body's own events come to ClickHouse after it.
      const expected = await service.shown('shop', key)
      for (const path of paths) {
        const value = found[resultOf(path)]
        t.true(isClose(value, expected.get(path) ?? undefined), `${key} ${path}: ${value}, not ${expected.get(path)}`)
      }
      const pair = await service.shown('pairs', `${key}:y:z`)
      const joined = `${key.replaceAll('\\', '\\\\').replaceAll(':', '\\:')}:y\\:z`
      t.is(found.r_both_cnt, pair.get('both.cnt') ?? (await service.shown('pairs', joined)).get('both.cnt'))
    }
  })
}

test('a row that is remembered from its beginning is never asked for', async (t) => {
  const service = await open('silent', { isWhole: true })
  const [, asked] = await service.take([
    { stream: 'sale', event: { k: 'a', price: 2.5 } },
    { stream: 'asks', event: { k: 'a' } },
    { stream: 'asks', event: { k: 'b' } },
  ])
  t.like(asked, { r_sales_cnt: 1, r_sales_avg: 2.5, r_views_cnt: 0 })
  t.is(service.asked(), 0)
})

test('different values are counted exactly up to 4,096, and within a percent beyond, also from where ClickHouse was', async (t) => {
  for (const isWhole of [true, false]) {
    const service = await open(isWhole ? 'many' : 'many_asked', { isWhole })
    const visits = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => ({ stream: 'visit', event: { k: 'a', id: from + index } }))
    const ask = { stream: 'asks', event: { k: 'a' } }
    const count = async (events: { stream: string; event: Event }[]): Promise<number> =>
      Number((await service.take([...events, ask])).at(-1)?.r_ids_cnt)
    t.is(await count(visits(0, 2_000)), 2_000)
    t.is(await count(visits(1_000, 4_096)), 4_096)
    const more = await count(visits(0, 20_000))
    t.true(Math.abs(more - 20_000) < 200, String(more))
    const again = await count(visits(5_000, 20_000))
    t.is(again, more)
  }
  // Asked for when ClickHouse has registers already.
  const service = await open('registers', { isWhole: false })
  const visits = (to: number) => Array.from({ length: to }, (_, id) => ({ stream: 'visit', event: { k: 'a', id } }))
  await service.take(visits(10_000))
  const ask = { stream: 'asks', event: { k: 'a' } }
  const begun = (await service.take([ask])).at(-1)?.r_ids_cnt
  t.is(begun, (await service.shown('shop', 'a')).get('ids.cnt') ?? undefined)
  t.is((await service.take([...visits(10_000), ask])).at(-1)?.r_ids_cnt, begun)
  const more = Number((await service.take([...visits(20_000), ask])).at(-1)?.r_ids_cnt)
  t.true(Math.abs(more - 20_000) < 300, String(more))
})

test('different values are counted as ClickHouse counts them where the memory forgets a part before its row, or a row before its parts', async (t) => {
  const ask = { stream: 'asks', event: { k: 'a' } }
  const visits = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => ({ stream: 'visit', event: { k: 'a', id: from + index } }))
  const isPart = (key: string): boolean => /\/[hr]\d+\/[^/]*$/.test(key)
  // Hashes in parts, and registers.
  for (const [name, size] of [
    ['hashes', 1_000],
    ['of_registers', 6_000],
  ] as const) {
    const service = await open(`forgets_${name}`, { isWhole: false })
    const count = async (events: { stream: string; event: Event }[]) =>
      Number((await service.take([...events, ask])).at(-1)?.r_ids_cnt)
    const forget = (isToGo: (key: string, index: number) => boolean): void => {
      const going = [...service.values.keys()].filter(isToGo)
      t.true(going.length > 0)
      for (const key of going) service.values.delete(key)
    }
    const within = (told: number, of: number, what: string) =>
      t.true(size < 4_096 ? told === of : Math.abs(told / of - 1) < 0.02, `${name}, ${what}: ${told} of ${of}`)

    within(await count(visits(0, size)), size, 'before')
    forget((key, index) => isPart(key) && index % 2 === 0)
    within(await count(visits(0, size)), size, 'parts are gone')
    forget((key) => !isPart(key))
    within(await count(visits(0, size + 500)), size + 500, 'the row is gone')
    forget(isPart)
    await service.take(visits(0, size + 500))
    within(
      await count(visits(0, size + 700)),
      size + 700,
      'all parts are gone, and no reference reads the row for a while',
    )
  }
})

test('hashes are those of ClickHouse, of texts of each length and of numbers', async (t) => {
  const texts = Array.from({ length: 300 }, (_, length) =>
    Buffer.from('abcdefghijk'.repeat(30)).toString('utf8', 0, length),
  )
  const rows = await clickhouse.rows<{ h: string }>({
    text: "SELECT toString(cityHash64(substring(repeat('abcdefghijk', 30), 1, number))) AS h FROM numbers(300)",
    params: {},
  })
  t.deepEqual(
    texts.map((text) => String(cityHash64(Buffer.from(text)))),
    rows.map(({ h }) => h),
  )
  const numbers = await clickhouse.rows<{ h: string }>({
    text: 'SELECT hex(uniqCombined64State(toNullable(toInt64(number) - 5))) AS h FROM numbers(10) GROUP BY number ORDER BY number',
    params: {},
  })
  t.deepEqual(
    numbers.map((_, index) => intHash64(BigInt(index) - 5n)),
    numbers.map(({ h }) => Buffer.from(h, 'hex').readBigUInt64LE(3)),
  )
})
