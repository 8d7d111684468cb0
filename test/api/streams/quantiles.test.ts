/** Quantiles of values that are hard to count, alike over time, groups, entities and in the memory of rules; and levels that cannot be meant. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const q = [0.01, 0.5, 0.95]
const attr = [
  { name: 'of', type: 'STRING' },
  { name: 'x', type: 'DOUBLE' },
]
const schema = {
  schema: 'hard',
  streams: [
    {
      ...{ name: 's', type: 1, swsz: 0, attr },
      gpby: [{ gpat: ['of'], iatr: 'x', stat: ['QUANTILES', 'COUNT'], q, gran: 60 }],
      enty: [
        {
          ...{ name: 'e', opid: ['QUANTILES', 'COUNT'], q, iatr: ['x'], ratr: ['x'], rstm: 'es' },
          pkatr: [{ name: 'of', type: 'STRING', iatr: ['of'] }],
        },
      ],
      refr: [
        {
          ...{ name: 'r', rstm: 'es', ratr: ['x.p1', 'x.p50', 'x.p95'], iatr: ['p1', 'p50', 'p95'] },
          jqry: { cond: ['of'], args: ['of'] },
        },
      ],
    },
    { name: 'es', type: 4, inpt: ['s'], attr: [] },
  ],
}

const many = (of: (at: number) => number, count = 300): number[] => Array.from({ length: count }, (_, at) => of(at))
const hard: Readonly<Record<string, readonly (number | null)[]>> = {
  'one value': [7.25],
  'one value, a thousand times': many(() => -0.1, 1_000),
  'nothing but nulls': [null, null],
  'zero, and the negative one': [0, -0, 0],
  'the greatest doubles': [1e308, 1.7976931348623157e308, 1.5e308],
  'both ends of the doubles': [-1.7976931348623157e308, 1.7976931348623157e308],
  'signs that are mixed': many((at) => (at % 2 === 0 ? 1 : -1) * (at + 1)),
  'around zero': [-1e-9, 0, 1e-9],
  'the least normal doubles': many((at) => (at + 1) * 2.2250738585072014e-308),
  'orders of magnitude': many((at) => 10 ** (at - 150)),
  'negative ones alone': many((at) => -(1.01 ** at)),
  'whole numbers beyond 2 to the 53': many((at) => 2 ** 53 + 2 * at),
  'upper ends of bins': [0.001, ...many(() => 1.0155), 1_000],
}

/** The values between which a quantile lies, by their order. */
function bounds(sorted: readonly number[], level: number): readonly [low: number, high: number] {
  const at = level * sorted.length
  const low = sorted[Math.max(0, Math.ceil(at) - 1)] ?? 0
  return [low, sorted[Math.min(sorted.length - 1, Math.floor(at))] ?? 0]
}

const names = ['p1', 'p50', 'p95'] as const

/** Rows of SQL of analysts by their `of`. */
async function rowsOfSql(sql: string): Promise<Map<string, Record<string, number | null>>> {
  const { text } = await client.post('/sql', { sql, format: 'JSONEachRow' })
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return new Map(rows.map((row) => [row.of, row]))
}

test('quantiles of hard values are within one percent, and the same over time, by group, by entity and in the memory of rules', async (t) => {
  await client.register(schema)
  for (const [of, values] of Object.entries(hard)) {
    await client.lines(
      'hard.s',
      values.map((x) => ({ of, x })),
    )
    await client.event('hard.s', { of, x: null })
  }
  const valuesOf = async (sql: string): Promise<Map<string, Record<string, number | null>>> =>
    new Map((await client.rows(sql)).map(({ k, v }) => [String(k), JSON.parse(String(v))]))
  const groups = await valuesOf('select aggr(x) from hard.s groupby of')
  const entities = await valuesOf('select * from hard.es')
  const ofViews = await rowsOfSql('SELECT of, x_p1 AS p1, x_p50 AS p50, x_p95 AS p95 FROM hard.es')
  for (const [of, sent] of Object.entries(hard)) {
    const sorted = sent.filter((value) => value !== null).sort((one, other) => one - other)
    const found = groups.get(of)
    const entity = entities.get(of) as unknown as { x: Record<string, number | null> } | undefined
    t.is(found?.cnt ?? 0, sorted.length, of)
    for (const [index, name] of names.entries()) {
      const value = found?.[name] ?? null
      if (sorted.length === 0) {
        t.is(value, null, `${of}: ${name}`)
        continue
      }
      const [low, high] = bounds(sorted, q[index] ?? 0)
      const isNear =
        value !== null &&
        value >= low - 0.01 * Math.abs(low) &&
        (value <= high + 0.01 * Math.abs(high) || value === high)
      t.true(isNear, `${of}: ${name} is ${value}, of ${low} to ${high}`)
      t.is(entity?.x[name] ?? null, value, `${of}: ${name} by entity`)
    }
    t.deepEqual(
      names.map((name) => ofViews.get(of)?.[name] ?? null),
      names.map((name) => found?.[name] ?? null),
      `${of}: by analysts`,
    )
    const [last] = await client.documents(`select * from hard.s where of = "${of}" limit 1`)
    t.deepEqual(
      names.map((name) => (last?.[name] === undefined ? null : Number(last[name]))),
      names.map((name) => found?.[name] ?? null),
      `${of}: as the event after them looks it up`,
    )
  }
})

