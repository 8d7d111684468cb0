import test from 'ava'
import { compileStep } from '../../../../activities/rules/step/compile.ts'
import { createIntervals } from '../../../../activities/rules/step/intervals.ts'
import { statistics } from '../../../../activities/rules/step/moments.ts'
import type { Event } from '../../../../base/json.ts'
import { spacesIn } from '../../../../infra/memory/spaces.ts'
import type { MovingValue, Stream } from '../../../../sql/schema/schema.ts'
import { momentsOf } from '../../../support/oracle.ts'
import { randomFor } from '../../../support/random/seed.ts'
import { createMemoryState } from './memory-state.ts'
import { attribute, inputStream, madeStream, schemaOf } from './schemas.ts'

const era = 1_790_000_040_000_000
const minute = 60_000_000
const year = 365 * 1440

test('statistics over years of minutes are those of one pass over all values, and read a few hundred nodes', (t) => {
  const random = randomFor(t)
  for (const { offset, relative } of [
    { offset: 0, relative: 1e-9 },
    { offset: 1e9, relative: 1e-6 },
  ]) {
    const state = createMemoryState()
    const intervals = createIntervals('s.st/moving', 60, year * minute)
    const sent = Array.from({ length: 5000 }, () => ({
      index: random.whole(0, 2 * year),
      value: offset + random.normal(),
    })).sort((left, right) => left.index - right.index)
    for (const { index, value } of sent) intervals.add(state, era + index * minute, value)
    let reads = 0
    const counted: typeof state = {
      ...state,
      value(space, key) {
        reads++
        return state.value(space, key)
      },
    }
    for (let round = 0; round < 50; round++) {
      const from = random.whole(0, year)
      const to = random.whole(from, from + year)
      reads = 0
      const moments = intervals.over(counted, era + from * minute, era + to * minute)
      t.true(reads < 500, `${reads} reads`)
      const values = sent.filter(({ index }) => index >= from && index <= to).map(({ value }) => value)
      if (moments === undefined) {
        t.is(values.length, 0)
        continue
      }
      const expected = momentsOf(values)
      const near = (is: number, wanted: number, size: number): boolean => Math.abs(is - wanted) <= relative * size
      t.is(statistics.COUNT(moments), expected.cnt)
      t.is(statistics.MIN(moments), expected.min)
      t.is(statistics.MAX(moments), expected.max)
      const size = values.reduce((sum, value) => sum + Math.abs(value), 0)
      t.true(near(statistics.SUM(moments), expected.sum, size))
      t.true(near(statistics.AVG(moments), expected.avg, size / values.length))
      if (values.length > 20) t.true(near(statistics.STD(moments), expected.stdd, expected.stdd))
    }
  }
})

test('a set of equal values has a deviation of 0, and so has one value', (t) => {
  const state = createMemoryState()
  const intervals = createIntervals('s.st/moving', 60, 5 * minute)
  const deviation = () => statistics.STD(intervals.over(state, era, era + 5 * minute) ?? [0, 0, 0, 0, 1, 0, 1])
  for (let i = 0; i < 3; i++) {
    intervals.add(state, era + i * minute, 0.1)
    t.is(deviation(), 0)
  }
})

test('as many intervals are remembered as the longest window has and 10,000 more, the latest ones', (t) => {
  const state = createMemoryState({ isPacked: true })
  const intervals = createIntervals('s.st/moving', 60, 5 * minute)
  intervals.add(state, era + 10 * year * minute, 1)
  for (let i = 0; i < 10_300; i++) intervals.add(state, era + i * minute, i)
  t.true(state.size() < 10_006 + 10_006 / 63 + 10_006 / 31 + 20, `${state.size()} values`)
  const over = (from: number, to: number) => intervals.over(state, era + from * minute, era + to * minute)
  t.deepEqual(over(10_295, 10_299)?.[0], 5)
  t.is(over(0, 290), undefined)
  t.is(over(0, 10_299)?.[5], 295, 'the least value is that of the oldest interval')
  intervals.add(state, era, 7)
  t.is(over(0, 0), undefined)
})

test('an interval of decades before the others goes by a few looks, once as many came as are remembered', (t) => {
  const state = createMemoryState({ isPacked: true })
  const intervals = createIntervals('s.st/moving', 1, 5 * minute)
  let reads = 0
  const counted: typeof state = {
    ...state,
    value(space, key) {
      reads++
      return state.value(space, key)
    },
  }
  const of1980 = 315_532_800_000_000
  intervals.add(counted, of1980, 7)
  intervals.add(counted, of1980 + 2 * year * minute, 8)
  let most = 0
  for (let i = 0; i < 11_000; i++) {
    reads = 0
    intervals.add(counted, era + i * 1_000_000, i)
    most = Math.max(most, reads)
  }
  t.true(most < 200, `${most} reads`)
  const last = intervals.over(counted, era + 10_990 * 1_000_000, era + 10_999 * 1_000_000)
  t.deepEqual(last?.slice(0, 2), [10, 109_945])
  t.is(intervals.over(counted, of1980, of1980 + 1), undefined)
})

