import type { ClickHouse } from '../clickhouse/clickhouse.ts'

type Asked = Pick<ClickHouse, 'rows'>

async function tablesOf(clickhouse: Asked): Promise<ReadonlySet<string>> {
  const found = await clickhouse.rows<{ name: string }>({
    text: "SELECT name FROM system.tables WHERE database = 'weir' AND name IN ('schemas', 'tables', 'data_id')",
    params: {},
  })
  return new Set(found.map(({ name }) => name))
}

/** The id of the data in ClickHouse, where it has one, and whether it knows any schema or table. */
export async function askData(
  clickhouse: Asked,
): Promise<{ readonly id: string | undefined; readonly hasData: boolean }> {
  const tables = await tablesOf(clickhouse)
  const counts = ['schemas', 'tables']
    .filter((name) => tables.has(name))
    .map((name) => `(SELECT count() FROM weir.${name})`)
  const ids = tables.has('data_id') ? await clickhouse.rows<{ id: string }>({ text: oneId, params: {} }) : []
  if (counts.length === 0) return { id: ids[0]?.id, hasData: false }
  const [row] = await clickhouse.rows<{ n: string | number }>({ text: `SELECT ${counts.join(' + ')} AS n`, params: {} })
  return { id: ids[0]?.id, hasData: Number(row?.n) > 0 }
}

const oneId = 'SELECT id FROM weir.data_id ORDER BY at LIMIT 1'

/** Gives the data in ClickHouse an id, unless another process has: all inserts bear one token, so one of them is kept. */
export async function giveId(clickhouse: Pick<ClickHouse, 'rows' | 'insert'>, wanted: string): Promise<string> {
  const [known] = await clickhouse.rows<{ id: string }>({ text: oneId, params: {} })
  if (known) return known.id
  await clickhouse.insert({
    table: '`weir`.`data_id`',
    rows: Buffer.from(`${JSON.stringify({ id: wanted })}\n`),
    token: 'the id of this data',
  })
  const [kept] = await clickhouse.rows<{ id: string }>({ text: oneId, params: {} })
  return kept?.id ?? wanted
}
