import test from 'ava'
import { era_us } from '../../support/era.ts'
import { differenceOf, type Moments, noMoments } from '../../support/oracle.ts'
import type { Random } from '../../support/random/random.ts'
import { randomFor } from '../../support/random/seed.ts'
import type { Row } from '../../support/requests/client.ts'
import { allRows } from '../../support/requests/pages.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

const second = 1_000_000
const minute = 60 * second

type Event = { readonly _pk: number; readonly x?: number | null; readonly n?: number | bigint; readonly name?: string }

let streams = 0
async function makeStream(): Promise<string> {
  const schema = `stat${++streams}`
  const attr = [
    { name: 'x', type: 'DOUBLE', stat: 'RSTAT' },
    { name: 'n', type: 'LONG', stat: 'RSTAT', gran: 300 },
    { name: 'name', type: 'STRING', stat: 'UCOUNT' },
    { name: 'any', type: 'BOOL', stat: 'COUNT', gran: 10 },
  ]
  await client.register({ schema, streams: [{ name: 'st', type: 1, swsz: 0, attr }] })
  return `${schema}.st`
}

/** Rows by their start, oldest first. */
const oldestFirst = async (sql: string): Promise<Row[]> => (await allRows(client, sql)).toReversed()
const momentsIn = ({ v }: Row): Moments => JSON.parse(String(v))

/** Values of events by interval of `length`, from the one of the first value to that of the last. */
function byInterval<Value>(
  events: readonly (readonly [pk: number, value: Value])[],
  length: number,
): Map<number, Value[]> {
  const starts = events.map(([pk]) => pk - (pk % length))
  const intervals = new Map<number, Value[]>()
  if (starts.length === 0) return intervals
  const [first, last] = [starts.reduce((a, b) => Math.min(a, b)), starts.reduce((a, b) => Math.max(a, b))]
  for (let start = first; start <= last; start += length) intervals.set(start, [])
  for (const [index, [, value]] of events.entries()) intervals.get(starts[index] ?? 0)?.push(value)
  return intervals
}

type Shape = (random: Random) => () => number

/** Values for the intervals of a stream, by order of magnitude: their middle, and how far they lie from it. */
const families: Readonly<Record<string, { middle: number; width: number; shapes: readonly Shape[] }>> = {
  'small numbers': {
    middle: 0,
    width: 1,
    shapes: [
      (random) => () => random.whole(-5, 5),
      (random) => () => random.normal(),
      (random) => () => 3 + random.normal(),
      (random) => () => random.normal() ** 3,
      (random) => () => Math.exp(random.normal()),
      (random) => () => random.pick([0, 0, 0, 1]),
      (random) => {
        const value = random.normal()
        return () => value
      },
    ],
  },
  'numbers about 100': {
    middle: 100,
    width: 1,
    shapes: [(random) => () => 100 + random.normal(), (random) => () => 100 + random.whole(-3, 3)],
  },
  'large numbers': {
    middle: 0,
    width: 1e6,
    shapes: [(random) => () => (random.next() - 0.5) * 1e6, (random) => () => 1e6 * random.normal()],
  },
  'tiny numbers': {
    middle: 0,
    width: 1e-5,
    shapes: [(random) => () => random.next() * 1e-6, (random) => () => 1e-5 * random.normal()],
  },
}

/**
 * So many values choose where the pivot of the power sums is, which lose what its distance has in digits: these lie evenly
 * about the middle, and it is there.
 */
const firstValues = 15

