/** Windows by key of which the memory was written by Weir 0.1. */
import test from 'ava'
import type { Place } from '../../../../activities/rules/references/unique-count.ts'
import { createWindowCounter } from '../../../../activities/rules/references/window-counter.ts'
import type { Random } from '../../../support/random/random.ts'
import { randomFor, runs } from '../../../support/random/seed.ts'

const hop_us = 60e6
const window = { length: 3_600, hop: 60 }
const measure = {
  ...{ result: 'spent', input: { name: 'price', type: 'DOUBLE' as const } },
  statistics: { kinds: ['RSTAT' as const] },
}

type Value = { readonly time: number; readonly price: number }

/** Wherever its events are those of `before`, the memory is as 0.1 wrote it. */
function open(members: readonly string[], now: () => number) {
  const counter = createWindowCounter(measure, window, members)
  const parts = new Map<string, unknown>()
  const place: Place = {
    seq: 42,
    value: (part) => parts.get(part),
    set: (part, value) => parts.set(part, value),
    now,
  }
  let state: unknown = counter.empty
  return {
    parts,
    set(to: unknown): void {
      state = to
    },
    read: (time: number): unknown[] => members.map((member) => counter.members[member]?.(state, place, time)),
    add({ time, price }: Value): void {
      state = counter.add(state, price, place, { time, now: now() })
    },
  }
}

/** The row and the ring of 0.1: of each hop the number and `n, sum, rest`, and where they are wanted the ends. */
function asBefore(values: readonly Value[], hasEnds: boolean) {
  const hops = new Map<number, number[]>()
  for (const { time, price } of values) {
    const prices = hops.get(Math.floor(time / hop_us)) ?? []
    hops.set(Math.floor(time / hop_us), [...prices, price])
  }
  const sorted = [...hops].sort(([one], [other]) => one - other)
  const flat = sorted.map(([number, prices]) => [
    ...[number, prices.length, prices.reduce((sum, each) => sum + each, 0), 0],
    ...(hasEnds ? [Math.min(...prices), Math.max(...prices)] : []),
  ])
  const [latest = [], ring] = [flat.at(-1), flat.slice(0, -1)]
  const generation = ring.length === 0 ? 0 : 7
  return { row: [latest[0], generation, ...latest.slice(1)], ring: [generation, ...ring.flat()] }
}

function valuesOf(random: Random, from: number, count: number): Value[] {
  let time = from
  return Array.from({ length: count }, () => {
    time += random.whole(0, random.pick([20, 90, 900])) * 1e6
    return { time: time - (random.chance(0.2) ? random.whole(0, 3_000) * 1e6 : 0), price: random.whole(-50, 200) / 4 }
  })
}

for (const members of [
  ['cnt', 'sum', 'avg'],
  ['cnt', 'sum', 'min', 'max'],
])
  test(`a window of ${members.join(', ')} goes on with what 0.1 remembered of it`, (t) => {
    const random = randomFor(t)
    for (let run = 0; run < runs(30, 1_000); run++) {
      const before = valuesOf(random, 1.7e15, random.whole(1, 120))
      const newest = Math.max(...before.map(({ time }) => time))
      let now = newest
      const upgraded = open(members, () => now)
      const fresh = open(members, () => now)
      const { row, ring } = asBefore(before, members.includes('min'))
      upgraded.set(row)
      if (ring.length > 1) upgraded.parts.set('hops', ring)
      for (const value of before.toSorted((one, other) => one.time - other.time)) fresh.add(value)
      for (const time of [newest, newest - 600e6, newest + 1_800e6, newest + 4_000e6])
        t.deepEqual(upgraded.read(time), fresh.read(time))
      for (const value of valuesOf(random, newest, random.whole(1, 60))) {
        now = Math.max(now, value.time)
        t.deepEqual(upgraded.read(value.time), fresh.read(value.time))
        for (const each of [upgraded, fresh]) each.add(value)
      }
      t.deepEqual(upgraded.read(now), fresh.read(now))
    }
  })

test('a row of 0.1 whose ring is forgotten asks for it, and one of another generation counts for none', (t) => {
  const opened = open(['sum'], () => 1.7e15)
  const { row, ring } = asBefore(
    [0, 1, 2].map((hop) => ({ time: 1.7e15 + hop * hop_us, price: hop })),
    false,
  )
  opened.set(row)
  t.is(typeof opened.read(1.7e15)[0], 'symbol')
  opened.parts.set('hops', [8, ...ring.slice(1)])
  t.is(typeof opened.read(1.7e15)[0], 'symbol')
  opened.parts.set('hops', ring)
  t.deepEqual(opened.read(1.7e15 + 2 * hop_us), [3])
})
