import type { Client } from '../client.ts'
import { type Cell, tableText } from '../table.ts'

const columns = ['_pk', 'city', 'state', 'latitude', 'longitude'] as const

/** Asks the table by key and by its index. */
export async function tourAirports(client: Client): Promise<void> {
  const show = async (title: string, sql: string): Promise<void> => {
    const documents = await client.rows<Record<(typeof columns)[number], Cell>>(sql)
    const cells = documents.map((document) => columns.map((column) => document[column]))
    console.log(`\n${title}\n  ${sql}\n\n${tableText(columns, cells).replace(/^/gm, '  ')}`)
  }
  await show('An airport by its key', 'select * from airports where _pk = "SFO"')
  await show('Airports of Hawaii, by the index on state', 'select * from airports where state = "HI" limit 5')
}
