import { join } from 'node:path'
import test from 'ava'
import type { CopyProgress } from '../../../../activities/schemas/edit/edit-record.ts'
import { copyPasts } from '../../../../activities/schemas/edit/past-copies.ts'
import type { ClickHouse } from '../../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { keepPast } from '../../../../sql/schema/ddl/edit/past-events.ts'
import { createSchema } from '../../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.after.always(() => clickhouse.close())

const n = { name: 'n', type: 9 }
const copying = (name: string, ostm: string) => ({
  name,
  fqry: { name: '{"query":[{"key":"n","cmp_op":1,"val":0}]}', type: 1 },
  fatr: ['n'],
  ostm,
})
const schema = decodeSchema({
  schema: 'past',
  streams: [
    { name: 's', type: 1, swsz: 0, attr: [n, { name: 'text', type: 5 }], fltr: [copying('f', 'a'), copying('g', 'b')] },
    { name: 'a', type: 2, inpt: ['s'], swsz: 0, attr: [{ ...n, stat: 'RSTAT' }], fltr: [copying('h', 'c')] },
    { name: 'b', type: 2, inpt: ['s'], swsz: 0, attr: [n] },
    { name: 'c', type: 2, inpt: ['a'], swsz: 0, attr: [{ ...n, stat: 'COUNT' }] },
  ],
})

test('copies that are cut off at any insert, before it or after it, bring each event once', async (t) => {
  await migrate(clickhouse)
  for (const statement of createSchema(schema)) await clickhouse.run(statement)
  // Events of 20 kB: a run holds some hundred of them. Two events may share their _pk.
  await clickhouse.run(
    "INSERT INTO past.s (_pk, _seq, n, text) SELECT intDiv(number, 3), number + 1, number, repeat('x', 20000) FROM numbers(1500)",
  )
  await clickhouse.run('INSERT INTO past.s (_pk, _seq, n) VALUES (5000, 1, -1), (9000000000000000000, 2, 7)')
  for (const stream of ['s', 'a', 'b'])
    for (const statement of keepPast(schema, stream)) await clickhouse.run(statement)
  const [source] = schema.streams
  const filters = source?.filters.map((filter) => ({ stream: source, filter, beside: [] })) ?? []

  let kept: CopyProgress = { done: 0 }
  const note = async (progress: CopyProgress) => {
    kept = progress
  }
  /** Breaks before and after each insert in turn; between two attempts live events come in. */
  let inserts = 0
  let whole = 0
  for (let attempt = 0; ; attempt++) {
    const breaking: ClickHouse = {
      ...clickhouse,
      async insert(insertion) {
        inserts++
        if (attempt % 2 === 0 && inserts > whole) throw new Error('cut off before')
        await clickhouse.insert(insertion)
        if (inserts > whole) throw new Error('cut off after')
      },
    }
    inserts = 0
    const isDone = await copyPasts({ clickhouse: breaking, note }, schema, filters, 'edit', kept).then(
      () => true,
      () => false,
    )
    if (isDone) break
    whole = attempt % 3 === 2 ? 1 : 0
    t.true(attempt < 200)
  }
  t.deepEqual(kept, { done: 2 })
  const [found] = await clickhouse.rows<Record<string, number>>({
    text: [
      'SELECT (SELECT count() FROM past.a) AS a, (SELECT uniqExact(_seq, n) FROM past.a) AS distinct_a,',
      '(SELECT count() FROM past.b) AS b, (SELECT count() FROM past.c) AS c,',
      '(SELECT sum(n_cnt) FROM past.a_by_60s) AS counted, (SELECT sum(n_cnt) FROM past.c_by_60s) AS further',
    ].join(' '),
    params: {},
  })
  t.deepEqual(Object.fromEntries(Object.entries(found ?? {}).map(([name, value]) => [name, Number(value)])), {
    a: 1501,
    distinct_a: 1501,
    b: 1501,
    c: 1501,
    counted: 1501,
    further: 1501,
  })
})