test('doubles below the least normal one count as zero, or as the least or greatest value', async (t) => {
  await client.register({ ...schema, schema: 'tiny' })
  await client.lines(
    'tiny.s',
    [5e-324, 1e-310, 2].map((x) => ({ of: 'tiny', x })),
  )
  const [row] = await client.rows('select aggr(x) from tiny.s groupby of')
  const { p1, p50 } = JSON.parse(String(row?.v))
  t.deepEqual([p1, p50], [5e-324, 5e-324])
})

test('a value that is no number is refused with its place, and nothing of it is counted', async (t) => {
  await client.register({ ...schema, schema: 'unfit' })
  for (const text of ['"NaN"', 'NaN', '1e999', '-1e999', '"Infinity"', 'true', '[1]', '{"a":1}']) {
    const { status, body } = await client.send('POST', '/stream/unfit/s', `{"of":"a","x":${text}}`)
    t.is(status, 400, text)
    t.true(Array.isArray(body.error) && body.error.length > 0, text)
  }
  t.is(await client.count('select count(*) from unfit.s'), 0)
  t.deepEqual(await client.rows('select * from unfit.es'), [])
})

const levels17 = Array.from({ length: 17 }, (_, at) => (at + 1) / 20)
const refused: readonly (readonly [more: object, reason: RegExp, type?: string])[] = [
  [{ stat: 'QUANTILES', q: [0] }, /q\[0\]: must be a number between 0 and 1/],
  [{ stat: 'QUANTILES', q: [1] }, /q\[0\]: must be a number between 0 and 1/],
  [{ stat: 'QUANTILES', q: [0.5, -0.1] }, /q\[1\]: must be a number between 0 and 1/],
  [{ stat: 'QUANTILES', q: [95] }, /q\[0\]: must be a number between 0 and 1/],
  [{ stat: 'QUANTILES', q: ['0.5'] }, /q\[0\]: must be a number between 0 and 1/],
  [{ stat: 'QUANTILES', q: 0.5 }, /q: must be an array of numbers between 0 and 1/],
  [{ stat: 'QUANTILES', q: [] }, /q: must have at least one level/],
  [{ stat: 'QUANTILES', q: levels17 }, /q: must have at most 16 levels/],
  [{ stat: 'QUANTILES', q: [0.5, 0.9, 0.5] }, /q\[2\]: p50 is there already/],
  [{ stat: 'QUANTILES', q: [0.123456789] }, /q\[0\]: must have at most \d+ digits behind the point/],
  [{ stat: 'QUANTILES' }, /QUANTILES/, 'STRING'],
  [{ stat: 'TOPK', k: 0 }, /k: must be a whole number from 1 to 100/],
  [{ stat: 'TOPK', k: 101 }, /k: must be a whole number from 1 to 100/],
  [{ stat: 'TOPK', k: 1.5 }, /k: must be a whole number from 1 to 100/],
  [{ stat: 'TOPK', k: '10' }, /k: must be a whole number from 1 to 100/],
  [{ stat: ['TOPK', 'TOPK'] }, /stat\[1\]: TOPK is there already/],
]

test('levels of quantiles and numbers of values that cannot be meant are refused with place and reason', async (t) => {
  for (const [more, reason, type = 'DOUBLE'] of refused) {
    const streams = [{ name: 's', type: 1, swsz: 0, attr: [{ name: 'x', type, ...more }] }]
    const { status, body } = await client.post('/stream', { schema: 'never', streams })
    t.is(status, 400, JSON.stringify(more))
    t.regex(body.error.join('\n'), reason)
  }
})
