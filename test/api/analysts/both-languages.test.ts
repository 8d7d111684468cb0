/**
 * The same question in SQL and in Weir's language, of every statistic, over time, by group and by key, compared with a plain reading of
 * the events. The statements of SQL are those that descriptions give.
 */
import test from 'ava'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { questionsOf } from '../../../sql/schema/questions.ts'
import { differenceOf, momentsOf } from '../../support/oracle.ts'
import { createRandom } from '../../support/random/random.ts'
import { seed } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const stat = ['RSTAT', 'UCOUNT', 'QUANTILES', 'LAST', 'FIRST']
const wire = {
  schema: 'two',
  streams: [
    {
      name: 's',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'who', type: 5, stat: ['UCOUNT', 'LAST', 'FIRST', 'TOPK'], k: 3, gran: 60 },
        { name: 'near', type: 11, stat, q: [0.5, 0.95], gran: 60 },
        { name: 'far', type: 11, stat: 'RSTAT', gran: 300 },
        { name: 'whole', type: 9, stat: 'COUNT', gran: 60 },
      ],
      gpby: [
        { gpat: ['who'], iatr: 'near', stat, q: [0.5, 0.95], gran: 300 },
        { gpat: ['who'], iatr: 'whole', stat: 'UCOUNT', gran: 300 },
      ],
      enty: [
        {
          name: 'e',
          opid: stat,
          q: [0.5, 0.95],
          iatr: ['near'],
          ratr: ['spent'],
          pkatr: [{ name: 'key', type: 5, iatr: ['who'] }],
          rstm: 'people',
        },
      ],
    },
    { name: 'people', type: 4, inpt: ['s'], attr: [] },
  ],
}

const random = createRandom(seed)
const below = (end: number): number => random.whole(0, end - 1)
const hour_us = 3_600_000_000
const begin_us = 1_795_608_000_000_000 - (1_795_608_000_000_000 % hour_us)
const names = ['ann', 'bob', 'cy', 'dee', 'eve']

type Event = { _pk: number; who?: string; near?: number; far?: number; whole?: number }
const skewed = (): string => names[Math.floor(below(25) ** 0.5)] ?? 'ann'
const events: Event[] = Array.from({ length: 600 }, (_, i) => ({
  _pk: begin_us + below(5 * 3600) * 1_000_000 + i,
  ...(below(10) > 0 && { who: skewed() }),
  ...(below(8) > 0 && { near: Math.round(Math.exp(below(1000) / 150) * 1000) / 1000 }),
  ...(below(8) > 0 && { far: 1e9 + below(1000) / 8 }),
  ...(below(3) > 0 && { whole: below(40) }),
}))

type Row = Readonly<Record<string, unknown>>
const { streams } = decodeSchema(wire)
const stream = streams[0]
if (!stream) throw new Error('the schema has a stream')
const questions = questionsOf(decodeSchema(wire), stream, undefined)

async function ask(asks: string): Promise<{ sql: Row[]; long: Row[]; query: Row[] }> {
  const question = questions.find((each) => each.asks === asks)
  const long = questions.find(
    (each) =>
      each.asks ===
      `stdd, skew, kurt of ${asks.replace('the statistics of ', '').replace(', merged over time', '').replace(', merged', '')}`,
  )
  const bySql = async (sql: string | undefined): Promise<Row[]> =>
    sql === undefined ? [] : (await client.ok(client.post('/sql', { sql }))).data
  const query: Row[] =
    question?.query === undefined
      ? []
      : (await client.ok(client.post('/db/mydb/query', { sql: question.query, rows: 'objects' }))).rows
  return { sql: await bySql(question?.sql), long: await bySql(long?.sql), query }
}

/** A plain reading of the values, in the order of their events. */
function oracle(own: readonly Event[], of: (event: Event) => number | string | undefined) {
  const values = own.toSorted((a, b) => a._pk - b._pk).flatMap((event) => of(event) ?? [])
  const counts = new Map<unknown, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const numbers = values.filter((value) => typeof value === 'number')
  const sorted = numbers.toSorted((a, b) => a - b)
  return {
    ...{ values, numbers, cnt: values.length, unique: counts.size, last: values.at(-1), first: values[0] },
    quantile: (level: number) => sorted[Math.max(0, Math.ceil(level * sorted.length) - 1)] ?? 0,
    top: [...counts.values()].toSorted((a, b) => b - a).slice(0, 3),
  }
}

type Truth = ReturnType<typeof oracle>
const isNear = (got: unknown, wanted: number, relative: number): boolean =>
  Math.abs(Number(got) - wanted) <= relative * Math.max(1e-9, Math.abs(wanted))

/** How the members of a value in one language differ from the truth. */
function differences(value: Row, truth: Truth): string[] {
  const found: string[] = []
  const differs = (name: string, isSame: boolean) => isSame || found.push(`${name}: ${JSON.stringify(value[name])}`)
  for (const name of ['cnt', 'unique', 'last', 'first'] as const)
    if (name in value)
      differs(
        name,
        Number.isFinite(Number(truth[name]))
          ? Number(value[name]) === Number(truth[name])
          : value[name] === truth[name],
      )
  if ('sum' in value && 'stdd' in value) {
    const moments = { ...momentsOf(truth.numbers), ...value }
    const difference = differenceOf(moments as Parameters<typeof differenceOf>[0], truth.numbers, { relative: 1e-6 })
    if (difference !== undefined) found.push(difference)
  }
  for (const [name, level] of [
    ['p50', 0.5],
    ['p95', 0.95],
  ] as const)
    if (name in value) differs(name, isNear(value[name], truth.quantile(level), 0.01))
  if ('top' in value) {
    const top = (value.top as readonly (readonly [unknown, number] | { cnt: number })[]).map((each) =>
      'cnt' in each ? each.cnt : each[1],
    )
    differs('top', JSON.stringify(top.map(Number)) === JSON.stringify(truth.top))
  }
  return found
}

