/** The parts of the page that show tables, times and pictures, as far as they need no browser. */
import test from 'ava'
import { columnWidths } from '../../../console/parts/column-widths.ts'
import { axisTexts, fullNumber, numberText } from '../../../console/parts/number-text.ts'
import { connected, layOut, nodeTowards, pathThrough } from '../../../console/parts/picture-layout.ts'
import { nextSort, sortedIndexes } from '../../../console/parts/sorted.ts'
import { agoText, durationText, tickTexts, timeText } from '../../../console/parts/time-text.ts'

test('rows are sorted by value, equal ones in their order, absent ones last either way', (t) => {
  const rows = [3, undefined, 10, 3, null, -1]
  const sorted = (isDescending: boolean) => [...sortedIndexes(rows, (row) => row, isDescending)]
  t.deepEqual(sorted(false), [5, 0, 3, 2, 1, 4])
  t.deepEqual(sorted(true), [2, 0, 3, 5, 1, 4])
  t.deepEqual([...sortedIndexes(['b', 'B', 'a', 7], (row) => row, false)], [3, 1, 2, 0])
})

test('a click on a title sorts upwards, then downwards, then not', (t) => {
  const up = nextSort(undefined, 'a')
  t.deepEqual(up, { column: 'a', isDescending: false })
  const down = nextSort(up, 'a')
  t.deepEqual(down, { column: 'a', isDescending: true })
  t.is(nextSort(down, 'a'), undefined)
  t.deepEqual(nextSort(down, 'b'), { column: 'b', isDescending: false })
})

test('100,000 rows are sorted and measured in a fraction of a second', (t) => {
  const rows = Array.from({ length: 100_000 }, (_, n) => ({ n: (n * 7919) % 100_003, text: 'x'.repeat(n % 30) }))
  const order = sortedIndexes(rows, ({ n }) => n, false)
  t.is(rows[order[0] ?? -1]?.n, 0)
  const [narrow = 0, wide = 0] = columnWidths(
    [
      { title: 'n', text: ({ n }) => String(n) },
      { title: 'text', text: ({ text }) => text.repeat(20) },
    ],
    rows,
  )
  t.true(narrow >= 64 && wide > narrow && wide <= 420)
})

test('times say as much as their interval needs', (t) => {
  const time_us = Date.UTC(2026, 10, 26, 11, 7, 27, 123) * 1000
  t.is(timeText(time_us), '2026-11-26 11:07:27.123')
  t.is(timeText(time_us, 1), '2026-11-26 11:07:27')
  t.is(timeText(time_us, 300), '2026-11-26 11:07')
  t.is(timeText(time_us, 86_400), '2026-11-26')
  t.is(timeText(Number.NaN), 'NaN')
  t.deepEqual([60, 90, 3600, 86_400, 0.5].map(durationText), ['1 min', '90 s', '1 h', '1 d', '0.5 s'])
  t.is(agoText(0, 90e6), '1 min ago')
  const start_s = Date.UTC(2026, 10, 26, 23, 30) / 1000
  t.deepEqual(tickTexts([start_s, start_s + 1800, start_s + 3600], 1800), [
    '23:30\n2026-11-26',
    '00:00\n2026-11-27',
    '00:30',
  ])
})

test('one rule for numbers: whole ones whole, others with six digits or two places', (t) => {
  const texts: readonly (readonly [number | bigint, string])[] = [
    [0, '0'],
    [7, '7'],
    [1_234_567, '1,234,567'],
    [46.505_375_646, '46.5054'],
    [463_069.01, '463,069.01'],
    [0.000_012_345_678, '0.0000123457'],
    [1.234_567_89e-9, '1.23457e-9'],
    [9.223_372_036_854_776e18, '9223370000000000000'],
    [1e30, '1e+30'],
    [9_223_372_036_854_775_807n, '9,223,372,036,854,775,807'],
  ]
  for (const [value, text] of texts) t.is(numberText(value), text)
  t.is(fullNumber(46.505_375_646), '46.505375646')
  t.is(fullNumber(46.5), undefined)
})

