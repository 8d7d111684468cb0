import test from 'ava'
import fc from 'fast-check'
import { isoWeek } from '../../../../base/calendar.ts'
import { attribute, computed, result } from './compute.ts'
import '../../../support/random/seed.ts'

const micros = (iso: string) => Date.parse(iso) * 1000

const instants: readonly (readonly [unknown, number | bigint | undefined])[] = [
  ['2020-12-31', micros('2020-12-31T00:00:00Z')],
  ['2020-12-31T23:59:58', micros('2020-12-31T23:59:58Z')],
  ['2020-12-31 23:59:58', micros('2020-12-31T23:59:58Z')],
  ['2020-12-31T23:59', micros('2020-12-31T23:59:00Z')],
  ['2020-12-31T23:59:58Z', micros('2020-12-31T23:59:58Z')],
  [' 2020-12-31t23:59:58z ', micros('2020-12-31T23:59:58Z')],
  ['2020-12-31T23:59:58+05:30', micros('2020-12-31T18:29:58Z')],
  ['2020-12-31T23:59:58-0800', micros('2021-01-01T07:59:58Z')],
  ['2020-12-31T23:59:58+01', micros('2020-12-31T22:59:58Z')],
  ['2020-12-31T23:59:58.5Z', micros('2020-12-31T23:59:58.500Z')],
  ['2020-12-31T23:59:58.123456Z', micros('2020-12-31T23:59:58.123Z') + 456],
  ['2020-12-31T23:59:58.123456999', micros('2020-12-31T23:59:58.123Z') + 456],
  ['1969-12-31T23:59:59.999999', -1],
  ['31/12/20 23:59:58', micros('2020-12-31T23:59:58Z')],
  ['31/12/2020 23:59:58', micros('2020-12-31T23:59:58Z')],
  ['31/12/2020', micros('2020-12-31T00:00:00Z')],
  ['1/2/69 00:00:00', micros('2069-02-01T00:00:00Z')],
  ['01/02/70 00:00:00', micros('1970-02-01T00:00:00Z')],
  ['01/02/99 00:00:00', micros('1999-02-01T00:00:00Z')],
  ['29/02/2024', micros('2024-02-29T00:00:00Z')],
  ['29/02/2000', micros('2000-02-29T00:00:00Z')],
  ['9999-12-31T23:59:59.999999Z', 253402300799999999n],
  ['0000-01-01', -62167219200000000n],
  [1609459198123456, 1609459198123456],
  [-1, -1],
  [9223372036854775807n, 9223372036854775807n],
  [-9223372036854775808n, -9223372036854775808n],
  // No date.
  ['31/02/20 10:00:00', undefined],
  ['29/02/2023', undefined],
  ['29/02/1900', undefined],
  ['2023-02-29', undefined],
  ['2020-13-01', undefined],
  ['2020-00-10', undefined],
  ['2020-01-00', undefined],
  ['2020-01-32', undefined],
  ['2020-12-31T24:00:00', undefined],
  ['2020-12-31T23:60:00', undefined],
  ['2020-12-31T23:59:60', undefined],
  ['2020-12-31T23:59:58+24:00', undefined],
  ['2020-12-31T', undefined],
  ['2020-12-31Z', undefined],
  ['2020-1-1', undefined],
  ['12/31/2020', undefined],
  ['01/02/123', undefined],
  ['tomorrow', undefined],
  ['1609459198123456', undefined],
  ['', undefined],
  [1.5, undefined],
  [1e300, undefined],
  [2n ** 63n, undefined],
  [true, undefined],
  [null, undefined],
  [{}, undefined],
]

for (const [date, instant] of instants) {
  test(`TS of ${typeof date} ${date} is ${instant}`, (t) => {
    t.is(result('TS', ['d'], 'LONG', { d: date }), instant)
  })
}