for (const [family, { middle, width, shapes }] of Object.entries(families)) {
  test.serial(
    `a thousand intervals of ${family}, and what rolls them up, agree with one pass over their events`,
    async (t) => {
      const random = randomFor(t)
      const stream = await makeStream()
      const events: Event[] = []
      const intervals = 1_000
      const base = era_us
      for (let index = 0; index < firstValues; index++) {
        const x = middle + (width * (2 * index + 1 - firstValues)) / firstValues
        events.push({ _pk: base + index, x, n: Math.round(x) })
      }
      for (let index = 0; index < intervals; index++) {
        if (random.chance(0.1)) continue
        const value = random.pick(shapes)(random)
        const size = random.pick([1, 1, 2, 2, 3, 3, 4, 5, 10, 40])
        for (let each = 0; each < size; each++) {
          events.push({
            _pk: base + index * minute + random.whole(0, minute - 1),
            ...(random.chance(0.95) && { x: random.chance(0.05) ? null : value() }),
            ...(random.chance(0.9) && { n: Math.round(value()) }),
            ...(random.chance(0.9) && { name: `name ${random.whole(1, 12)}` }),
          })
        }
      }
      for (let at = 0; at < events.length; at += 2_000) await client.lines(stream, events.slice(at, at + 2_000))

      const xs = events.flatMap(({ _pk, x }): [number, number][] => (typeof x === 'number' ? [[_pk, x]] : []))
      const ns = events.flatMap(({ _pk, n }): [number, number][] => (typeof n === 'number' ? [[_pk, n]] : []))
      const names = events.flatMap(({ _pk, name }): [number, string][] => (name === undefined ? [] : [[_pk, name]]))
      const span = `where st >= ${base} and et <= ${base + intervals * minute - 1}`
      const checked = { moments: 0, counts: 0 }

      for (const [name, values, gran] of [
        ['x', xs, minute],
        ['n', ns, 5 * minute],
      ] as const) {
        for (const rollup of [0, 2, 5, 7, 60, 1_000]) {
          const length = gran * Math.max(1, rollup)
          const rows = await oldestFirst(`select aggr(${name}) from ${stream} ${span} rollup ${rollup}`)
          const expected = byInterval(values, length)
          for (const { k } of rows) if (!expected.has(Number(k))) expected.set(Number(k), [])
          t.deepEqual(
            rows.map(({ k }) => k),
            [...expected.keys()],
            `${name} rollup ${rollup}`,
          )
          for (const row of rows) {
            const of = expected.get(Number(row.k)) ?? []
            const wrong = differenceOf(momentsIn(row), of, { first: middle })
            if (wrong)
              return t.fail(`${name} rollup ${rollup} at ${row.k}, ${of.length} values ${of.slice(0, 10)}: ${wrong}`)
            checked.moments++
          }
        }
      }
      for (const rollup of [0, 3, 60]) {
        const rows = await oldestFirst(`select aggr(name) from ${stream} ${span} rollup ${rollup}`)
        const expected = byInterval(names, minute * Math.max(1, rollup))
        for (const { k, v } of rows) {
          t.is(v, new Set(expected.get(Number(k)) ?? []).size, `${k} rollup ${rollup}`)
          checked.counts++
        }
      }
      t.true(checked.moments > 2_000 && checked.counts > 1_000, JSON.stringify(checked))

      for (let round = 0; round < 20; round++) {
        const from = base + random.whole(0, intervals) * minute + random.whole(-5, 5)
        const to = from + random.pick([0, 1, 59, 60, 600, 86_400]) * second
        const [row] = await client.rows(`select aggr(x) from ${stream} where st >= ${from} and et <= ${to} rollup 1`)
        const told = JSON.parse(String(row?.v))
        const inside = xs
          .filter(([pk]) => pk - (pk % minute) + minute > from && pk - (pk % minute) <= to)
          .map(([, x]) => x)
        const counted = [from - (from % minute), to - (to % minute) + minute - 1]
        t.deepEqual([told.fromts, told.tots], counted)
        t.is(differenceOf(told.aggr_val, inside, { first: middle }), undefined, `st ${from} et ${to}`)
      }
      return undefined
    },
  )
}