const moving = (more: Partial<MovingValue> = {}): MovingValue => ({
  kind: 'moving',
  statistic: 'AVG',
  stream: 'st',
  attribute: 'speed',
  length_us: 5 * minute,
  granularity: 60,
  ...more,
})

/** The speeds that pass `speed > <moving value>`; each is sent at its minute. */
function passing(value: MovingValue, sent: readonly (readonly [minutes: number, speed: number])[]): number[] {
  const more: Partial<Stream> = {
    movingFilters: [
      {
        name: 'f',
        condition: { kind: 'compare', left: { kind: 'attribute', path: 'speed' }, operator: '>', right: value },
        attributes: ['speed', 'o.a'],
        computed: [
          {
            name: 'double',
            type: 'DOUBLE',
            operation: 'ADD',
            inputs: ['speed', 'speed'],
            order: 0,
            whenPresent: 'add',
          },
          { name: 'high', type: 'STRING', operation: 'UPPER', inputs: ['car'], order: 0, whenPresent: 'add' },
        ],
        target: 'fast',
      },
    ],
  }
  const attributes = [attribute('speed', 'DOUBLE', { statistics: { kinds: ['RSTAT'] } }), attribute('car', 'STRING')]
  const schema = schemaOf('s', [
    inputStream('st', [...attributes, attribute('o', 'OBJECT'), attribute('o.a', 'LONG')], more),
    madeStream('fast', attributes),
  ])
  const { step } = compileStep(schema)
  const state = createMemoryState({ isPacked: true })
  const found: Event[] = []
  for (const [seq, [minutes, speed]] of sent.entries()) {
    const event = { speed, car: 'a', o: { a: 1, b: 2 } }
    step('st', { event, pk: String(era + minutes * minute), seq }, state, {
      row: (_target, row) => found.push(row),
      match: () => {},
    })
  }
  return found.map(({ _pk, speed, ...others }) => {
    if (JSON.stringify(others) !== JSON.stringify({ o: { a: 1 }, double: Number(speed) * 2, high: 'A' }))
      return Number.NaN
    return Number(speed)
  })
}

test('a moving condition sees its window in whole intervals, the event itself included', (t) => {
  const more = { kind: 'percent', value: 10 } as const
  t.deepEqual(passing(moving(), [[0, 10]]), [], 'an average of one value is that value')
  t.deepEqual(
    passing(moving(), [
      [0, 10],
      [1, 12],
      [2, 10.5],
      [3, 20],
    ]),
    [12, 20],
  )
  t.deepEqual(
    passing(moving({ margin: more }), [
      [0, 10],
      [1, 12],
      [2, 14],
    ]),
    [14],
  )
  t.deepEqual(
    passing(moving({ margin: { kind: 'amount', value: -1 } }), [
      [0, 10],
      [1, 9],
    ]),
    [10, 9],
  )
  t.deepEqual(
    passing(moving(), [
      [0, 10],
      [5.99, 11],
    ]),
    [11],
    'the interval in which the window begins counts whole',
  )
  t.deepEqual(
    passing(moving(), [
      [0, 10],
      [6, 11],
    ]),
    [],
  )
  t.deepEqual(
    passing(moving(), [
      [9, 10],
      [1, 5],
      [2, 6],
      [9, 11],
    ]),
    [6, 11],
    'an old time counts where it belongs',
  )
  t.deepEqual(
    passing(moving({ statistic: 'COUNT' }), [
      [0, 1.5],
      [1, 1.5],
      [2, 3.5],
    ]),
    [1.5, 3.5],
  )
  t.deepEqual(
    passing(moving({ statistic: 'MIN' }), [
      [0, 1],
      [1, 2],
      [2, 0],
    ]),
    [2],
  )
  t.deepEqual(
    passing(moving({ statistic: 'STD' }), [
      [0, 1],
      [1, 5],
      [2, 0],
    ]),
    [1, 5],
  )
})

test('nothing in the window counts as 0 and sums up to 0, so that a rule of too few fires where nothing came; no other statistic has a value', (t) => {
  const found = (statistic: MovingValue['statistic'], more: Partial<MovingValue> = {}): number[] => {
    const beat = attribute('d', 'DOUBLE', { statistics: { kinds: ['RSTAT'] } })
    const schema = schemaOf('s', [
      inputStream('beat', [beat]),
      inputStream('tick', [attribute('n', 'LONG')], {
        movingFilters: [
          {
            name: 'f',
            condition: {
              kind: 'compare',
              left: moving({ statistic, stream: 'beat', attribute: 'd', length_us: minute, granularity: 10, ...more }),
              operator: '<',
              right: { kind: 'number', text: '3' },
            },
            attributes: ['n'],
            computed: [],
            target: 'few',
          },
        ],
      }),
      madeStream('few', [attribute('n', 'LONG')]),
    ])
    const { step } = compileStep(schema)
    const state = createMemoryState({ isPacked: true })
    const rows: number[] = []
    const send = (stream: string, seconds: number, event: Event): void =>
      step(stream, { event, pk: String(era + seconds * 1_000_000), seq: seconds }, state, {
        row: (_target, row) => rows.push(Number(row.n)),
        match: () => {},
      })
    // No event of the other stream has come yet, several have, and none for long.
    send('tick', -100, { n: 0 })
    for (const [at, d] of [0, 20, 40].entries()) send('beat', d, { d: at + 1 })
    for (const [at, seconds] of [50, 90, 130, 300].entries()) send('tick', seconds, { n: at + 1 })
    return rows
  }
  t.deepEqual(found('COUNT'), [0, 2, 3, 4])
  t.deepEqual(found('SUM'), [0, 3, 4])
  t.deepEqual(found('SUM', { margin: { kind: 'amount', value: 3 } }), [])
  t.deepEqual(found('AVG'), [1])
  t.deepEqual(found('MAX'), [])
})

