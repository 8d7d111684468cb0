import test from 'ava'
import type { Cell } from '../../learn/formats/row.ts'
import { createHolder, maxGroups } from '../../learn/holdout/holder.ts'
import type { HoldoutRule } from '../../learn/holdout/rule.ts'
import { createRandom } from '../../learn/random.ts'
import { cutFolds, cutShare, drawGroups } from '../../learn/tuning/strata.ts'
import { classesOf, seed } from './make-data.ts'

const hold = (rule: HoldoutRule, marks: readonly Cell[]) => {
  const holder = createHolder(rule)
  for (const mark of marks) holder.add(mark)
  const { rows, notes } = holder.finish({ kind: 'none' })
  return { rows: [...rows], notes }
}
const time = (share: number): HoldoutRule => ({ by: 'time', attribute: 'at', share })
const group = (share: number): HoldoutRule => ({ by: 'group', attribute: 'site', share })

test('a share of a fifth is the first of five folds, and of each class as much is held out', (t) => {
  const target = classesOf(
    Array.from({ length: 997 }, (_, i) => (i % 13 === 0 ? 'rare' : i % 3 === 0 ? 'some' : 'often')),
  )
  t.deepEqual(cutShare(target, 997, 0.2, 1), cutFolds(target, 997, 5, 1)[0])
  for (const share of [0.01, 0.1, 0.25, 1 / 3, 0.5, 0.9, 0.99]) {
    const held = cutShare(target, 997, share, 1)
    t.true(Math.abs(held.length - share * 997) <= 1, `${held.length} of ${share}`)
    for (const label of [0, 1, 2]) {
      const all = target.classes.filter((own) => own === label).length
      const some = held.filter((row) => target.classes[row] === label).length
      t.true(Math.abs(some - share * all) <= 1)
    }
  }
})

test('the latest rows are held out, as dates or numbers, in any order of the data', (t) => {
  const random = createRandom(3)
  const marks = Array.from({ length: 200 }, () => new Date(random.below(2 ** 31) * 1000).toISOString())
  const { rows, notes } = hold(time(0.3), marks)
  t.is(rows.length, 60)
  const held = rows.map((row) => Date.parse(marks[row] ?? ''))
  const rest = marks.filter((_, row) => !rows.includes(row)).map((mark) => Date.parse(mark))
  t.true(Math.min(...held) >= Math.max(...rest))
  t.deepEqual(notes, ["60 of 200 rows, the latest by 'at', are held out to measure the model"])
  t.deepEqual(hold(time(0.5), [5, '7', 6, 1]).rows, [1, 2])
})

test('of rows of one time the later ones of the data are held out; rows without a time are learnt from', (t) => {
  t.deepEqual(hold(time(0.25), ['2020-01-01', '2021-01-01', '2021-01-01', '2021-01-01']).rows, [3])
  const { rows, notes } = hold(time(0.5), [undefined, 3, 'NA', 2])
  t.deepEqual(rows, [1, 3])
  t.is(notes[1], "2 rows without a value of 'at' are among the ones learnt from")
  t.regex(createHolder(time(0.2)).wrong('noon') ?? '', /^'noon' is no number and no time of ISO 8601/)
  t.is(createHolder(time(0.2)).wrong('2020-05-05T10:00:00Z'), undefined)
})

test('no group has rows in both parts, and the share is about the one asked for', (t) => {
  const random = createRandom(5)
  for (const share of [0.1, 0.2, 0.5, 0.8]) {
    const marks = Array.from({ length: 1000 }, () => `site ${Math.floor(50 * random.uniform() ** 2)}`)
    const { rows } = hold(group(share), marks)
    const inside = new Set(rows.map((row) => marks[row]))
    t.true(marks.every((mark, row) => inside.has(mark) === rows.includes(row)))
    t.true(Math.abs(rows.length - share * 1000) < 60, `${rows.length} of ${share}`)
    t.deepEqual(hold(group(share), marks).rows, rows)
  }
})

test('of some rows whole groups are drawn, one at least and never all, though most groups have no row among them', (t) => {
  t.log(`WEIR_SEED=${seed}`)
  const random = createRandom(seed)
  for (let round = 0; round < 200; round++) {
    const kinds = Array.from({ length: 2 + random.below(5) }, () => random.below(10_000))
    const groups = Int32Array.from({ length: 40 }, (_, row) => kinds[row] ?? kinds[random.below(kinds.length)] ?? 0)
    const there = new Set(groups)
    if (there.size < 2) continue
    const drawn = drawGroups(groups, random.uniform() ** 3, random)
    t.true(drawn.size > 0 && drawn.size < there.size && [...drawn].every((each) => there.has(each)), `${groups}`)
  }
})

test('of a share that is less than any of half a million groups one is held out', (t) => {
  t.is(
    hold(
      group(1e-9),
      Array.from({ length: 500_000 }, (_, row) => row),
    ).rows.length,
    1,
  )
})

test('more groups than are held in memory are refused', (t) => {
  const marks = Array.from({ length: maxGroups + 2 }, (_, row) => row)
  t.throws(() => hold(group(0.2), marks), {
    message: /^'site', .* too many different values: the limit is 1,000,000 of them/,
  })
  const long = Array.from({ length: 80 }, (_, row) => `${row}${'x'.repeat(2 ** 20)}`)
  t.throws(() => hold(group(0.2), long), { message: /too many different values/ })
})

test('two groups are one each, though either is far from the share; rows without one are a group', (t) => {
  t.deepEqual(hold(group(0.2), ['a', 'b', 'a', 'a', 'a', 'a']).rows, [1])
  t.deepEqual(hold(group(0.1), [1, 2, 1, 2]).rows.length, 2)
  t.deepEqual(
    hold(group(0.2), ['a', undefined, 'a', 'a', 'a']).notes[1],
    "rows without a value of 'site' are one group",
  )
})

for (const [what, rule, marks, sentence] of [
  ['one group', group(0.2), ['a', 'a'], "all rows have the same 'site', 'a', so that no group can be held out"],
  ['no group', group(0.2), [undefined, undefined], "no row has a value of 'site', which holdout goes by"],
  ['no time', time(0.2), [undefined, 'NA'], "no row has a value of 'at', which holdout goes by"],
  ['one time', time(0.2), [4, 4], "all rows have the same 'at', so that none is the latest"],
  ['a file without rows', { by: 'file' }, [undefined], 'the file held out holds no row that can be taken'],
] as const) {
  test(`${what} parts no rows from others, and the reason says so`, (t) => {
    t.throws(() => hold(rule, marks), { message: sentence })
  })
}