test('values that share a large offset keep their moments to 1e-6', async (t) => {
  const random = randomFor(t)
  for (const offset of [1e9, -1e9, 1e12]) {
    const stream = await makeStream()
    const events = Array.from({ length: 3_000 }, (_, index): Event => {
      const noise = random.normal()
      return { _pk: era_us + index * second, x: offset + noise, n: offset + random.whole(-3, 3) }
    })
    await client.lines(stream, events)
    const relative = Math.abs(offset) === 1e9 ? 1e-6 : 1e-3
    for (const rollup of [0, 5, 50]) {
      const rows = await oldestFirst(
        `select aggr(x) from ${stream} where et <= ${era_us + 3_000 * second - 1} rollup ${rollup}`,
      )
      const expected = byInterval(
        events.map(({ _pk, x }): [number, number] => [_pk, x ?? 0]),
        minute * Math.max(1, rollup),
      )
      for (const row of rows) {
        t.is(
          differenceOf(momentsIn(row), expected.get(Number(row.k)) ?? [], { relative }),
          undefined,
          `${offset} ${rollup}`,
        )
      }
    }
    for (const name of ['x', 'n'] as const) {
      const [row] = await client.rows(`select aggr(${name}) from ${stream} rollup 1`)
      const values = events.map((event) => event[name] ?? 0)
      t.is(differenceOf(JSON.parse(String(row?.v)).aggr_val, values, { relative }), undefined, `${name} ${offset}`)
    }
  }
})

test('a first value far from all others costs their moments nothing', async (t) => {
  const random = randomFor(t)
  const stream = await makeStream()
  await client.event(stream, { _pk: era_us + 1, x: 0, n: 0 })
  const events = Array.from(
    { length: 2_000 },
    (_, index): Event => ({
      _pk: era_us + 10 * minute + index * second,
      x: 1e9 + random.normal(),
      n: 1_000_000_000 + random.whole(-3, 3),
    }),
  )
  for (const event of events.slice(0, 5)) await client.event(stream, event)
  await client.lines(stream, events.slice(5))
  for (const name of ['x', 'n'] as const) {
    const [row] = await client.rows(`select aggr(${name}) from ${stream} where st >= ${era_us + 10 * minute} rollup 1`)
    const values = events.map((event) => event[name] ?? 0)
    t.is(differenceOf(JSON.parse(String(row?.v)).aggr_val, values, { relative: 1e-6 }), undefined, name)
  }
  const [whole] = await client.rows(`select aggr(x) from ${stream} rollup 1`)
  t.is(differenceOf(JSON.parse(String(whole?.v)).aggr_val, [0, ...events.map(({ x }) => x ?? 0)]), undefined)
})

test('equal values have no deviation, skewness or kurtosis at all', async (t) => {
  for (const value of [0, 0.1, -1 / 3, 1e9 + 0.1, 1e-300, 1e15]) {
    const stream = await makeStream()
    const n = Math.trunc(value) + 0
    await client.event(stream, { _pk: era_us, x: 7.7, n: 5 })
    await client.lines(
      stream,
      Array.from({ length: 50 }, (_, index) => ({ _pk: era_us + 10 * minute + index * 10 * second, x: value, n })),
    )
    for (const name of ['x', 'n'] as const) {
      for (const rollup of [0, 3]) {
        for (const row of await client.rows(
          `select aggr(${name}) from ${stream} where st >= ${era_us + 10 * minute} and et <= ${era_us + 18 * minute} rollup ${rollup}`,
        )) {
          const { cnt, min, max, avg, stdd, skew, kurt } = momentsIn(row)
          if (cnt === 0) continue
          t.deepEqual([stdd, skew, kurt], [0, 0, 0], `${name} ${value} ${row.v}`)
          t.deepEqual([min, max], name === 'x' ? [value, value] : [n, n])
          t.is(avg, min)
        }
      }
    }
  }
})