test('a moving value by key is that of the events which have the key of the event, whatever comes in between', (t) => {
  const random = randomFor(t)
  const attributes = [
    attribute('speed', 'DOUBLE', { statistics: { kinds: ['RSTAT'] } }),
    attribute('car', 'STRING'),
    attribute('n', 'LONG'),
  ]
  const figures = ['AVG', 'SUM', 'STD', 'MIN', 'MAX', 'COUNT'] as const
  const filterOf = (statistic: (typeof figures)[number], operator: '>=' | '<') => ({
    name: `${statistic} ${operator}`,
    condition: {
      ...{ kind: 'compare' as const, left: { kind: 'attribute' as const, path: 'speed' }, operator },
      right: moving({ statistic, by: 'car', length_us: 7 * minute }),
    },
    ...{
      attributes: ['speed'],
      computed: [],
      notification: figures.indexOf(statistic) * 2 + (operator === '<' ? 1 : 0),
    },
  })
  const schema = schemaOf('s', [
    inputStream('st', attributes, {
      movingFilters: figures.flatMap((each) => [filterOf(each, '>='), filterOf(each, '<')]),
    }),
  ])
  const { step } = compileStep(schema)
  const state = createMemoryState({ isPacked: true })
  const sent: { car: string | undefined; speed: number; at: number }[] = []
  let now = 0
  for (let seq = 1; seq <= 1500; seq++) {
    now += random.whole(0, 60) / 40
    const at = era + Math.round((random.chance(0.8) ? now : now - random.whole(0, 6)) * minute)
    const one = {
      car: random.chance(0.1) ? undefined : `car ${random.whole(0, 4)}`,
      speed: random.whole(-50, 200) / 4,
      at,
    }
    sent.push(one)
    const held: number[] = []
    step(
      'st',
      { event: { speed: one.speed, ...(one.car !== undefined && { car: one.car }) }, pk: String(at), seq },
      state,
      {
        row: () => {},
        match: (number) => held.push(number),
      },
    )
    const first = Math.floor((at - 7 * minute) / minute)
    const seen = sent.filter(
      (each) =>
        each.car === one.car &&
        Math.floor(each.at / minute) >= first &&
        Math.floor(each.at / minute) <= Math.floor(at / minute),
    )
    const of = momentsOf(seen.map(({ speed }) => speed))
    const expected = [of.avg, of.sum, of.stdd, of.min, of.max, of.cnt]
    for (const [index, value] of expected.entries()) {
      const [isOver, isBelow] = [held.includes(index * 2), held.includes(index * 2 + 1)]
      if (one.car === undefined) t.false(isOver || isBelow)
      else if (Math.abs(one.speed - value) > 1e-6)
        t.deepEqual(
          [isOver, isBelow],
          [one.speed > value, one.speed < value],
          `${figures[index]} ${value}, ${one.speed}`,
        )
    }
  }
})

test('the earlier intervals of a key are remembered as long as its latest value, though few events write them', (t) => {
  const attributes = [
    attribute('speed', 'DOUBLE', { statistics: { kinds: ['RSTAT'] } }),
    attribute('car', 'STRING'),
    attribute('n', 'LONG'),
  ]
  const condition = {
    ...{ kind: 'compare' as const, left: { kind: 'attribute' as const, path: 'speed' }, operator: '>=' as const },
    right: moving({ statistic: 'SUM', by: 'car', length_us: 7 * minute }),
  }
  const filter = { name: 'over', condition, attributes: ['speed'], computed: [], notification: 0 }
  const compiled = () => compileStep(schemaOf('s', [inputStream('st', attributes, { movingFilters: [filter] })]))
  const { step, isForgotten } = compiled()
  const state = createMemoryState()
  const none = { row: () => {}, match: () => {} }
  for (let at = 0; at < 40; at++)
    step('st', { event: { speed: 1, car: 'a' }, pk: String(era + at * minute), seq: at + 1 }, state, none)
  const space = [...spacesIn(compiled)].find((each) => each.includes('/moving:')) ?? ''
  t.not(state.value(space, 'hops/s1:a'), undefined)
  state.at(era + 40 * minute)
  const record = { seq: 1, pk: era, key: 'hops/s1:a' }
  t.false(isForgotten(space, record, state))
  t.true(isForgotten(space, { ...record, key: 'latest/s1:a' }, state))
  state.set(space, 'latest/s1:a', undefined)
  t.true(isForgotten(space, record, state))
})
