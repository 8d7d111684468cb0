import test from 'ava'
import { compileStep } from '../../../../activities/rules/step/compile.ts'
import type { Event } from '../../../../base/json.ts'
import { spacesIn } from '../../../../infra/memory/spaces.ts'
import type { PairCondition, Rule, Schema } from '../../../../sql/schema/schema.ts'
import { createMemoryState } from './memory-state.ts'
import { attribute, inputStream, madeStream, ruleOf, schemaOf } from './schemas.ts'

const era = 1_790_000_000_000_000

type Sent = { readonly stream: string; readonly event: Event; readonly second?: number }
type Result = { readonly stream: string; readonly event: Event }

/**
 * The rows and matches of events that come one a second, or at the second that they say. With `places` each comes when it
 * came by the clock of the service, in seconds.
 */
function run(
  schema: Schema,
  sent: readonly Sent[],
  places?: readonly number[],
  state = createMemoryState({ isPacked: true }),
): Result[] {
  const { step } = compileStep(schema)
  const results: Result[] = []
  for (const [seq, { stream, event, second = seq }] of sent.entries()) {
    const came = places ? era + (places[seq] ?? 0) * 1e6 : seq
    state.at(came)
    step(stream, { event, pk: String(era + second * 1e6), seq: came }, state, {
      row: (target, row) => results.push({ stream: target, event: row }),
      match: (notification, shown) => results.push({ stream: `notification ${notification}`, event: shown }),
    })
  }
  return results
}

const sameKey = (key: string, more: PairCondition['terms'] = []): PairCondition => ({
  terms: [{ other: key, operator: '=', value: { kind: 'attribute', name: key } }, ...more],
  between: 'any',
})

/** `T70.1/1` is a temperature of point 1. */
const readings = (text: string): Sent[] =>
  text.split(' ').map((word) => {
    const [, kind, value, point = '1'] = /^([TP])([\d.]+)(?:\/(\d+))?$/.exec(word) ?? []
    return kind === 'T'
      ? { stream: 'temp', event: { temp: Number(value), point: Number(point) } }
      : { stream: 'pressure', event: { pressure: Number(value), point: Number(point) } }
  })

function joined(mode: Rule['mode'], roles: readonly [Rule['role'], Rule['role']], more: Partial<Rule> = {}): Schema {
  const rule = { kind: 'join', name: 'tp', mode, target: 'both', condition: sameKey('point'), ...more } as const
  return schemaOf('s', [
    inputStream('temp', [attribute('temp', 'DOUBLE'), attribute('point', 'LONG')], {
      rules: [
        ruleOf({
          ...rule,
          role: roles[0],
          partner: 'pressure',
          inputs: ['temp', 'point'],
          results: ['pressure', 'point'],
        }),
      ],
    }),
    inputStream('pressure', [attribute('pressure', 'DOUBLE'), attribute('point', 'LONG')], {
      rules: [
        ruleOf({ ...rule, role: roles[1], partner: 'temp', inputs: ['pressure', 'point'], results: ['temp', 'point'] }),
      ],
    }),
    madeStream('both', [attribute('temp', 'DOUBLE'), attribute('pressure', 'DOUBLE'), attribute('point', 'LONG')]),
  ])
}

const pairs = (results: readonly Result[]) => results.map(({ event: { temp, pressure } }) => [temp, pressure])

test('of two active streams an event takes the oldest free one of its key, and both are used up', (t) => {
  const results = run(joined('pair', ['both', 'both']), readings('T70.1 P10.2 P11.1 P11.5 P11.8 T71.1 T71.2'))
  t.deepEqual(pairs(results), [
    [70.1, 10.2],
    [71.1, 11.1],
    [71.2, 11.5],
  ])
  t.deepEqual(results[0]?.event, {
    _pk: era + 1e6,
    pressure: 10.2,
    point: 1,
    temp: 70.1,
    _jpk1: era,
    _j1: { temp: 70.1, point: 1 },
  })
})

