import test from 'ava'
import { createPivot } from '../../../activities/events/pivot.ts'
import { randomFor } from '../../support/random/seed.ts'

/** How often each pivot was given, and how far the values lay from theirs, by the name of the value's kind. */
function fed(values: Iterable<readonly [kind: string, value: number]>, known?: number) {
  const chosen: number[] = []
  const pivots = createPivot(known, (value) => chosen.push(value))
  const times = new Map<number, number>()
  const furthest = new Map<string, number>()
  for (const [kind, value] of values) {
    const pivot = pivots.of(value)
    times.set(pivot, (times.get(pivot) ?? 0) + 1)
    furthest.set(kind, Math.max(furthest.get(kind) ?? 0, Math.abs(value - pivot)))
  }
  return { chosen, times, furthest, shared: [...times.values()].filter((count) => count > 15).length }
}

function* repeated(times: number, next: (index: number) => readonly [string, number]) {
  for (let index = 0; index < times; index++) yield next(index)
}

test('kinds of values that lie far apart have a pivot each, whatever their order', (t) => {
  const random = randomFor(t)
  const kinds = { indoors: [20, 1], pressure: [101_325, 10], counter: [1e9, 1] } as const
  const names = Object.keys(kinds) as (keyof typeof kinds)[]
  for (const nameOf of [
    () => random.pick(names),
    (index: number) => names[index % 3] ?? 'indoors',
    (index: number) => names[Math.floor(index / 1_000) % 3] ?? 'indoors',
  ]) {
    const { furthest, times } = fed(
      repeated(6_000, (index) => {
        const name = nameOf(index)
        const [offset, scatter] = kinds[name]
        return [name, offset + scatter * random.normal()]
      }),
    )
    for (const name of names) t.true((furthest.get(name) ?? 0) < 300 * kinds[name][1], name)
    t.true(times.size < 8 * 16, `${times.size} pivots`)
  }
})

test('equal values far from all before them take no pivot from those that come about them later', (t) => {
  const random = randomFor(t)
  for (const first of [15, 16, 300]) {
    const values = [
      ...Array.from({ length: 30 }, () => ['before', 1e8 + 50 * random.normal()] as const),
      ...Array.from({ length: first }, () => ['equal', 0] as const),
      ...Array.from({ length: 500 }, () => ['about', 0.5 + 0.01 * random.normal()] as const),
    ]
    const { furthest } = fed(values)
    t.true((furthest.get('equal') ?? 0) < 1, `${first} equal values: ${furthest.get('equal')}`)
    t.true((furthest.get('about') ?? 0) < 1, `after ${first}: ${furthest.get('about')}`)
  }
})

test('values of one distribution need few pivots', (t) => {
  const random = randomFor(t)
  const distributions: Readonly<Record<string, (index: number) => number>> = {
    normal: () => random.normal(),
    'whole numbers': () => random.whole(0, 10),
    'zero or one': () => random.whole(0, 1),
    'rarely one': () => (random.chance(0.01) ? 1 : 0),
    'two far values': () => random.pick([1, 1_000]),
    'one value': () => 5,
    'a level for long, then the next': (index) => Math.floor(index / 400) % 6,
    'no scatter for long': (index) => (index < 500 ? 5 : 5 + random.normal()),
    'heavy tails': () => Math.exp(3 * random.normal()),
    'offset and noise': () => 1e9 + random.normal(),
  }
  for (const [name, value] of Object.entries(distributions)) {
    const { times, shared } = fed(repeated(20_000, (index) => [name, value(index)]))
    t.true(shared <= 4, `${name}: ${shared} pivots of many values`)
    t.true(times.size < 20 * 15, `${name}: ${times.size} pivots`)
  }
})

test('values that move on take few pivots with them', (t) => {
  const { times, furthest } = fed(repeated(200_000, (index) => ['counter', index]))
  t.true(times.size < 300, `${times.size} pivots`)
  t.true((furthest.get('counter') ?? 0) < 100_000)
})

test('the pivot of the process before stays where the values still are about it', (t) => {
  const values = () => repeated(500, (index) => ['a', 20 + ((index * 7) % 11) / 11] as const)
  const before = fed(values())
  t.is(before.chosen.length, 1)
  const [pivot] = before.chosen
  const after = fed(values(), pivot)
  t.deepEqual(after.chosen, [])
  t.true((after.times.get(pivot ?? 0) ?? 0) >= 500 - 15)
  t.is(fed(values(), 1e6).chosen.length, 1)
})
