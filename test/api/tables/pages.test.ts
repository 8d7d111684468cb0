import { join } from 'node:path'
import test from 'ava'
import { Session } from 'chdb'
import { pagesOf } from '../../support/requests/pages.ts'
import { startService } from '../../support/service.ts'

const { client, folder, close } = await startService()
const session = new Session(join(folder, 'clickhouse'))
const clickhouse = (text: string): string => session.query(text, 'TSV').trim()

test.after.always(async () => {
  session.close()
  await close()
})

/** A table of records that are the same but for their keys. */
async function fill(
  name: string,
  settings: object,
  { count, document, key = 'number' }: { count: number; document: string; key?: string },
) {
  await client.ok(client.post('/db/mydb/table', { table_name: name, ...settings }))
  const storage = clickhouse(
    `SELECT name FROM system.tables WHERE database = 'weir_records' AND startsWith(name, 'mydb__${name}__')`,
  )
  clickhouse(
    `INSERT INTO weir_records.${storage} (_pk, doc, _v, _version) SELECT ${key}, '${document}', 1, 1 FROM numbers(${count})`,
  )
}

async function pageSizes(sql: string): Promise<number[]> {
  const sizes: number[] = []
  for await (const { num_items } of pagesOf(client, sql)) sizes.push(num_items)
  return sizes
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

const keyed = { table_type: 1, key_type: 1, key_sz: 128 }
for (const { name, settings, ...records } of [
  { name: 'numbers', settings: { table_type: 3, key_type: 10 }, document: '7' },
  { name: 'empty', settings: { table_type: 1, key_type: 10 }, document: '{}' },
  { name: 'long_keys', settings: keyed, document: '{"a":1}', key: "leftPad(toString(number), 128, '0')" },
]) {
  test.serial(`the pages of 200,000 records hold them all, however short the documents are: ${name}`, async (t) => {
    await fill(name, settings, { count: 200_000, ...records })
    const sizes = await pageSizes(`select * from ${name}`)
    t.is(sum(sizes), 200_000)
    t.true(sizes.length > 1)
  })
}

test.serial('a limit is met by the rows that are there, however short the documents are', async (t) => {
  await fill('many', { table_type: 3, key_type: 10 }, { count: 1_500_000, document: '7' })
  const { num_items, more_data_to_come, levk } = await client.ok(client.query('select * from many limit 1400000'))
  t.is(more_data_to_come, 1, `${num_items} rows came`)
  t.is(levk, num_items - 1)
})