test('of a passive stream only the very latest event is met, of whatever key', (t) => {
  const sent = 'T70.1/1 P10.2/2 P11.1/1 P11.5/1 P11.8/1 T71.1/2 P11.9/1 P12.1/2 T71.2/1 P12.5/1'
  t.deepEqual(pairs(run(joined('latest', ['passive', 'active']), readings(sent))), [
    [70.1, 11.1],
    [70.1, 11.5],
    [70.1, 11.8],
    [71.1, 12.1],
    [71.2, 12.5],
  ])
})

test('the latest passive event that satisfies stays until a later one does', (t) => {
  const sent = 'P9.9 T70.1/1 T80/2 P10.2/2 P11.1/1 T70.2/1 P11.5/1 P11.8/2 P12/3'
  t.deepEqual(pairs(run(joined('matching', ['passive', 'active']), readings(sent))), [
    [80, 10.2],
    [70.1, 11.1],
    [70.2, 11.5],
    [80, 11.8],
  ])
})

const rising = (more: Partial<Rule> = {}): Schema =>
  schemaOf('s', [
    inputStream('st', [attribute('temp', 'DOUBLE'), attribute('car', 'STRING')], {
      rules: [
        ruleOf({
          mode: 'run',
          role: 'both',
          partner: 'st',
          inputs: ['temp'],
          results: ['temp', 'car'],
          target: 'alarms',
          notification: 7,
          filter: {
            kind: 'compare',
            left: { kind: 'attribute', path: 'temp' },
            operator: '>',
            right: { kind: 'number', text: '70.5' },
          },
          condition: {
            terms: [{ other: 'temp', operator: '<', value: { kind: 'attribute', name: 'temp' } }],
            between: 'any',
          },
          ...more,
        }),
      ],
    }),
    madeStream('alarms', [attribute('temp', 'DOUBLE'), attribute('car', 'STRING')]),
  ])

const temps = (text: string): Sent[] =>
  text.split(' ').map((word) => {
    const [value, car] = word.split('/')
    return { stream: 'st', event: { temp: Number(value), ...(car !== undefined && { car }) } }
  })

const otherTemps = (results: readonly Result[]) =>
  results.filter(({ stream }) => stream === 'alarms').map(({ event }) => [event.temp, (event._j1 as Event).temp])

test('a run has a row at each event from its NUMTth join on, and is not cut by it', (t) => {
  const results = run(rising({ count: 3 }), temps('70.1 71.6 72.1 72.2 72.4 72.7 73.1'))
  t.deepEqual(otherTemps(results), [
    [72.4, 72.2],
    [72.7, 72.4],
    [73.1, 72.7],
  ])
  t.deepEqual(
    results.map(({ stream }) => stream),
    ['alarms', 'notification 7', 'alarms', 'notification 7', 'alarms', 'notification 7'],
  )
  t.deepEqual(results[0]?.event, results[1]?.event)
})

test('the last NUMT joins of a run are within DUR, its end included', (t) => {
  const sent = temps('71 72 73 74').map((each, index) => ({ ...each, second: [0, 10, 15, 21][index] ?? 0 }))
  t.deepEqual(otherTemps(run(rising({ count: 2, within_us: 11e6 }), sent)), [[74, 73]])
  t.deepEqual(otherTemps(run(rising({ count: 2, within_us: 10e6 }), sent)), [])
})

test('nothing of the stream may come between two events of a run that says so', (t) => {
  const condition: PairCondition = {
    terms: [{ other: 'temp', operator: '<', value: { kind: 'attribute', name: 'temp' } }],
    between: 'none of the stream',
  }
  t.deepEqual(otherTemps(run(rising({ condition }), temps('71 72 60 73 74'))), [
    [72, 71],
    [74, 73],
  ])
})

test('nothing of its key may come between two events of a run that says so', (t) => {
  const condition: PairCondition = {
    ...sameKey('car', [{ other: 'temp', operator: '<', value: { kind: 'attribute', name: 'temp' } }]),
    between: 'none of the key',
  }
  t.deepEqual(otherTemps(run(rising({ condition }), temps('71/a 80/b 72/a 60/a 73/a 81/b 79 74/a'))), [
    [72, 71],
    [81, 80],
    [74, 73],
  ])
})

