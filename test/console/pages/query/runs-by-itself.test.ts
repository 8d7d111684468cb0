import test from 'ava'
import { runsByItself } from '../../../../console/pages/query/runs-by-itself.ts'

const own = 'http://localhost:18080'
const sql = (text: string, cameFrom = '') => runsByItself({ language: 'sql', text }, cameFrom, own)

test('the statement of an address runs by itself where it reads alone', (t) => {
  for (const text of [
    'SELECT 1',
    ' (select 1)',
    'with 1 as a select a',
    'SHOW TABLES',
    'describe t',
    'EXPLAIN SELECT 1',
  ])
    t.true(sql(text), text)
  for (const text of ["KILL QUERY WHERE query_id = 'a'", '/**/SELECT 1', 'selection', 'INSERT INTO t VALUES (1)', ''])
    t.false(sql(text), text)
  t.true(runsByItself({ language: 'weir', text: 'select * from s.t' }, '', own))
  t.false(runsByItself({ language: 'weir', text: 'delete from t' }, '', own))
})

test('the statement of an address to which another site led waits for a hand', (t) => {
  t.false(sql('SELECT 1', 'https://elsewhere.example/page'))
  t.false(sql('SELECT 1', `${own}0/console`))
  t.true(sql('SELECT 1', `${own}/console/streams`))
})
