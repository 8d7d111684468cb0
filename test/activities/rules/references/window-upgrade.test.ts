/** Windows by key of which the memory was written by Weir 0.1, or by a build between it and the next one. */
import test from 'ava'
import { hopText } from '../../../../activities/rules/references/hop-text.ts'
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

/** The same as one text, as builds before the next release wrote it. */
function asText({ row, ring }: ReturnType<typeof asBefore>): ReturnType<typeof asBefore> {
  const [latest] = row
  const width = row.length - 2
  const hops: (number | undefined)[][] = []
  for (let at = 1; at < ring.length; at += 1 + width) hops.push(ring.slice(at, at + 1 + width))
  const gapOf = (index: number): number => Number(hops[index + 1]?.[0] ?? latest) - Number(hops[index]?.[0])
  const text = hops.map(([, ...items], index) => hopText(items, gapOf(index))).join('')
  const written: unknown[] = [ring[0], hops[0]?.[0], text]
  return { row: [...row, latest, ''] as number[], ring: written as number[] }
}

function valuesOf(random: Random, from: number, count: number): Value[] {
  let time = from
  return Array.from({ length: count }, () => {
    time += random.whole(0, random.pick([20, 90, 900])) * 1e6
    return { time: time - (random.chance(0.2) ? random.whole(0, 3_000) * 1e6 : 0), price: random.whole(-50, 200) / 4 }
  })
}

for (const { members, form } of [
  { members: ['cnt', 'sum', 'avg'], form: 'list' },
  { members: ['cnt', 'sum', 'min', 'max'], form: 'list' },
  { members: ['cnt', 'sum', 'avg'], form: 'text' },
  { members: ['cnt', 'sum', 'min', 'max'], form: 'text' },
])
  test(`a window of ${members.join(', ')} goes on with the ${form} of hops that an earlier Weir remembered`, (t) => {
    const random = randomFor(t)
    for (let run = 0; run < runs(30, 1_000); run++) {
      const before = valuesOf(random, 1.7e15, random.whole(1, 120))
      const newest = Math.max(...before.map(({ time }) => time))
      let now = newest
      const upgraded = open(members, () => now)
      const fresh = open(members, () => now)
      const list = asBefore(before, members.includes('min'))
      const { row, ring } = form === 'list' ? list : asText(list)
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
