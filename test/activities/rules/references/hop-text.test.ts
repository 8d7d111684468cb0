/** Hops as a text. */
import test from 'ava'
import { eachHop, type HopText, hopText } from '../../../../activities/rules/references/hop-text.ts'
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
  eachHop(of, range, (hop, number) => hops.push({ number, items: [...hop] }))
  return hops
}

const all = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY }

test('each item of a hop is read as it was written, a byte a character', (t) => {
  for (const item of items) {
    const text = hopText([item, item], 1)
    t.is(Buffer.byteLength(text), text.length)
    t.deepEqual(hopsIn({ start: 7, text }, { ...all, width: 2 }), [{ number: 7, items: [item, item] }])
  }
  t.throws(() => hopText(['text'], 1), { instanceOf: TypeError })
})

test('a hop of more items than a call takes arguments is read as it was written', (t) => {
  const hop = [Array.from({ length: 200_000 }, (_, index) => index / 7)]
  t.deepEqual(hopsIn({ start: 1, text: hopText(hop, 1) }, { ...all, width: 1 }), [{ number: 1, items: hop }])
})

test('the hops of a range are those of a list', (t) => {
  const random = randomFor(t)
  const whole = (most: number): number => Math.floor(random.next() * most)
  for (let run = 0; run < runs(200, 5_000); run++) {
    const width = 1 + whole(3)
    let number = whole(1e6) - 5e5
    const hops = Array.from({ length: whole(40) }, (): Hop => {
      number += 1 + whole(whole(10) === 0 ? 1e9 : 5)
      return { number, items: Array.from({ length: width }, () => items[whole(items.length)]) }
    })
    const text = textOf(hops, number + 1 + whole(5))
    const at = (): number => (hops[whole(hops.length)]?.number ?? 0) + whole(3) - 1
    const [first = 0, last = 0] = [at(), at()].sort((a, b) => a - b)
    const inRange = hops.filter((hop) => hop.number >= first && hop.number <= last)
    t.deepEqual(hopsIn(text, { first, last, width }), inRange)
  }
})
