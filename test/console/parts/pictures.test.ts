import test from 'ava'
import { cursorOf, membersOf } from '../../../console/parts/cursor.ts'
import { foldConfusion } from '../../../console/parts/fold-confusion.ts'
import { partsOf } from '../../../console/parts/paths.ts'
import { ticksOf } from '../../../console/parts/ticks.ts'

test('a confusion matrix of many labels keeps the most frequent ones and every row', (t) => {
  const labels = Array.from({ length: 30 }, (_, i) => `l${i}`)
  const rows = labels.map((_, i) => labels.map((_label, j) => (i === j ? 30 - i : j === 29 ? 1 : 0)))
  const folded = foldConfusion({ labels, rows }, 5)
  t.deepEqual(folded.labels, ['l0', 'l1', 'l2', 'l3', '26 others'])
  const sum = (matrix: readonly (readonly number[])[]) => matrix.flat().reduce((all, value) => all + value, 0)
  t.is(sum(folded.rows), sum(rows))
  t.is(folded.rows[0]?.[0], 30)
  const small = {
    labels: ['a', 'b'],
    rows: [
      [1, 2],
      [3, 4],
    ],
  }
  t.is(foldConfusion(small, 5).rows, small.rows)
})

test('ticks are round numbers within their bounds', (t) => {
  t.deepEqual(ticksOf(0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1])
  t.deepEqual(ticksOf(-63170, 58500), [-50000, -25000, 0, 25000, 50000])
  t.deepEqual(ticksOf(0, 19), [0, 5, 10, 15])
  t.deepEqual(ticksOf(3, 3), [3])
  t.deepEqual(ticksOf(0, 0.0003), [0, 0.0001, 0.0002, 0.0003])
})

test('a cursor goes into an address and back, and a text that is none begins anew', (t) => {
  const answer = { more_data_to_come: 1, switch_done: 0, levk: 'a"b', sec_buf: 'x' }
  const cursor = cursorOf(answer)
  t.deepEqual(membersOf(cursor ?? ''), { levk: 'a"b', sec_buf: 'x', switch_done: 0 })
  t.is(cursorOf({ ...answer, more_data_to_come: 0 }), undefined)
  for (const none of ['', 'x', '1', 'null']) t.deepEqual(membersOf(none), {})
})

test('the parts of a path are decoded, and one that cannot be stays as it is', (t) => {
  t.deepEqual(partsOf('/a%2Fb//c%'), ['a/b', 'c%'])
  t.deepEqual(partsOf(''), [])
})
