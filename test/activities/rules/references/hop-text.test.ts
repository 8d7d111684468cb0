/** Hops as a text. */
import test from 'ava'
import { eachHop, type HopText, hopText, withoutOld } from '../../../../activities/rules/references/hop-text.ts'
import { randomFor, runs } from '../../../support/random/seed.ts'

type Hop = { readonly number: number; readonly items: readonly unknown[] }

const items: readonly unknown[] = [
  ...[0, 1, 95, 96, 2_047, 2_048, 2 ** 14, 2 ** 21, 2 ** 28, 2 ** 35, 2 ** 53 - 1].flatMap((each) => [
    each,
    -each,
    each - 1,
  ]),
  ...[0.1, -1e-17, 5e-324, 1.7e308, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null],
  ...[0n, 12n, -(2n ** 64n), [], [1, 2.5, null], [3, [4, [5n, -6]], 7]],
]

function textOf(hops: readonly Hop[], next: number): HopText {
  const gapOf = (index: number): number => (hops[index + 1]?.number ?? next) - (hops[index]?.number ?? next)
  return {
    start: hops[0]?.number ?? next,
    text: hops.map((hop, index) => hopText(hop.items, gapOf(index))).join(''),
  }
}

function hopsIn(of: HopText, range: { first: number; last: number; width: number }) {
  const hops: Hop[] = []
  const begun = eachHop(of, range, (hop, number) => hops.push({ number, items: [...hop] }))
  return { hops, begun }
}

const all = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY }

test('each item of a hop is read as it was written, a byte a character', (t) => {
  for (const item of items) {
    const text = hopText([item, item], 1)
    t.is(Buffer.byteLength(text), text.length)
    t.deepEqual(hopsIn({ start: 7, text }, { ...all, width: 2 }).hops, [{ number: 7, items: [item, item] }])
  }
  t.throws(() => hopText(['text'], 1), { instanceOf: TypeError })
})

test('a hop of more items than a call takes arguments is read as it was written', (t) => {
  const hop = [Array.from({ length: 200_000 }, (_, index) => index / 7)]
  t.deepEqual(hopsIn({ start: 1, text: hopText(hop, 1) }, { ...all, width: 1 }).hops, [{ number: 1, items: hop }])
})

test('the hops of a range are those of a list, from the beginning and from the place of an earlier reading', (t) => {
  const random = randomFor(t)
  const whole = (most: number): number => Math.floor(random.next() * most)
  for (let run = 0; run < runs(200, 5_000); run++) {
    const width = 1 + whole(3)
    let number = whole(1e6) - 5e5
    const hops = Array.from({ length: whole(40) }, (): Hop => {
      number += 1 + whole(whole(10) === 0 ? 1e9 : 5)
      return { number, items: Array.from({ length: width }, () => items[whole(items.length)]) }
    })
    const next = number + 1 + whole(5)
    const text = textOf(hops, next)
    const at = (): number => (hops[whole(hops.length)]?.number ?? 0) + whole(3) - 1
    const [first = 0, later = 0, last = 0] = [at(), at(), at()].sort((a, b) => a - b)
    const inRange = (from: number) => hops.filter((hop) => hop.number >= from && hop.number <= last)
    const found = hopsIn(text, { first, last, width })
    t.deepEqual(found.hops, inRange(first))
    t.deepEqual(hopsIn(found.begun, { first: later, last, width }).hops, inRange(later))
    const most = 1 + whole(20)
    const kept = withoutOld(text, { first, next, width, most })
    t.deepEqual(hopsIn(kept, { ...all, width }).hops, hops.filter((hop) => hop.number >= first).slice(-most))
  }
})