test('the ticks of an axis are told apart, and are short', (t) => {
  const from = (first: number, step: number) => axisTexts([0, 1, 2, 3].map((n) => first + n * step))
  t.deepEqual(from(1_000_000, 100), ['1,000,000', '1,000,100', '1,000,200', '1,000,300'])
  t.deepEqual(from(0, 0.25), ['0', '0.25', '0.50', '0.75'])
  t.deepEqual(from(0, 5000), ['0', '5K', '10K', '15K'])
  t.deepEqual(from(0, 2_500_000), ['0', '2.5M', '5.0M', '7.5M'])
  t.deepEqual(from(0, 25_000_000), ['0', '25M', '50M', '75M'])
  t.deepEqual(from(0, 2e17), ['0', '2e17', '4e17', '6e17'])
  t.deepEqual(from(1e18, 1e15), ['1.000e18', '1.001e18', '1.002e18', '1.003e18'])
  for (const ticks of [from(1e6, 1), from(-3, 1.5), from(1e-7, 1e-8), from(99_990, 2.5)]) {
    t.is(new Set(ticks).size, 4)
    t.true(ticks.every((text) => text.length < 12))
  }
})

const node = (id: string) => ({ id, title: id, kind: 'input' })
const edge = (from: string, to: string) => ({ from, to, kind: 'feeds' })

test('a picture goes from left to right, its parts apart, and nothing lies on anything', (t) => {
  const names = ['a', 'b', 'c', 'd', 'e', 'lone', 'alone']
  const edges = [edge('a', 'b'), edge('a', 'c'), edge('d', 'e'), edge('a', 'gone')]
  t.deepEqual(
    connected(names.map(node), edges).map(({ nodes }) => nodes.map(({ id }) => id)),
    [['a', 'b', 'c'], ['d', 'e'], ['lone'], ['alone']],
  )
  const { nodes, edges: placed, width, height } = layOut(names.map(node), edges)
  const at = (id: string) => nodes.find((each) => each.id === id) ?? t.fail()
  const [a, b, d, e] = ['a', 'b', 'd', 'e'].map(at)
  if (!a || !b || !d || !e) return
  t.true(a.x < b.x && d.x < e.x)
  for (const [index, one] of nodes.entries()) {
    t.true(one.x + one.width / 2 <= width + 1 && one.y + one.height / 2 <= height + 1)
    for (const other of nodes.slice(index + 1)) {
      const isApart =
        Math.abs(one.x - other.x) >= (one.width + other.width) / 2 ||
        Math.abs(one.y - other.y) >= (one.height + other.height) / 2
      t.true(isApart, `${one.id} ${other.id}`)
    }
  }
  t.is(placed.length, 3)
  t.is(placed[0]?.points[0]?.x, a.x + a.width / 2)
  t.is(nodeTowards(nodes, a, 'left'), undefined)
  t.true(['b', 'c'].includes(nodeTowards(nodes, a, 'right')?.id ?? ''))
  t.is(nodeTowards(nodes, e, 'left')?.id, 'd')
})

test('a picture of 1,000 streams is laid out', (t) => {
  const nodes = Array.from({ length: 1000 }, (_, n) => node(`n${n}`))
  const edges = nodes.slice(1).map(({ id }, n) => edge(`n${Math.floor(n / 3)}`, id))
  const { nodes: placed } = layOut(nodes, edges)
  t.is(placed.length, 1000)
  t.true(placed.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)))
})

test('a path goes through its points', (t) => {
  t.is(pathThrough([]), '')
  t.is(
    pathThrough([
      { x: 0, y: 0 },
      { x: 10, y: 20 },
    ]),
    'M0,0 C5,0 5,20 10,20',
  )
})

test('many parts fill a wide picture, none on another', (t) => {
  const edges = Array.from({ length: 14 }, (_, n) => n).flatMap((n) =>
    Array.from({ length: 1 + ((n * 5) % 7) }, (_, k) => edge(`p${n}`, `p${n}_${k}`)),
  )
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))]
  const { nodes, width, height } = layOut(names.map(node), edges)
  t.true(width > height * 0.8 && width < height * 5, `${width} ${height}`)
  for (const [index, one] of nodes.entries()) {
    for (const other of nodes.slice(index + 1)) {
      const isApart = Math.abs(one.x - other.x) >= 120 || Math.abs(one.y - other.y) >= one.height
      t.true(isApart, `${one.id} ${other.id}`)
    }
  }
})
