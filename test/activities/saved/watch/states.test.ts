/** The steps of alerts as tables of time: the cases are those of Prometheus' alert generator compliance, as facts. */
import test from 'ava'
import fc from 'fast-check'
import { samplesOf } from '../../../../activities/saved/watch/samples.ts'
import {
  endOf,
  idOf,
  type Outcome,
  type Sample,
  step,
  type WatchState,
} from '../../../../activities/saved/watch/states.ts'
import type { Watch } from '../../../../sql/saved/watch.ts'
import { seed } from '../../../support/random/seed.ts'

const second = 1_000_000
const base: Watch = {
  every: 15,
  when: 'v > 10',
  key: ['k'],
  for: 0,
  keep: 0,
  no_rows: 'resolved',
  error: 'alert',
  format: 'weir',
  labels: {},
}

/** The values of keys at one evaluation; a text is the reason of a failure. */
type At = Readonly<Record<string, number>> | string

const outcomeOf = (at: At, watch: Watch): Outcome =>
  typeof at === 'string'
    ? { kind: 'failed', says: at }
    : samplesOf(
        Object.entries(at).map(([k, v]) => ({ k, v })),
        watch,
      )

type Before = Parameters<typeof step>[0]['before']
type Silenced = (second: number) => boolean

/** The states after each evaluation, and the sends, as a line each. */
function run(watch: Watch, course: readonly At[], silenced: Silenced = () => false) {
  let before: Before = { alerts: new Map() }
  return course.map((each, n) => {
    const at = (n * watch.every + 3_000_000_000) * second
    const stepped = step({
      before,
      watch,
      outcome: outcomeOf(each, watch),
      at,
      isSilenced: () => silenced(n * watch.every),
    })
    before = stepped
    const name = (about: string, key: Readonly<Record<string, unknown>>): string =>
      about === 'key' ? String(key.k) : about
    const states = [...stepped.alerts.values()].map(({ about, key, state }) => `${name(about, key)} ${state}`)
    const sends = stepped.sends.map(({ about, key, state }) => `${name(about, key)} ${state}`)
    return `${states.toSorted().join(', ')}${sends.length > 0 ? ` > ${sends.toSorted().join(', ')}` : ''}`
  })
}

const over = { a: 11 }
const under = { a: 9 }
const times = <Value>(many: number, value: Value): Value[] => Array.from({ length: many }, () => value)

const cases: readonly (readonly [string, Partial<Watch>, readonly At[], readonly string[]])[] = [
  [
    'pending, firing, resolved: it fires once `for` is over, and resolves at the first time at which it does not hold',
    { for: 30 },
    [under, over, over, over, over, under, under],
    ['', 'a pending', 'a pending', 'a firing > a firing', 'a firing', 'a resolved > a resolved', 'a resolved'],
  ],
  [
    'pending and inactive again: nobody is told',
    { for: 60 },
    [over, over, over, under, under],
    ['a pending', 'a pending', 'a pending', '', ''],
  ],
  [
    'pending, inactive, pending: the time of `for` begins anew',
    { for: 30 },
    [over, over, under, over, over, over],
    ['a pending', 'a pending', '', 'a pending', 'a pending', 'a firing > a firing'],
  ],
  ['without `for` it fires at once', {}, [over, over], ['a firing > a firing', 'a firing']],
  [
    'with `for` as long as `every` it fires at the second time',
    { for: 15 },
    [over, over],
    ['a pending', 'a firing > a firing'],
  ],
  [
    'with `for` just longer than `every` it fires at the third',
    { for: 16 },
    [over, over, over],
    ['a pending', 'a pending', 'a firing > a firing'],
  ],
  [
    'it is sent again every `again` while it fires',
    { again: 30 },
    [over, over, over, over, over, under],
    [
      'a firing > a firing',
      'a firing',
      'a firing > a firing',
      'a firing',
      'a firing > a firing',
      'a resolved > a resolved',
    ],
  ],
  [
    'a new alert after a resolved one is pending again, and sent anew',
    { for: 15 },
    [over, over, under, over, over, under],
    [
      'a pending',
      'a firing > a firing',
      'a resolved > a resolved',
      'a pending',
      'a firing > a firing',
      'a resolved > a resolved',
    ],
  ],
  [
    'with `keep` it fires on, and resolves once it has not held for that long',
    { keep: 30 },
    [over, under, under, under, under],
    ['a firing > a firing', 'a firing', 'a firing', 'a resolved > a resolved', 'a resolved'],
  ],
  [
    'with `keep` an alert that holds again has never ceased',
    { keep: 30 },
    [over, under, over, under, under, under],
    ['a firing > a firing', 'a firing', 'a firing', 'a firing', 'a firing', 'a resolved > a resolved'],
  ],
  [
    'a key that is absent does not hold',
    {},
    [{ a: 11, b: 11 }, { b: 11 }, { b: 11 }],
    ['a firing, b firing > a firing, b firing', 'a resolved, b firing > a resolved', 'a resolved, b firing'],
  ],
  [
    'keys have a state each',
    { for: 15 },
    [{ a: 11 }, { a: 11, b: 11 }, { a: 9, b: 11 }, { b: 9 }],
    [
      'a pending',
      'a firing, b pending > a firing',
      'a resolved, b firing > a resolved, b firing',
      'a resolved, b resolved > b resolved',
    ],
  ],
  [
    'an evaluation that fails changes no state, and is told once, and its end',
    { for: 15 },
    [over, over, 'away', 'away', 'away', over, under],
    [
      'a pending',
      'a firing > a firing',
      'a firing, error firing > error firing',
      'a firing, error firing',
      'a firing, error firing',
      'a firing, error resolved > error resolved',
      'a resolved, error resolved > a resolved',
    ],
  ],
  [
    'with `error: keep` an evaluation that fails is no alert',
    { error: 'keep' },
    [over, 'away', over, under],
    ['a firing > a firing', 'a firing', 'a firing', 'a resolved > a resolved'],
  ],
  [
    'the time of `for` goes on while evaluations fail',
    { for: 30, error: 'keep' },
    [over, 'away', over],
    ['a pending', 'a pending', 'a firing > a firing'],
  ],
  ['an answer without rows resolves', {}, [over, {}], ['a firing > a firing', 'a resolved > a resolved']],
  [
    'with `no_rows: keep` an answer without rows changes nothing',
    { no_rows: 'keep' },
    [over, {}, {}, under],
    ['a firing > a firing', 'a firing', 'a firing', 'a resolved > a resolved'],
  ],
  [
    'with `no_rows: alert` an answer without rows is an alert, after `for`',
    { no_rows: 'alert', for: 15 },
    [under, {}, {}, under],
    ['', 'no_rows pending', 'no_rows firing > no_rows firing', 'no_rows resolved > no_rows resolved'],
  ],
]

