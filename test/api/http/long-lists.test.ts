import test from 'ava'
import { readSql } from '../../../api/analysts/sql-body.ts'
import { texts } from '../../../base/decode/values.ts'
import { inputs } from '../../../sql/schema/values.ts'

const nulls = Array(20_000).fill(null)

test('a list of a client that is too long is refused by its length, without a look at each item', (t) => {
  for (const list of [inputs, texts]) {
    const { error } = list.safeParse(nulls)
    t.deepEqual(
      error?.issues.map(({ message }) => message),
      ['must have at most 1000 items'],
    )
  }
})

test('parameters and settings of a statement have a bound', (t) => {
  const many = Object.fromEntries(nulls.map((_, i) => [`p${i}`, null]))
  t.throws(() => readSql(JSON.stringify({ sql: 'SELECT 1', params: many })), {
    message: /^params: has more than 1,000/,
  })
  t.throws(() => readSql(JSON.stringify({ sql: 'SELECT 1', settings: many })), { message: /^settings: has more/ })
})
