import type { Client } from '../client.ts'
import { type Airport, readIndex, readTable } from './airports.ts'

/** Makes the table of airports with an index on `state` and fills it, unless it is there already. */
export async function ensureAirports(client: Client, airports: readonly Airport[], reset: boolean): Promise<void> {
  if (reset && (await client.remove('/db/mydb/airports'))) console.log('Dropped table airports.')
  if (!(await client.make('/db/mydb/table', readTable()))) {
    console.log('Table airports is there already.')
    return
  }
  await client.post('/db/mydb/airports/index', readIndex())
  const started = performance.now()
  await client.postLines(
    '/db/mydb/airports/doc',
    airports.map(({ iata, ...doc }) => JSON.stringify({ _pk: iata, doc })),
  )
  const seconds = (performance.now() - started) / 1000
  console.log(`${airports.length.toLocaleString('en')} airports stored in ${seconds.toFixed(2)} s`)
}
