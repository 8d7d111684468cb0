/**
 * `npm run demo`: loads 20,000 real flights into a running Weir, asks every kind of query, trains models, and checks the statistics
 * against one pass over the file. `npm run demo -- --reset` loads them anew. Weir is found by WEIR_URL, or by HOST and PORT.
 */
import { readAirports } from './airports/airports.ts'
import { ensureAirports } from './airports/load.ts'
import { tourAirports } from './airports/tour.ts'
import { ClientError, createClient } from './client.ts'
import { readFlights } from './flights/flights.ts'
import { ensureFlights } from './flights/load.ts'
import { differences, onePass } from './flights/one-pass.ts'
import { tour } from './flights/tour.ts'
import { ensureRoutes } from './routes/load.ts'
import { tourRoutes } from './routes/tour.ts'
import { serviceUrl } from './service-url.ts'
import { tourModels } from './weather/tour.ts'

async function main(): Promise<number> {
  const client = createClient(serviceUrl())
  const flights = readFlights()
  await ensureFlights(client, flights, process.argv.includes('--reset'))
  const told = await tour(client)
  await ensureAirports(client, readAirports(), process.argv.includes('--reset'))
  await tourAirports(client)
  await ensureRoutes(client, flights, readAirports())
  await tourRoutes(client)
  await tourModels(client, flights, process.argv.includes('--reset'))
  const found = differences(told, onePass(flights))
  if (found.length === 0) {
    console.log(`\nOne pass over the file gives the same: ${told.delayByDay.size} days, the quarter, the destinations.`)
    return 0
  }
  console.error(`\nOne pass over the file differs (--reset loads it anew):\n  ${found.slice(0, 10).join('\n  ')}`)
  return 1
}

// The reader of the output may stop early: `npm run demo | head`.
process.stdout.on('error', () => process.exit())

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error instanceof ClientError ? error.message : error)
    process.exitCode = 1
  },
)
