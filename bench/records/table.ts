import { join } from 'node:path'
import { mainRows, recordLine } from '../../sql/table/records.ts'
import { storedTable, type Table } from '../../sql/table/table.ts'
import { startPeer } from '../peer/peer.ts'

const name = 'airports'
const note = 'lorem ipsum '.repeat(8)

export const document = (n: number): string =>
  `{"state":"s${n % 57}","city":"c${n % 1000}","runways":${n % 9},"at":{"lat":${(n % 180) - 90}.5,"lon":${n % 360}.25},"name":"Field ${n} of the county","note":"${note}"}`

export const keyOf = (n: number, records: number): string => `airport-${(n * 7_919) % records}`

/** ClickHouse alone over the folder of a service that is away: the floors, and the figures that only it can give. */
export async function openStorage(folder: string, records: number) {
  const peer = await startPeer(join(folder, 'clickhouse'))
  const rows = (await peer.text('SELECT body FROM weir.tables FINAL')).split('\n')
  const found = rows.map((body) => storedTable.parse(JSON.parse(body))).find((table) => table.name === name)
  if (!found) throw new Error('no table')
  const table: Table = found
  const storage = `weir_records.${table.storage}`

  return {
    async fill(): Promise<void> {
      const parts = 20
      const text = `concat('{"state":"s', toString(number % 57), '","city":"c', toString(number % 1000), '","runways":', toString(number % 9), ',"at":{"lat":1.5,"lon":2.25},"name":"Field ', toString(number), ' of the county","note":"${note}"}')`
      for (let part = 0; part < parts; part++) {
        const first = (part * records) / parts
        await peer.text(
          `INSERT INTO ${storage} SELECT 0, '', 0, concat('airport-', toString((number * 7919) % ${records})), 0, ${text}, 1, number + 1, 0 FROM numbers(${first}, ${records / parts})`,
        )
      }
    },

    /** Each key's document, one after the other. Resolves to the p50, in ms. */
    async reads(times: number): Promise<number> {
      const sql = Array.from(
        { length: times },
        (_, n) =>
          `SELECT doc FROM ${storage} FINAL WHERE ${mainRows} AND _pk = '${keyOf(n * 97, records)}' SETTINGS max_threads = 1`,
      )
      return (await peer.query(sql, times)).p50_ms
    },

    /** Rows a second, as ready bytes, 64 a statement, two statements at a time. */
    async inserts(count: number): Promise<number> {
      const line = (n: number): string => {
        const row = { index: 0, text: '', number: 0, key: keyOf(n, records), seq: 0, document: document(n), v: 1 }
        return recordLine({ ...table, indexes: [] }, { ...row, version: 1, deleted: false })
      }
      const bodies = Array.from({ length: count / 64 }, (_, body) =>
        Array.from({ length: 64 }, (_, n) => line(body * 64 + n)).join(''),
      )
      return count / (await peer.insert(storage, bodies))
    },

    table,
    rowsRead: async (sql: string): Promise<number> => JSON.parse(await peer.text(sql, 'JSON')).statistics.rows_read,
    parts: async (): Promise<number> =>
      Number(await peer.text(`SELECT count() FROM system.parts WHERE active AND table = '${table.storage}'`)),
    close: peer.close,
  }
}

export type RecordStorage = Awaited<ReturnType<typeof openStorage>>