/** YEAR, MONTH, DAY_MONTH, DAY, WEEK, WEEK_MONTH, DAY_WEEK, by a printed calendar. */
const calendar: readonly (readonly [string, string])[] = [
  ['2020-12-31', '2020 11 31 366 53 5 4'],
  ['2021-01-01', '2021 0 1 1 53 1 5'],
  ['2021-01-02', '2021 0 2 2 53 1 6'],
  ['2021-01-03', '2021 0 3 3 53 2 0'],
  ['2021-01-04', '2021 0 4 4 1 2 1'],
  ['2018-12-31', '2018 11 31 365 1 6 1'],
  ['2019-12-30', '2019 11 30 364 1 5 1'],
  ['2016-01-03', '2016 0 3 3 53 2 0'],
  ['2016-01-04', '2016 0 4 4 1 2 1'],
  ['2024-02-29', '2024 1 29 60 9 5 4'],
  ['2023-10-01', '2023 9 1 274 39 1 0'],
  ['2026-02-28', '2026 1 28 59 9 4 6'],
  ['1970-01-01', '1970 0 1 1 1 1 4'],
  ['1969-12-31', '1969 11 31 365 1 5 3'],
]

const partsOf = (date: unknown, operations: readonly string[]) => {
  const attributes = operations.map((name) => attribute(name, ['d'], { name, type: 'LONG' }))
  const event = computed(attributes, { d: date })
  return operations.map((name) => event[name])
}

for (const [date, parts] of calendar) {
  test(`${date} is ${parts} in the calendar`, (t) => {
    t.is(partsOf(date, ['YEAR', 'MONTH', 'DAY_MONTH', 'DAY', 'WEEK', 'WEEK_MONTH', 'DAY_WEEK']).join(' '), parts)
  })
}

const epochs: readonly (readonly [string, string])[] = [
  ['1970-01-01', '0 0 0 0 0 0'],
  ['1969-12-31T23:59:59.5', '-1 -1 -1 -1 -1 -1'],
  ['1970-01-08T01:01:01', '0 0 1 7 169 10141'],
  ['1971-02-01', '1 13 56 396 9504 570240'],
]

for (const [date, units] of epochs) {
  test(`${date} is ${units} whole units since 1970`, (t) => {
    const names = ['YEAR', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE'].map((unit) => `${unit}_EPOCH`)
    t.is(partsOf(date, names).join(' '), units)
  })
}

/** A year short of the last Date, because the oracle goes back to the year's first day. */
const latest_us = (8_640_000_000_000_000n - 366n * 86_400_000n) * 1000n

test('every part agrees with Date, over nearly all the time that a Date has', (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: -latest_us, max: latest_us }), (us) => {
      const date = new Date(Number(us / 1000n - (us % 1000n < 0n ? 1n : 0n)))
      const day = Math.floor(date.getTime() / 86_400_000)
      const oracle = {
        YEAR: date.getUTCFullYear(),
        MONTH: date.getUTCMonth(),
        DAY_MONTH: date.getUTCDate(),
        DAY_WEEK: date.getUTCDay(),
        DAY: day - Math.floor(new Date(date).setUTCMonth(0, 1) / 86_400_000) + 1,
        HOUR: date.getUTCHours(),
        MINUTE: date.getUTCMinutes(),
        SECOND: date.getUTCSeconds(),
        DAY_EPOCH: day,
        MONTH_EPOCH: (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth(),
      }
      t.deepEqual(partsOf(us, Object.keys(oracle)), Object.values(oracle))
    }),
    { numRuns: 2000 },
  )
})

test('each day from 1890 to 2110 has the ISO week that counting Mondays gives', (t) => {
  const wrong: string[] = []
  let week = 0
  // 1889-12-30 is the Monday of the week that holds 1890's first Thursday.
  for (let day = Date.UTC(1889, 11, 30); day < Date.UTC(2110, 0, 1); day += 86_400_000) {
    const date = new Date(day)
    const thursday = new Date(day + 3 * 86_400_000)
    const isFirst = thursday.getUTCMonth() === 0 && thursday.getUTCDate() <= 7
    if (date.getUTCDay() === 1) week = isFirst ? 1 : week + 1
    if (isoWeek(day / 86_400_000) !== week) wrong.push(date.toISOString())
  }
  t.deepEqual(wrong, [])
})

test('the printed instant reads back as itself', (t) => {
  const most = BigInt(Date.UTC(9999, 11, 31)) * 1000n
  fc.assert(
    fc.property(fc.bigInt({ min: -62_000_000_000_000_000n, max: most }), fc.constantFrom('Z', ''), (us, zone) => {
      const ms = us / 1000n - (us % 1000n < 0n ? 1n : 0n)
      const text = `${new Date(Number(ms)).toISOString().slice(0, -1)}${String(us - ms * 1000n).padStart(3, '0')}${zone}`
      return BigInt(String(result('TS', ['d'], 'LONG', { d: text }))) === us
    }),
  )
  t.pass()
})