test('each event that passes is a match of a pattern without a partner, which tells of the event', (t) => {
  const results = run(rising({ mode: 'single' }), temps('70 71/a'))
  t.deepEqual(results, [
    { stream: 'alarms', event: { _pk: era + 1e6, temp: 71 } },
    { stream: 'notification 7', event: { temp: 71, car: 'a' } },
  ])
})

test('a fixed value says nothing of the event that triggers: one of any key meets it', (t) => {
  const condition: PairCondition = {
    terms: [{ other: 'point', operator: '=', value: { kind: 'fixed', value: 1 } }],
    between: 'any',
  }
  const results = run(joined('matching', ['passive', 'active'], { condition }), readings('T70/1 T71/2 P10/5 P11/1'))
  t.deepEqual(pairs(results), [
    [70, 10],
    [70, 11],
  ])
})

const risingOfCars = (condition: PairCondition): Schema =>
  schemaOf('s', [
    inputStream('st', [attribute('car', 'STRING'), attribute('v', 'DOUBLE')], {
      rules: [
        ruleOf({
          ...{ kind: 'pattern', name: 'r', mode: 'run', role: 'both', partner: 'st', target: 'rises' },
          ...{ condition, distance_us: 600e6, inputs: ['car', 'v'], results: [] },
        }),
      ],
    }),
    madeStream('rises', [attribute('car', 'STRING'), attribute('v', 'DOUBLE')]),
  ])
const speed = (car: string, v: number, second: number): Sent => ({ stream: 'st', event: { car, v }, second })
const speedsIn = (results: readonly Result[]): unknown[] => results.map(({ event }) => event.v)

const risingCar = sameKey('car', [{ other: 'v', operator: '<', value: { kind: 'attribute', name: 'v' } }])

for (const between of ['any', 'none of the key'] as const) {
  const schema = risingOfCars({ ...risingCar, between })
  test(`an event of a clock that is fast ends no rule of another key, nor its own once the clock is right again: between ${between}`, (t) => {
    const state = createMemoryState({ isPacked: true })
    const sent = [
      speed('a', 1, 0),
      speed('x', 1, 3_600),
      speed('a', 2, 20),
      speed('x', 2, 30),
      speed('x', 3, 40),
      speed('a', 3, 50),
    ]
    t.deepEqual(speedsIn(run(schema, sent, [0, 10, 20, 30, 40, 50], state)), [2, 3, 3])
    t.deepEqual([...state.gone.values()], [1], 'it is told')
  })

  test(`an event is forgotten once the newest of its key is tloc away, and one that is late meets none: between ${between}`, (t) => {
    const seconds = [0, 600, 1_201, 600, 601, 602]
    const speeds = [1, 2, 9, 3, 4, 5]
    const sent = speeds.map((v, index) => speed('a', v, seconds[index] ?? 0))
    const came = speeds.map((_, index) => 5_000 + index)
    // The 3 is more than 600 seconds older than the 9: the 4 does not find it.
    t.deepEqual(speedsIn(run(schema, sent, came)), [2, 5])
  })
}

test('an event of a key that does not come again is forgotten by the time at which it came', (t) => {
  const { isForgotten } = compileStep(risingOfCars(risingCar))
  const state = createMemoryState()
  const { step } = compileStep(risingOfCars(risingCar))
  const none = { row: () => {}, match: () => {} }
  state.at(era)
  step('st', { event: { car: 'a', v: 1 }, pk: String(era - 86_400e6), seq: era }, state, none)
  const space = [...spacesIn(() => compileStep(risingOfCars(risingCar)))].find((each) => each.includes('/run:')) ?? ''
  const record = { seq: era, pk: era - 86_400e6, key: 's1:a' }
  const at = (seconds: number): boolean => {
    state.at(era + seconds * 1e6)
    return isForgotten(space, record, state)
  }
  t.deepEqual([0, 1_200, 1_201].map(at), [false, false, true])
  state.at(era + 1e6)
  step('st', { event: { car: 'b', v: 1 }, pk: String(era), seq: era + 1e6 }, state, none)
  t.false(at(1))
  state.at(era + 2e6)
  step('st', { event: { car: 'a', v: 1 }, pk: String(era), seq: era + 2e6 }, state, none)
  t.true(at(2))
})