for (const [title, more, course, expected] of cases)
  test(title, (t) => {
    t.deepEqual(run({ ...base, ...more }, course), expected)
  })

test('a silenced alert is sent once the silence is over, if it fires still, and its end only if it was sent', (t) => {
  const course = [over, over, over, under]
  t.deepEqual(
    run(base, course, (at) => at < 30),
    ['a firing', 'a firing', 'a firing > a firing', 'a resolved > a resolved'],
  )
  t.deepEqual(
    run(base, [over, over, under, under], () => true),
    ['a firing', 'a firing', 'a resolved', 'a resolved'],
  )
  t.deepEqual(
    run(base, [over, under, under, under], (at) => at > 0 && at < 30),
    ['a firing > a firing', 'a resolved', 'a resolved > a resolved', 'a resolved'],
  )
})

test('a silence of hours keeps the end of an alert back until it is over', (t) => {
  const hours = [over, ...times(200, under)]
  const states = run({ ...base, every: 60 }, hours, (at) => at > 0 && at < 12_000)
  t.deepEqual(
    states.filter((each) => each.includes('>')),
    ['a firing > a firing', 'a resolved > a resolved'],
  )
  t.is(states[200], 'a resolved > a resolved')
})

test('receivers that know of an alert get the end of the one that came after it in a silence', (t) => {
  const course = [over, under, over, over, under, under]
  t.deepEqual(
    run(base, course, (at) => at > 0 && at < 75),
    ['a firing > a firing', 'a resolved', 'a firing', 'a firing', 'a resolved', 'a resolved > a resolved'],
  )
  t.deepEqual(
    run({ ...base, for: 30 }, [over, over, over, under, over, under, under], (at) => at > 30 && at < 90).slice(2),
    ['a firing > a firing', 'a resolved', 'a pending', 'a resolved', 'a resolved > a resolved'],
  )
})

test('after any silences receivers know what fires', (t) => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 30 })
  const seconds = fc.integer({ min: 0, max: 4 }).map((n) => n * 15)
  fc.assert(
    fc.property(steps, seconds, seconds, (course, wait, keep) => {
      const last = course.at(-1)?.[0] ?? false
      const held = [...course.map(([each]) => each), last]
      const lines = run(
        { ...base, for: wait, keep },
        held.map((each) => (each ? over : under)),
        (at) => course[at / base.every]?.[1] ?? false,
      )
      const sent = lines.flatMap((line) => (line.includes('>') ? [line.split('> a ')[1] ?? ''] : []))
      const now = lines.at(-1) ?? ''
      // One that is pending is decided later.
      if (!now.startsWith('a pending')) t.is(sent.at(-1) === 'firing', now.startsWith('a firing'))
    }),
    { seed, numRuns: 1_000 },
  )
})

