import type { Client } from '../client.ts'
import { type Cell, tableText } from '../table.ts'
import { graph } from './load.ts'

type Node = { readonly label: string; readonly name: string }

/** Asks the graph of the flights: hubs, connections, places near by, the shortest way. */
export async function tourRoutes(client: Client): Promise<void> {
  const show = (title: string, text: string, names: readonly string[], rows: readonly (readonly Cell[])[]): void =>
    console.log(`\n${title}\n  ${text}\n\n${tableText(names, rows).replace(/^/gm, '  ')}`)

  async function showRows(title: string, text: string, names: readonly string[]): Promise<void> {
    const { rows } = (await client.graph(graph, text)) as { rows: readonly Record<string, Cell>[] }
    show(
      title,
      text,
      names,
      rows.map((row) => names.map((name) => row[name] ?? '')),
    )
  }

  await showRows(
    'The airports with most departures',
    's=>(@a Airport:*)-[FLIES]->(Airport:*); RETURN a.name, a.city, COUNT(*) AS flights SORT_DESC flights LIMIT 5',
    ['name', 'city', 'flights'],
  )
  const hubs = 's{PAGERANK, 5}=>(Airport:*)-[FLIES]->(Airport:*)'
  const { rows } = (await client.graph(graph, hubs)) as { rows: readonly { name: string; pagerank: number }[] }
  show(
    'The hubs: where one is in the end who takes any flight, again and again (PageRank)',
    hubs,
    ['name', 'percent'],
    rows.map(({ name, pagerank }) => [name, (100 * pagerank).toFixed(1)]),
  )
  await showRows(
    'From San Francisco to Greensboro by way of one airport',
    's{UNIQUE_IN_CONTEXT}=>(Airport:SFO)-[FLIES]->(@via Airport:*)-[FLIES]->(Airport:GSO); RETURN via.name, via.city SORT_ASC name',
    ['name', 'city'],
  )
  await showRows(
    'Airports within 100 km of San Francisco',
    's=>(Airport:SFO)-[#RADIUS_OF 100000 *]->(@near Airport:*); RETURN near.name, near.city SORT_ASC name',
    ['name', 'city'],
  )
  const shortest = 's=>(Airport:MFR)-[#SHORT_PATH FLIES {weight="distance"}]->(Airport:MYR)'
  const { nodes } = (await client.graph(graph, shortest)) as { nodes: readonly Node[] }
  show(
    'The shortest way from Medford to Myrtle Beach, by distance',
    shortest,
    ['airports'],
    [[nodes.map(({ name }) => name).join(' > ')]],
  )
}