test('few values have the moments that they can have', async (t) => {
  const stream = await makeStream()
  const sets = [[5], [1, 3], [1, 2, 6], [1, 2, 6, 10], [-1, -1, -1, 7]]
  await client.lines(
    stream,
    sets.flatMap((values, index) => values.map((x, each) => ({ _pk: era_us + index * minute + each, x }))),
  )
  const rows = await oldestFirst(`select aggr(x) from ${stream} where et <= ${era_us + sets.length * minute - 1}`)
  for (const [index, values] of sets.entries())
    t.is(differenceOf(momentsIn(rows[index] ?? { k: 0, v: '{}' }), values), undefined)
  t.deepEqual(momentsIn(rows[0] ?? { k: 0, v: '{}' }), { ...noMoments, cnt: 1, sum: 5, min: 5, max: 5, avg: 5 })
  t.deepEqual([momentsIn(rows[1] ?? { k: 0, v: '{}' }).skew, momentsIn(rows[2] ?? { k: 0, v: '{}' }).kurt], [0, 0])
})

test('LONG keeps its least and greatest exactly, and every number is a JSON number', async (t) => {
  const stream = await makeStream()
  const values = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 0n]
  await client.lines(
    stream,
    values.map((n, index) => ({ _pk: era_us + index, n })),
  )
  const [row] = await client.rows(`select aggr(n) from ${stream} where et <= ${era_us + 10}`)
  t.regex(String(row?.v), /"min":-9223372036854775808,"max":9223372036854775807,/)
  for (const [value, times, sum] of [
    [2n ** 53n + 1n, 1, '9007199254740993'],
    [-(2n ** 53n) - 1n, 3, '-27021597764222979'],
    [2n ** 63n - 1n, 1, '9223372036854775807'],
    [2n ** 63n - 1n, 2, '18446744073709552000'],
  ] as const) {
    const equal = await makeStream()
    await client.lines(
      equal,
      Array.from({ length: times }, (_, index) => ({ _pk: era_us + index, n: value })),
    )
    const [moments] = await client.rows(`select aggr(n) from ${equal} where et <= ${era_us + 10}`)
    t.is(
      String(moments?.v),
      `{"cnt":${times},"sum":${sum},"min":${value},"max":${value},"avg":${value},"stdd":0,"skew":0,"kurt":0}`,
    )
  }
  const huge = await makeStream()
  await client.lines(
    huge,
    [1e200, -1e200, 1e308, 1.7e308].map((x, index) => ({ _pk: era_us + index, x })),
  )
  for (const rollup of ['', ' rollup 1']) {
    const answer = await client.rows(`select aggr(x) from ${huge} where et <= ${era_us + 10}${rollup}`)
    t.notThrows(() => JSON.parse(String(answer[0]?.v)), String(answer[0]?.v))
  }
})

test('UCOUNT is exact for few values and within 1 % at 10,000, over one interval and merged over many', async (t) => {
  const stream = await makeStream()
  const n = 10_000
  const events = Array.from({ length: 3 * n }, (_, index) => ({
    _pk: era_us + (index % 30) * minute + 5,
    name: `visitor ${index % n}`,
  }))
  await client.lines(stream, events)
  for (const [sql, least] of [
    [`select aggr(name) from ${stream} where et <= ${era_us + 30 * minute - 1} rollup 30`, n],
    [`select aggr(name) from ${stream} rollup 1`, n],
  ] as const) {
    const [row] = await client.rows(sql)
    const told = sql.endsWith('rollup 1') ? JSON.parse(String(row?.v)).aggr_val.cnt : Number(row?.v)
    t.true(Math.abs(told / least - 1) <= 0.01, `${told} of ${least}`)
  }
  const single = await makeStream()
  await client.lines(
    single,
    Array.from({ length: n }, (_, index) => ({ _pk: era_us + 5, name: `visitor ${index}` })),
  )
  const [row] = await client.rows(`select aggr(name) from ${single} where et <= ${era_us + 10}`)
  t.true(Math.abs(Number(row?.v) / n - 1) <= 0.01, `${row?.v} of ${n}`)

  const few = await makeStream()
  for (const size of [1, 2, 16, 17, 100, 300]) {
    const start = era_us + size * 1_000 * minute
    await client.lines(
      few,
      Array.from({ length: 2 * size }, (_, index) => ({
        _pk: start + (index % 10) * minute,
        name: `v${index % size}`,
      })),
    )
    const [row] = await client.rows(
      `select aggr(name) from ${few} where st >= ${start} and et <= ${start + 999 * minute} rollup 1`,
    )
    t.deepEqual(JSON.parse(String(row?.v)).aggr_val, { cnt: size })
  }
})