/** The row of SQL as the value of the other language: quantiles by their names, and what stood in the longer statement. */
function valueOf(row: Row, long: Row | undefined): Row {
  const { quantiles_p50_p95: quantiles, ...rest } = row
  const [p50, p95] = Array.isArray(quantiles) ? quantiles : []
  const plain = long && Object.fromEntries(Object.entries(long).map(([name, value]) => [name, value ?? 0]))
  return { ...plain, ...rest, ...(p50 !== undefined && { p50, p95 }) }
}

let accepted = 0

test.before(async () => {
  await client.register(wire)
  const lines = events.map((event) => JSON.stringify(event)).join('\n')
  accepted = (await client.ok(client.send('POST', '/stream/two/s', lines, { 'content-type': 'application/x-ndjson' })))
    .accepted
})

const cntOf = (value: unknown): number =>
  typeof value === 'object' && value !== null && 'cnt' in value ? Number(value.cnt) : Number(value)

const hourOf = (_pk: number): number => Math.floor(_pk / hour_us)

for (const name of ['who', 'near', 'far', 'whole'] as const) {
  test(`${name} by hour is the same in both languages, and as the events say`, async (t) => {
    t.is(accepted, events.length)
    const { sql, long, query } = await ask(`the statistics of ${name} by hour, merged`)
    const hours = [...new Set(events.filter((event) => event[name] !== undefined).map(({ _pk }) => hourOf(_pk)))]
    t.is(sql.length, hours.length)
    // Weir's language shows the intervals without a value, too.
    t.is(query.filter(({ value }) => cntOf(value) > 0).length, hours.length)
    for (const hour of hours) {
      const truth = oracle(
        events.filter(({ _pk }) => hourOf(_pk) === hour),
        (event) => event[name],
      )
      const isOf = (row: Row) => Date.parse(`${String(row.hour).replace(' ', 'T')}Z`) * 1000 === hour * hour_us
      t.deepEqual(differences(valueOf(sql.find(isOf) ?? {}, long.find(isOf)), truth), [], `SQL, seed ${seed}`)
      const row = query.find(
        ({ from }) => Number(from) === hour * hour_us || Date.parse(String(from)) * 1000 === hour * hour_us,
      )
      const value = typeof row?.value === 'object' ? (row.value as Row) : { cnt: row?.value }
      t.deepEqual(differences(value, truth), [], `Weir's language, seed ${seed}, ${JSON.stringify(query[0])}`)
    }
  })
}

for (const name of ['near', 'whole'] as const) {
  test(`${name} by group is the same in both languages, and as the events say`, async (t) => {
    const { sql, long, query } = await ask(`the statistics of ${name} by who, merged over time`)
    for (const who of names) {
      const truth = oracle(
        events.filter((event) => event.who === who),
        (event) => event[name],
      )
      const isOf = (row: Row) => row.who === who
      if (truth.cnt === 0) continue
      t.deepEqual(differences(valueOf(sql.find(isOf) ?? {}, long.find(isOf)), truth), [], `SQL, seed ${seed}`)
      const value = query.find(isOf)?.value
      const wanted = typeof value === 'object' ? (value as Row) : { unique: value }
      t.deepEqual(differences(wanted, truth), [], `Weir's language, seed ${seed}`)
    }
  })
}

test('keys of an entity are the same in both languages, page by page, and as the events say', async (t) => {
  const bySql: Row[] = []
  for (let offset = 0; ; offset += 2) {
    const { data } = await client.ok(
      client.post('/sql', { sql: `SELECT * FROM two.people ORDER BY key LIMIT 2 OFFSET ${offset}` }),
    )
    bySql.push(...data)
    if (data.length < 2) break
  }
  const byQuery: Row[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await client.ok(
      client.post('/db/mydb/query', {
        sql: 'select * from two.people limit 2',
        rows: 'objects',
        ...(cursor && { cursor }),
      }),
    )
    byQuery.push(...page.rows)
    if (page.cursor === undefined) break
    cursor = page.cursor
  }
  for (const who of names) {
    const truth = oracle(
      events.filter((event) => event.who === who),
      (event) => event.near,
    )
    if (truth.cnt === 0) continue
    const row = bySql.find(({ key }) => key === who) ?? {}
    const members = Object.entries(row).flatMap(([name, value]) =>
      name.startsWith('spent_') ? [[name.slice('spent_'.length), value ?? 0]] : [],
    )
    t.deepEqual(differences(Object.fromEntries(members), truth), [], `SQL, seed ${seed}`)
    const spent = byQuery.find(({ key }) => key === who)?.spent as Row
    t.deepEqual(differences(spent, truth), [], `Weir's language, seed ${seed}`)
    t.true(Object.keys(spent).length >= 12)
  }
})
