/** Times of crontab against a reading of the fields that goes minute by minute. */
import test from 'ava'
import { createCronTimes, dateIn } from '../../infra/cron.ts'
import { createRandom } from '../support/random/random.ts'
import { rounds, seed } from '../support/random/seed.ts'

const minute = 60_000
const fields = [
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day', 1, 31],
  ['month', 1, 12],
  ['weekday', 0, 6],
] as const

type Field = { readonly text: string; readonly values: ReadonlySet<number> }

const { next, whole, pick, chance } = createRandom(seed)

/** A field of random form, and the values that it names. */
function randomField(least: number, most: number): Field {
  const all = Array.from({ length: most - least + 1 }, (_, n) => least + n)
  const form = pick(['any', 'one', 'one', 'list', 'range', 'step', 'stepped range'] as const)
  const from = whole(least, most)
  const to = whole(from, most)
  const by = whole(1, 7)
  switch (form) {
    case 'any':
      return { text: '*', values: new Set(all) }
    case 'one':
      return { text: String(from), values: new Set([from]) }
    case 'list':
      return { text: `${from},${to}`, values: new Set([from, to]) }
    case 'range':
      return { text: `${from}-${to}`, values: new Set(all.filter((n) => n >= from && n <= to)) }
    case 'step':
      return { text: `*/${by}`, values: new Set(all.filter((n) => (n - least) % by === 0)) }
    case 'stepped range':
      return {
        text: `${from}-${to}/${by}`,
        values: new Set(all.filter((n) => n >= from && n <= to && (n - from) % by === 0)),
      }
  }
}

/** The fields of local time of each minute, once a zone: the oracle's clock. */
function minutesOf(tz: string, from: number, many: number) {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: tz, year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
    ...{ weekday: 'short', hourCycle: 'h23' },
  })
  const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
  return Array.from({ length: many }, (_, n) => {
    const at = from + n * minute
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type as string, value]))
    const number = (name: string): number => Number(parts.get(name))
    return {
      at,
      values: [
        ...[number('minute'), number('hour'), number('day'), number('month')],
        names.indexOf(parts.get('weekday') ?? ''),
      ],
    }
  })
}

type Minute = ReturnType<typeof minutesOf>[number]

/** Day and weekday are alternatives where both are restricted, as crontab has it. */
function isDue({ values }: Minute, read: readonly Field[]): boolean {
  const holds = (field: number): boolean => read[field]?.values.has(values[field] ?? -1) ?? false
  if (!holds(0) || !holds(1) || !holds(3)) return false
  const isEither = read[2]?.text[0] !== '*' && read[4]?.text[0] !== '*'
  return isEither ? holds(2) || holds(4) : holds(2) && holds(4)
}

const lines = rounds(2_500, 800)

for (const [tz, from] of [
  ['UTC', '2026-03-01T00:00:00Z'],
  ['Europe/Berlin', '2026-06-27T00:00:00Z'],
  ['Asia/Kolkata', '2026-12-30T00:00:00Z'],
  ['America/New_York', '2028-02-27T00:00:00Z'],
] as const)
  test(`random lines of crontab in ${tz} have the times that their fields name`, (t) => {
    t.log(`seed ${seed}, ${next()}`)
    const minutes = minutesOf(tz, Date.parse(from), 5 * 24 * 60)
    for (let n = 0; n < lines; n++) {
      const read = fields.map(([, least, most]) => randomField(least, most))
      // Most lines are due within the days that are looked at.
      const line = read.map((field, place) => (place >= 2 && chance(0.6) ? fieldOfAll(place) : field))
      const text = line.map((field) => field.text).join(' ')
      const start = whole(0, 3 * 24 * 60)
      const expected = minutes.find((each, at) => at > start && isDue(each, line))?.at
      const begin = minutes[start]?.at ?? 0
      const found = createCronTimes(text, tz).after(begin * 1000)
      const last = minutes.at(-1)?.at ?? 0
      if (expected === undefined) t.true(found === undefined || found / 1000 > last, `${text} after ${begin}: ${found}`)
      else t.is(found, expected * 1000, `${text} after ${new Date(begin).toISOString()}`)
    }
  })

const fieldOfAll = (place: number): Field => {
  const [, least, most] = fields[place] ?? ['', 0, 0]
  return { text: '*', values: new Set(Array.from({ length: most - least + 1 }, (_, n) => least + n)) }
}

for (const [title, from, line, expected] of [
  [
    'a time that the change of the clock leaves out comes right after it',
    '2026-03-28T12:00:00Z',
    '30 2 * * *',
    ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
  ],
  [
    'a time that the change of the clock brings twice comes once',
    '2026-10-24T12:00:00Z',
    '30 2 * * *',
    ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
  ],
  [
    'a time of every hour comes every hour, over the change of the clock',
    '2026-10-24T23:30:00Z',
    '0 * * * *',
    ['2026-10-25T00:00:00.000Z', '2026-10-25T01:00:00.000Z', '2026-10-25T02:00:00.000Z'],
  ],
  [
    'names of months and days are taken',
    '2026-01-01T00:00:00Z',
    '0 6 * FEB MON',
    ['2026-02-02T05:00:00.000Z', '2026-02-09T05:00:00.000Z'],
  ],
  [
    'a day that a month has not comes in the next that has it',
    '2026-01-30T12:00:00Z',
    '0 0 31 * *',
    ['2026-01-30T23:00:00.000Z', '2026-03-30T22:00:00.000Z'],
  ],
] as const)
  test(`${title}: ${line} in Berlin`, (t) => {
    const times = createCronTimes(line, 'Europe/Berlin')
    let at = Date.parse(from) * 1000
    for (const each of expected) {
      at = times.after(at) ?? 0
      t.is(new Date(at / 1000).toISOString(), each)
    }
  })

for (const [cron, tz, problem] of [
  ['0 6 * * * *', 'UTC', /^cron: has 6 fields, and crontab has five: minute, hour, /],
  ['0', 'UTC', /^cron: has 1 field, and crontab has five/],
  ['0 6 * * MN', 'UTC', /^cron: /],
  ['60 * * * *', 'UTC', /^cron: /],
  ['', 'UTC', /^cron: /],
  ['0 6 * * *', 'Europe/Berln', /^tz: Europe\/Berln is no time zone, such as Europe\/Berlin$/],
] as const)
  test(`${JSON.stringify(cron)} in ${tz} is refused`, (t) => {
    t.throws(() => createCronTimes(cron, tz), { message: problem })
  })

test('the date and the hour of a moment are those of its zone', (t) => {
  const at = Date.parse('2026-11-29T23:30:00Z') * 1000
  t.deepEqual(dateIn(at, 'UTC'), { date: '2026-11-29', hour: '23', minute: '30' })
  t.deepEqual(dateIn(at, 'Europe/Berlin'), { date: '2026-11-30', hour: '00', minute: '30' })
})
