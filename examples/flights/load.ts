import type { Client } from '../client.ts'
import { createProgress } from '../progress.ts'
import { type Flight, readSchema, timeOf } from './flights.ts'

const batchSize = 1_000

/** Registers the schema and loads the flights, unless events are there already. */
export async function ensureFlights(client: Client, flights: readonly Flight[], reset: boolean): Promise<void> {
  if (reset && (await client.remove('/stream/air'))) console.log('Deleted schema air and its events.')
  const isNew = await client.register(readSchema())
  console.log(isNew ? 'Registered schema air (examples/flights/schema.yaml).' : 'Schema air is registered already.')
  const there = await client.count('air', 'flights')
  if (there > 0)
    console.log(`It holds ${there.toLocaleString('en')} flights: nothing is loaded twice (--reset starts anew).`)
  else await load(client, flights)
}

async function load(client: Client, flights: readonly Flight[]): Promise<void> {
  const progress = createProgress('Loading flights', flights.length)
  const started = performance.now()
  for (let start = 0; start < flights.length; start += batchSize) {
    const batch = flights.slice(start, start + batchSize)
    const lines = batch.map((flight) => JSON.stringify({ _pk: timeOf(flight), ...flight }))
    await client.postLines('/stream/air/flights', lines)
    progress.advance(batch.length)
  }
  const there = await client.count('air', 'flights')
  const seconds = (performance.now() - started) / 1000
  const rate = Math.round(there / seconds).toLocaleString('en')
  progress.end(
    `${there.toLocaleString('en')} flights stored and queryable in ${seconds.toFixed(2)} s: ${rate} a second`,
  )
}
