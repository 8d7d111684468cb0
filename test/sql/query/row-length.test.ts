import test from 'ava'
import { rowLength } from '../../../sql/query/compile/intervals.ts'

test('a row of an answer covers as many intervals as are rolled up, and all of time at the most', (t) => {
  t.is(rowLength(60, 0), 60_000_000n)
  t.is(rowLength(60, 5), 300_000_000n)
  t.is(rowLength(3_600, 2_562_047_788), 9_223_372_036_800_000_000n)
  for (const rollup of [2_562_047_789, 5_124_095_576, Number.MAX_SAFE_INTEGER]) {
    t.is(rowLength(3_600, rollup), 2n ** 63n - 1n, String(rollup))
  }
})