test('intervals are told from the first one with data to the end of the span, newest first', async (t) => {
  const stream = await makeStream()
  await client.lines(
    stream,
    [5, 6, 9].map((index) => ({ _pk: era_us + index * 10 * second + 3, any: true })),
  )
  const rowsOf = async (clauses: string) =>
    (await client.rows(`select aggr(any) from ${stream} ${clauses}`)).map(({ k, v }) => [
      (Number(k) - era_us) / second,
      v,
    ])
  t.deepEqual(await rowsOf(`where et <= ${era_us + 119 * second}`), [
    [110, 0],
    [100, 0],
    [90, 1],
    [80, 0],
    [70, 0],
    [60, 1],
    [50, 1],
  ])
  t.deepEqual(await rowsOf(`where st >= 0 and et <= ${era_us + 99 * second}`), [
    [90, 1],
    [80, 0],
    [70, 0],
    [60, 1],
    [50, 1],
  ])
  t.deepEqual(await rowsOf(`where st >= ${era_us + 60 * second} and et <= ${era_us + 89 * second}`), [
    [80, 0],
    [70, 0],
    [60, 1],
  ])
  t.deepEqual(await rowsOf(`where st >= ${era_us + 70 * second} and et <= ${era_us + 89 * second}`), [])
  t.deepEqual(
    await rowsOf(`where st >= ${era_us + 69_999_999} and et <= ${era_us + 70 * second}`),
    [
      [70, 0],
      [60, 1],
    ],
    'overlapping ends',
  )
  t.deepEqual(await rowsOf(`where et <= ${era_us + 119 * second} rollup 2`), [
    [100, 0],
    [80, 1],
    [60, 1],
    [40, 1],
  ])
  t.deepEqual(
    await rowsOf(`where et <= ${era_us + 119 * second} rollup 0`),
    await rowsOf(`where et <= ${era_us + 119 * second}`),
  )
  t.deepEqual(await rowsOf(`where et <= ${era_us + 119 * second} limit 2`), [
    [110, 0],
    [100, 0],
  ])
  t.deepEqual(await rowsOf(`where st >= ${era_us + 60 * second} and et <= ${era_us + 20 * second}`), [])
})

test('without a span intervals end with the one of now; those ahead of it are told too', async (t) => {
  const stream = await makeStream()
  const now = Date.now() * 1000
  const start = now - (now % (10 * second))
  await client.lines(stream, [{ _pk: start - 20 * second, any: true }])
  const rows = await client.rows(`select aggr(any) from ${stream}`)
  t.true(rows.length >= 3 && rows.length <= 6)
  t.deepEqual([Number(rows.at(-1)?.k), rows.at(-1)?.v, rows[0]?.v], [start - 20 * second, 1, 0])
  const ahead = start + 3_600 * second
  await client.event(stream, { _pk: ahead, any: true })
  const [first] = await client.rows(`select aggr(any) from ${stream}`)
  t.deepEqual([first?.k, first?.v], [ahead, 1])
})

