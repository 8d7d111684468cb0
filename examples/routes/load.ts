import type { Airport } from '../airports/airports.ts'
import type { Client } from '../client.ts'
import type { Flight } from '../flights/flights.ts'

/** Nodes under way at a time: they share their inserts. */
const atOnce = 64

/** The graph of schema air. */
export const graph = 'air_graph'

/**
 * The flights are in the graph already, by the relation of their schema. Gives the airports that are flown to or from
 * their places, and an index on the places; those that are there already stay.
 */
export async function ensureRoutes(
  client: Client,
  flights: readonly Flight[],
  airports: readonly Airport[],
): Promise<void> {
  const flown = new Set(flights.flatMap(({ origin, destination }) => [origin, destination]))
  const left = airports.filter(({ iata }) => flown.has(iata))
  console.log(`\nPlacing ${left.length} airports in ${graph}.`)
  const place = async (): Promise<void> => {
    for (let airport = left.pop(); airport; airport = left.pop()) {
      const { iata, city, state, latitude, longitude } = airport
      const node = { label: 'Airport', name: iata, prop: { city, state, latitude, longitude } }
      await client.post(`/graph/${graph}/node`, JSON.stringify(node))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, place))
  await client.graph(graph, `create geoindex ${graph}.Airport places = latitude.longitude`)
}
