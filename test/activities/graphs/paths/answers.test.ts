import test from 'ava'
import { tripleInput, tripleLine } from '../../../../sql/graph/index.ts'
import { openGraphs } from '../open.ts'

const { clickhouse, graphs, ask, close } = await openGraphs()
test.after.always(close)

const flights = [
  ['SEA', 'SFO', 1090],
  ['SFO', 'JFK', 4160],
  ['SEA', 'ORD', 2770],
  ['ORD', 'JFK', 1190],
  ['ORD', 'JFK', 9999],
  ['SEA', 'JFK', 9000],
  ['JFK', 'SEA', 3900],
] as const
const places = { SEA: [47.4, -122.3], SFO: [37.6, -122.4], ORD: [42, -87.9], JFK: [40.6, -73.8] } as const

test.before(async () => {
  await graphs.make('air')
  for (const [name, [lat, lon]] of Object.entries(places))
    await ask('air', `CREATE (A:${name} {"lat": ${lat}, "lon": ${lon}})`)
  for (const [from, to, distance] of flights)
    await ask('air', `CREATE (A:${from})-[FLIES {"distance": ${distance}}]->(A:${to})`)
  await ask('air', 'CREATE (A:SEA)-[TRAIN]->(A:PDX)')
})

const path = (...names: readonly string[]) => ({
  nodes: names.map((name) => ({ label: 'A', name })),
  edges: names.slice(1).map(() => ({ rel: 'FLIES' })),
})
const none = { nodes: [], edges: [], path_count: 0 }

test('the path of fewest relations, along the arrow however it is written', async (t) => {
  t.deepEqual(await ask('air', 's=>(A:SEA)-[#SHORT_PATH FLIES]->(A:JFK)'), { ...path('SEA', 'JFK'), path_count: 1 })
  t.deepEqual(await ask('air', 's=>(A:JFK)<-[#SHORT_PATH *]-(A:SEA)'), { ...path('SEA', 'JFK'), path_count: 1 })
  t.deepEqual(await ask('air', 's=>(A:ORD)-[#SHORT_PATH FLIES]->(A:SFO)'), {
    ...path('ORD', 'JFK', 'SEA', 'SFO'),
    path_count: 1,
  })
  t.deepEqual(await ask('air', 's=>(A:ORD)-[#SHORT_PATH FLIES]->(A:PDX)'), none)
  t.deepEqual(await ask('air', 's=>(A:nobody)-[#SHORT_PATH *]->(A:PDX)'), none)
  t.deepEqual(await ask('air', 's=>(A:SEA)-[#SHORT_PATH *]->(A:SEA)'), none)
  t.deepEqual(await ask('air', 's=>(A:ORD)-[#SHORT_PATH *]->(A:*{lat < 38})'), {
    ...path('ORD', 'JFK', 'SEA', 'SFO'),
    path_count: 1,
  })
})

test('the path of least weight, by a property or by distance', async (t) => {
  const light = await ask('air', 's=>(A:SEA)-[#SHORT_PATH FLIES {weight="distance"}]->(A:JFK)')
  t.deepEqual(light, { ...path('SEA', 'ORD', 'JFK'), path_count: 1 })
  t.deepEqual(await ask('air', 's=>(A:SEA)-[#SHORT_PATH * {geo_distance="lat.lon"}]->(A:JFK)'), {
    ...path('SEA', 'JFK'),
    path_count: 1,
  })
  t.deepEqual(await ask('air', 's=>(A:SEA)-[#SHORT_PATH * {weight="nothing"}]->(A:JFK)'), none)
  t.deepEqual(await ask('air', 's=>(A:SEA)-[#SHORT_PATH * {geo_distance="lat.lon"}]->(A:PDX)'), none)
})

test('all simple paths, the shorter first; parallel relations are paths of their own', async (t) => {
  const all = await ask('air', 's=>(A:SEA)-[#ALL_PATH FLIES]->(A:JFK)')
  t.is(all.path_count, 4)
  t.deepEqual(all.paths[0], path('SEA', 'JFK'))
  t.deepEqual(
    all.paths
      .slice(1)
      .map(({ nodes }: { nodes: { name: string }[] }) => nodes.map(({ name }) => name).join(' '))
      .toSorted(),
    ['SEA ORD JFK', 'SEA ORD JFK', 'SEA SFO JFK'],
  )
  t.is((await ask('air', 's{DISTINCT, 2}=>(A:SEA)-[#ALL_PATH FLIES]->(A:JFK)')).path_count, 2)
  t.deepEqual(await ask('air', 's=>(A:PDX)-[#ALL_PATH *]->(A:JFK)'), { paths: [], path_count: 0 })
})

test('a relation that an event made has the property evpk on a path, as on a walk', async (t) => {
  await graphs.make('made')
  const [subject, object] = ['a', 'b'].map((name) => ({ label: 'A', name }))
  if (!subject || !object) return t.fail()
  const line = tripleLine({ subject, relation: 'R', object, properties: [] }, 1_000_000)
  const rows = Buffer.from(line.replace('"_source":""', '"_source":"s.st:a:b"'))
  await clickhouse.insert({ table: tripleInput('made'), rows })
  await ask('made', 'CREATE (A:a)')
  await ask('made', 'CREATE (A:b)-[R]->(A:c)')
  const found = async (text: string): Promise<number> => (await ask('made', text)).path_count
  t.is((await ask('made', 's=>(A:a)-[R {evpk > 999999}]->(A:b)')).num_items, 1)
  t.is(await found('s=>(A:a)-[#ALL_PATH R {evpk > 999999}]->(A:b)'), 1)
  t.is(await found('s=>(A:a)-[#ALL_PATH R {evpk > 1000000}]->(A:b)'), 0)
  t.is(await found('s=>(A:a)-[#ALL_PATH R {evpk > 0}]->(A:c)'), 0, 'no event made the second relation')
  t.is(await found('s=>(A:a)-[#SHORT_PATH R {weight="evpk"}]->(A:b)'), 1)
  t.is(await found('s=>(A:a)-[#SHORT_PATH R {weight="evpk"}]->(A:c)'), 0)
})