test('a resolved alert is shown for fifteen minutes', (t) => {
  const states = run({ ...base, every: 60 }, [over, ...times(18, under)])
  t.is(states[1], 'a resolved > a resolved')
  t.is(states[16], 'a resolved')
  t.is(states[17], '')
})

test('the end of a watch is told to the receivers of what fires', (t) => {
  const firing = { about: 'key', key: { k: 'a' }, state: 'firing', since: 1, value: 11 } as const
  const alerts = new Map([
    ['a', { ...firing, sent: 2 }],
    ['b', { ...firing, key: { k: 'b' } }],
    ['c', { ...firing, key: { k: 'c' }, state: 'resolved', sent: 2 } as const],
  ])
  const { sends, changes } = endOf({ alerts }, 9)
  t.deepEqual(
    sends.map(({ state, key, ended }) => [state, key.k, ended]),
    [['resolved', 'a', 9]],
  )
  t.deepEqual(
    changes.map(({ key, state }) => [key.k, state]),
    [
      ['a', 'inactive'],
      ['b', 'inactive'],
    ],
  )
})

for (const [title, rows, expected] of [
  [
    'two rows of one key',
    [
      { k: 'a', v: 1 },
      { k: 'a', v: 2 },
    ],
    /two rows of the key \{"k":"a"\}: group by k/,
  ],
  ['a row without the column', [{ k: 'a' }], /^when: the answer has no column v; it has k$/],
  ['a row without the key', [{ v: 1 }], /^key: the answer has no column k; it has v$/],
  ['a text where a number is compared', [{ k: 'a', v: '12' }], /^when: v is a text, and is compared with a number$/],
] as const)
  test(`${title} is a failure of the evaluation`, (t) => {
    const outcome = samplesOf(rows as Parameters<typeof samplesOf>[0], base)
    t.is(outcome.kind, 'failed')
    if (outcome.kind === 'failed') t.regex(outcome.says, expected)
  })

test('without a key the answer has one alert, with the rows that satisfy the condition', (t) => {
  const outcome = samplesOf([{ v: 1 }, { v: 11 }, { v: 12 }], { ...base, key: [] })
  t.is(outcome.kind, 'answered')
  if (outcome.kind !== 'answered') return
  t.deepEqual(
    [...outcome.samples.values()].map(
      ({ rows, value, holds }): Pick<Sample, 'rows' | 'value' | 'holds'> => ({ rows, value, holds }),
    ),
    [{ rows: [{ v: 11 }, { v: 12 }], value: 11, holds: true }],
  )
})

test('10,000 keys of an answer take less than 100 ms of a processor', (t) => {
  const rows = Array.from({ length: 10_000 }, (_, n) => ({ k: `key ${n}`, v: n % 20 }))
  let before: Pick<WatchState, 'alerts'> = { alerts: new Map() }
  const took: number[] = []
  for (let n = 0; n < 7; n++) {
    const begun = process.cpuUsage()
    before = step({ before, watch: base, outcome: samplesOf(rows, base), at: n * 60 * second, isSilenced: () => false })
    took.push(process.cpuUsage(begun).user / 1000)
  }
  t.is(before.alerts.size, 4_500)
  t.true(Math.min(...took) < 100, took.join())
})

/** The same rules written another way: the whole history of one key, looked at backwards. */
function expectedOf(watch: Watch, history: readonly boolean[]): 'inactive' | 'pending' | 'firing' {
  let since: number | undefined
  let isFiring = false
  let last = 0
  history.forEach((held, n) => {
    const at = n * watch.every
    if (held) {
      if (since === undefined) since = at
      last = at
      if (at - since >= watch.for) isFiring = true
    } else if (!isFiring || at - (last + watch.every) >= watch.keep) {
      since = undefined
      isFiring = false
    }
  })
  return isFiring ? 'firing' : since === undefined ? 'inactive' : 'pending'
}

test('states are those of the history, and sends alternate between firing and resolved', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { maxLength: 40 }),
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 6 }),
      (history, wait, keep) => {
        const watch = { ...base, for: wait * 10, keep: keep * 10 }
        const lines = run(
          watch,
          history.map((held) => (held ? over : under)),
        )
        const sends = lines.flatMap((line) => (line.includes('>') ? [line.split('> a ')[1] ?? ''] : []))
        t.true(sends.every((send, n) => send === (n % 2 === 0 ? 'firing' : 'resolved')))
        const [state = ''] = (lines.at(-1) ?? '').split(' > ')
        const now = expectedOf(watch, history)
        t.is(state === '' || state === 'a resolved' ? 'inactive' : state.replace('a ', ''), now)
      },
    ),
    { seed, numRuns: 500 },
  )
})

test('no key has the name of an alert of failures', (t) => {
  t.is(idOf('error', {}), 'error')
  t.not(idOf('key', { error: 'error' }), 'error')
  t.is(idOf('key', { k: 2n ** 60n }), '{"k":1152921504606846976}')
})
