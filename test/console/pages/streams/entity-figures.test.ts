import test from 'ava'
import { figuresIn, valueAt } from '../../../../console/pages/streams/entity-figures.ts'

test('values over windows are columns of their own, behind those over all time', (t) => {
  const rows = [
    { seen: { cnt: 3 }, spent: { cnt: 2, sum: 5, '1h': { cnt: 1, sum: 2 } } },
    { seen: { cnt: 1 }, spent: { cnt: 1, sum: 1, '1h': { cnt: 0, sum: 0 } }, late: 7 },
  ]
  const figures = figuresIn(rows)
  t.deepEqual(
    figures.map(({ title }) => title),
    ['seen', 'spent cnt', 'spent sum', 'spent 1h cnt', 'spent 1h sum', 'late'],
  )
  t.deepEqual(
    figures.map(({ path }) => valueAt(rows[0] ?? {}, path)),
    [3, 2, 5, 1, 2, undefined],
  )
})