test('rollup 1 is one row over the whole period, at the time of the query', async (t) => {
  const stream = await makeStream()
  await client.lines(stream, [
    { _pk: era_us + 5, x: 1, any: false, name: 'a' },
    { _pk: era_us + 90 * second, x: 2, any: true, name: 'a' },
  ])
  const before = Date.now() * 1000
  const valueOf = async (clauses: string) => {
    const answer = await client.ok(client.query(`select aggr${clauses}`))
    t.like(answer, { num_items: 1, more_data_to_come: 0, switch_done: 0 })
    const [row] = answer.rows
    t.true(row.k >= before && row.k <= (Date.now() + 1) * 1000)
    return row.v
  }
  const minuteOfEra = `{"fromts":${era_us},"tots":${era_us + minute - 1}`
  const ever = '"fromts":1,"tots":9223372036854775807'
  t.is(await valueOf(`(any) from ${stream} rollup 1`), `{${ever},"aggr_val":{"cnt":2}}`)
  t.is(await valueOf(`(name) from ${stream} rollup 1`), `{${ever},"aggr_val":{"cnt":1}}`)
  t.is(
    await valueOf(`(x) from ${stream} where st >= ${era_us} and et <= ${era_us + 100} rollup 1`),
    `${minuteOfEra},"aggr_val":{"cnt":1,"sum":1,"min":1,"max":1,"avg":1,"stdd":0,"skew":0,"kurt":0}}`,
  )
  t.is(
    await valueOf(`(x) from ${stream} where st > ${era_us + 5} and et < ${era_us + 100} rollup 1`),
    `${minuteOfEra},"aggr_val":{"cnt":1,"sum":1,"min":1,"max":1,"avg":1,"stdd":0,"skew":0,"kurt":0}}`,
  )
  t.is(
    await valueOf(`(any) from ${stream} where st >= ${era_us + 5} and et <= ${era_us + 4} rollup 1`),
    `{"fromts":${era_us + 5},"tots":${era_us + 4},"aggr_val":{"cnt":0}}`,
  )
  const exchanged = `the period begins at ${era_us + 5} and ends before that, at ${era_us + 4}: nothing lies within; are st and et exchanged?`
  for (const clauses of [' rollup 1', '', ' rollup 2']) {
    const answer = await client.ok(
      client.query(`select aggr(any) from ${stream} where st >= ${era_us + 5} and et <= ${era_us + 4}${clauses}`),
    )
    t.deepEqual(answer.error, [exchanged])
  }
})

test('a stream without events answers every question', async (t) => {
  const stream = await makeStream()
  t.is(await client.count(`select count(*) from ${stream}`), 0)
  const noRows = { rows: [], num_items: 0, more_data_to_come: 0 }
  t.deepEqual(await client.ok(client.query(`select * from ${stream}`)), { ...noRows, switch_done: 1 })
  for (const name of ['x', 'n', 'name', 'any']) {
    for (const clauses of [
      '',
      ' rollup 0',
      ' rollup 5',
      ` where st >= 1 and et <= ${era_us + 1000 * minute}`,
      ' limit 5',
    ]) {
      t.deepEqual(await client.ok(client.query(`select aggr(${name}) from ${stream}${clauses}`)), {
        ...noRows,
        switch_done: 0,
      })
    }
    const [row] = await client.rows(`select aggr(${name}) from ${stream} rollup 1`)
    const { aggr_val } = JSON.parse(String(row?.v))
    t.deepEqual(aggr_val, name === 'x' || name === 'n' ? noMoments : { cnt: 0 })
  }
})

test('an aggregate up to a moment has the events of that moment', async (t) => {
  const stream = await makeStream()
  await client.lines(
    stream,
    [1, 2, 3, 10].map((x) => ({ _pk: era_us + 5, x, name: `v${x % 2}`, any: true })),
  )
  t.is(await client.count(`select count(*) from ${stream}`), 4)
  const [row] = await client.rows(`select aggr(x) from ${stream} where et <= ${era_us + 10}`)
  t.is(differenceOf(momentsIn(row ?? { k: 0, v: '{}' }), [1, 2, 3, 10]), undefined)
})
