import type { Client } from '../client.ts'
import { createProgress } from '../progress.ts'
import { type Airport, readIndex, readTable } from './airports.ts'

/** Records under way at a time: they share their inserts. */
const atOnce = 64

/** Makes the table of airports with an index on `state` and fills it, unless it is there already. */
export async function ensureAirports(client: Client, airports: readonly Airport[], reset: boolean): Promise<void> {
  if (reset && (await client.remove('/db/mydb/airports'))) console.log('Dropped table airports.')
  if (!(await client.make('/db/mydb/table', readTable()))) {
    console.log('Table airports is there already.')
    return
  }
  await client.post('/db/mydb/airports/index', readIndex())
  const progress = createProgress('Loading airports', airports.length)
  const started = performance.now()
  const left = [...airports]
  const store = async (): Promise<void> => {
    for (let airport = left.pop(); airport; airport = left.pop()) {
      const { iata, ...doc } = airport
      await client.post('/db/mydb/airports/doc', JSON.stringify({ _pk: iata, doc }))
      progress.advance(1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, store))
  const seconds = (performance.now() - started) / 1000
  progress.end(`${airports.length.toLocaleString('en')} airports stored in ${seconds.toFixed(2)} s`)
}
