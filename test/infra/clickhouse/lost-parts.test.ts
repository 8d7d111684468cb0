import test from 'ava'
import { lostParts, type Part } from '../../../infra/clickhouse/embedded/lost-parts.ts'

const part = (min: number, max: number, rows: number, more: Partial<Part> = {}): Part => ({
  ...{ partition: 'all', min, max, rows, ends_s: 0 },
  ...more,
})
const table = (...parts: Part[]) => ({ 'store/a/t': { name: 's.st', parts } })
const lostOf = (before: Part[], now: Part[]): string[] =>
  lostParts(table(...before), table(...now), 1000).flatMap(({ parts }) => parts.map(({ min, max }) => `${min}_${max}`))

test('a part that nothing stands in for is lost', (t) => {
  const before = [part(1, 4, 400), part(5, 5, 10)]
  t.deepEqual(lostParts(table(...before), table(part(5, 5, 10)), 1000), [
    { folder: 'store/a/t', table: 's.st', parts: [part(1, 4, 400)], rows: 400 },
  ])
  t.deepEqual(lostOf(before, []), ['1_4', '5_5'])
  t.deepEqual(lostOf([part(1, 1, 1, { partition: '0' })], [part(1, 1, 1, { partition: '1' })]), ['1_1'])
})

test('a part that was merged, mutated or broken up again is not lost', (t) => {
  t.deepEqual(lostOf([part(1, 1, 4), part(2, 2, 4)], [part(1, 2, 3)]), [])
  t.deepEqual(lostOf([part(1, 5, 10)], [part(1, 1, 4), part(3, 5, 6)]), [])
  t.deepEqual(lostOf([part(1, 5, 10)], [part(3, 5, 6)]), ['1_5'])
})

test('what has expired and what was dropped is not lost', (t) => {
  t.deepEqual(lostOf([part(1, 1, 4, { ends_s: 999 }), part(2, 2, 4, { ends_s: 1001 })], []), ['2_2'])
  t.deepEqual(lostParts(table(part(1, 1, 4)), {}, 1000), [])
})
