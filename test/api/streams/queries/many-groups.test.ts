/** More groups than a query's memory holds. */
import { join } from 'node:path'
import test from 'ava'
import { Session } from 'chdb'
import { pagesOf } from '../../../support/requests/pages.ts'
import { startService } from '../../../support/service.ts'

const { client, folder, close } = await startService({ MAX_QUERY_MB: '150' })
const session = new Session(join(folder, 'clickhouse'))
const clickhouse = (text: string): string => session.query(text, 'TSV').trim()

test.after.always(async () => {
  session.close()
  await close()
})

const groups = 500_000

const schema = {
  schema: 'm',
  streams: [
    {
      name: 'st',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'a', type: 5 },
        { name: 'b', type: 9 },
        { name: 'x', type: 11 },
        { name: 'y', type: 9 },
      ],
      gpby: [
        { gpat: ['a', 'b'], iatr: 'x', stat: 'RSTAT' },
        { gpat: ['a', 'b'], iatr: 'y', stat: 'COUNT' },
      ],
      enty: [
        { name: 'e', opid: 1, ratr: ['n'], iatr: ['y'], pkatr: [{ name: 'id', type: 5, iatr: ['a'] }], rstm: 'ids' },
      ],
    },
    { name: 'ids', type: 4, inpt: ['st'], attr: [] },
  ],
}

test.before(async () => {
  await client.register(schema)
  for (let from = 0; from < groups; from += groups / 4) {
    const rows = `numbers(${from}, ${groups / 4})`
    const columns = 'intDiv(number, 250000) * 60000000, 1, number % 2'
    clickhouse(
      `INSERT INTO m.st__60__a__b (a, b, _interval, _cnt_x, _cnt_y) SELECT concat('group ', toString(number)), number % 3, ${columns} FROM ${rows}`,
    )
    clickhouse(`INSERT INTO m.ids__keys SELECT concat('key ', toString(number)), 1 FROM ${rows}`)
  }
})

for (const { sql, expected, shown } of [
  { sql: 'select aggr(x) from m.st groupby a:b', expected: groups, shown: 'moments' },
  { sql: 'select aggr(y) from m.st groupby a:b', expected: groups / 2, shown: 'counts' },
]) {
  test.serial(`pages of half a million groups hold each once, in the memory of a page: ${shown}`, async (t) => {
    t.timeout(600_000)
    const keys = new Set<unknown>()
    let rows = 0
    for await (const page of pagesOf(client, `${sql} limit 100000`)) {
      rows += page.num_items
      for (const { k } of page.rows) keys.add(k)
    }
    t.deepEqual([rows, keys.size], [expected, expected])
  })
}

test.serial('a short page of as many groups takes the memory of a page, and so does the one behind it', async (t) => {
  const keys = new Set<unknown>()
  for await (const page of pagesOf(client, 'select aggr(x) from m.st groupby a:b rollup 1 limit 1000')) {
    t.is(page.num_items, 1000)
    for (const { k } of page.rows) keys.add(k)
    if (keys.size !== 1000) break
  }
  t.is(keys.size, 2000)
})

test.serial('intervals of as many groups are answered by way of the disk', async (t) => {
  t.timeout(600_000)
  const page = await client.ok(client.query('select aggr(x) from m.st groupby a:b rollup 0 limit 10'))
  t.deepEqual([page.num_items, page.more_data_to_come], [10, 1])
})

test.serial('as many keys of entities are counted', async (t) => {
  t.is(await client.count('select count(*) from m.ids'), groups)
})
