import { join } from 'node:path'
import { Session } from 'chdb'
import { storedTable, type Table } from '../../sql/table/table.ts'

export const document = (n: number): string =>
  `{"state":"s${n % 57}","city":"c${n % 1000}","runways":${n % 9},"at":{"lat":${(n % 180) - 90}.5,"lon":${n % 360}.25},"name":"Field ${n} of the county","note":"${'lorem ipsum '.repeat(8)}"}`

/** A table of many records in the service of this process, and ClickHouse below it. */
export function openRecordTable(folder: string, records: number) {
  const session = new Session(join(folder, 'clickhouse'))

  const clickhouse = async (text: string, format = 'TSV'): Promise<string> =>
    Buffer.from((await session.queryAsync(text, { format })).bytes())
      .toString('utf8')
      .trim()

  const keyOf = (n: number): string => `airport-${(n * 7_919) % records}`

  async function table(): Promise<Table> {
    const rows = (await clickhouse('SELECT body FROM weir.tables FINAL', 'TSVRaw')).split('\n')
    const found = rows.map((body) => storedTable.parse(JSON.parse(body))).find(({ name }) => name === 'airports')
    if (!found) throw new Error('no table')
    return found
  }

  async function fill(): Promise<void> {
    const { storage } = await table()
    const parts = 20
    for (let part = 0; part < parts; part++) {
      const first = (part * records) / parts
      const text = `concat('{"state":"s', toString(number % 57), '","city":"c', toString(number % 1000), '","runways":', toString(number % 9), ',"at":{"lat":1.5,"lon":2.25},"name":"Field ', toString(number), ' of the county","note":"${'lorem ipsum '.repeat(8)}"}')`
      await clickhouse(
        `INSERT INTO weir_records.${storage} SELECT 0, '', 0, concat('airport-', toString((number * 7919) % ${records})), 0, ${text}, 1, number + 1, 0 FROM numbers(${first}, ${records / parts})`,
      )
    }
  }

  const parts = async (): Promise<number> =>
    Number(await clickhouse(`SELECT count() FROM system.parts WHERE active AND table = '${(await table()).storage}'`))

  return { session, clickhouse, keyOf, table, fill, parts }
}

export type RecordTable = ReturnType<typeof openRecordTable>
