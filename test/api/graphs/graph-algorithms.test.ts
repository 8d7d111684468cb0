import test from 'ava'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const { client, close } = await startService()
test.after.always(close)

const ok = (graph: string, text: string) => client.ok(client.post(`/graph/${graph}/query`, text))
const run = (graph: string, name: string, body: object = {}, more = '?wait=30') =>
  client.post(`/graph/${graph}/algorithm/${name}${more}`, body)
const valuesOf = async (graph: string, property: string) =>
  Object.fromEntries(
    (await ok(graph, `s=>(@a *); RETURN a.name, a.${property}`)).rows.map((row: Record<string, unknown>) => [
      row.name,
      row[property],
    ]),
  )

test.before(async () => {
  await client.ok(client.get('/graph/people/new'))
  for (const text of [
    'CREATE (Person:ann {"age":3})-[KNOWS]->(Person:bob)-[KNOWS]->(Person:cid)-[KNOWS]->(Person:ann)',
    'CREATE (Person:dan)-[KNOWS]->(Person:ann)',
    'CREATE (Person:dan)-[KNOWS]->(Person:ann)',
    'CREATE (Person:eve)-[LIKES]->(Film:jaws)',
    'CREATE (Person:fay)-[LIKES]->(Film:jaws)',
    'CREATE (Person:loner)',
  ])
    await ok('people', text)
})

test.serial('each algorithm writes its property, and is told of by GET', async (t) => {
  t.is((await client.get('/graph/people/algorithm/degree')).status, 404)
  const degree = await client.ok(run('people', 'DEGREE'))
  t.like(degree, { graph: 'people', algorithm: 'degree', state: 'done', property: 'degree', nodes: 8, relations: 7 })
  t.deepEqual(await valuesOf('people', 'degree'), { ann: 4, bob: 2, cid: 2, dan: 2, eve: 1, fay: 1, jaws: 2, loner: 0 })
  t.deepEqual(await client.ok(client.get('/graph/people/algorithm/degree')), degree)
  t.like(await client.ok(run('people', 'components')), { components: 3 })
  t.deepEqual(await valuesOf('people', 'component'), {
    ann: 0,
    bob: 0,
    cid: 0,
    dan: 0,
    eve: 1,
    fay: 1,
    jaws: 1,
    loner: 2,
  })
  t.like(await client.ok(run('people', 'communities', { seed: 4 })), { state: 'done', communities: 3 })
  const best = await client.ok(run('people', 'pagerank', { labels: ['Person'], relations: 'KNOWS', property: 'rank' }))
  t.like(best, { nodes: 7, relations: 5, property: 'rank' })
  const { rows } = await ok('people', 's=>(@a Person:*); RETURN a.name, a.rank SORT_DESC rank LIMIT 1')
  t.is(rows[0].name, 'ann')
  t.is((await valuesOf('people', 'rank')).jaws, undefined)
  await client.ok(run('people', 'similarity'))
  t.deepEqual((await valuesOf('people', 'similar')).eve, [{ label: 'Person', name: 'fay', similarity: 1 }])
})

test.serial('values take the place of earlier ones and of what a client wrote; all else of a node stays', async (t) => {
  await client.ok(client.get('/graph/again/new'))
  await ok('again', 'CREATE (P:a {"degree":"BSc","age":3})-[R]->(P:b)')
  await client.ok(run('again', 'degree'))
  await ok('again', 'CREATE (P:a {"degree":99})-[R]->(P:c)')
  t.deepEqual(await valuesOf('again', 'degree'), { a: 1, b: 1, c: undefined })
  await client.ok(run('again', 'degree'))
  t.deepEqual(await valuesOf('again', 'degree'), { a: 2, b: 1, c: 1 })
  t.deepEqual((await ok('again', 's=>(P:a)')).nodes, [{ label: 'P', name: 'a', age: 3, degree: 2 }])
  await ok('again', 'DELETE (P:c)')
  await ok('again', 'CREATE (P:c)')
  t.deepEqual(await valuesOf('again', 'degree'), { a: 2, b: 1, c: undefined })
})

test.serial('a run that goes on is told of, refused a second time, and ends', async (t) => {
  await client.ok(client.get('/graph/slow/new'))
  const star = Array.from({ length: 500 }, (_, leaf) => `(P:hub)-[R]->(P:p${leaf})`).join('<-[R]-')
  await ok('slow', `CREATE ${star}`)
  const [one, other] = await Promise.all([
    run('slow', 'similarity', {}, '?wait=0'),
    run('slow', 'similarity', {}, '?wait=0'),
  ])
  t.deepEqual([one.status, other.status].sort(), [200, 409])
  t.is([one, other].find(({ status }) => status === 200)?.body.state, 'running')
  const done = await until('the end', async () => {
    const told = await client.ok(client.get('/graph/slow/algorithm/similarity'))
    return told.state === 'done' ? told : undefined
  })
  t.like(done, { nodes: 501, property: 'similar' })
})

test.serial(
  'a graph that is made again knows nothing of the runs over the one before, and waits for none',
  async (t) => {
    await client.ok(client.get('/graph/anew/new'))
    await ok('anew', 'CREATE (P:a)-[R]->(P:b)')
    await client.ok(run('anew', 'degree'))
    const star = Array.from({ length: 500 }, (_, leaf) => `(P:hub)-[R]->(P:p${leaf})`).join('<-[R]-')
    await ok('anew', `CREATE ${star}`)
    t.is((await client.ok(run('anew', 'similarity', {}, '?wait=0'))).state, 'running')
    await client.ok(client.send('DELETE', '/graph/anew'))
    t.is((await client.get('/graph/anew/algorithm/degree')).status, 404)
    await client.ok(client.get('/graph/anew/new'))
    await ok('anew', 'CREATE (P:p1)-[R]->(P:p2)')
    for (const name of ['degree', 'similarity']) {
      const { status, body } = await client.get(`/graph/anew/algorithm/${name}`)
      t.is(status, 404)
      t.regex(body.error[0], /was not run over graph anew/)
    }
    t.like(await client.ok(run('anew', 'similarity')), { state: 'done', nodes: 2 })
    t.deepEqual(await valuesOf('anew', 'similar'), { p1: [], p2: [] })
  },
)

test.serial('the events of a schema that were acknowledged are in', async (t) => {
  await client.register({
    schema: 'mail',
    streams: [
      {
        name: 'sent',
        type: 1,
        attr: ['by', 'to'].map((name) => ({ name, type: 5 })),
        rels: [{ sub: 'by', obj: 'to', rel: 'WROTE', sub_label: 'P', obj_label: 'P' }],
      },
    ],
  })
  t.like(await client.ok(run('mail_graph', 'degree')), { nodes: 0 })
  for (const to of ['b', 'c', 'd']) await client.event('mail.sent', { by: 'a', to })
  t.like(await client.ok(run('mail_graph', 'degree')), { nodes: 4, relations: 3 })
  t.deepEqual(await valuesOf('mail_graph', 'degree'), { a: 3, b: 1, c: 1, d: 1 })
})

test.serial('what cannot be run is refused, and makes nothing', async (t) => {
  for (const [name, body] of [
    ['degree', '{'],
    ['degree', '[]'],
    ['degree', '{"propertty":"x"}'],
    ['degree', '{"property":""}'],
    ['degree', '{"property":5}'],
    ['degree', '{"labels":[]}'],
    ['degree', '{"relations":[1]}'],
    ['communities', '{"seed":-1}'],
    ['similarity', '{"top":0}'],
    ['degree?wait=x', '{}'],
  ] as const) {
    const { status, body: told } = await client.post(`/graph/people/algorithm/${name}`, body)
    t.deepEqual([status, told.errcode, typeof told.msg], [400, -1, 'string'], body)
  }
  t.is((await run('nowhere', 'degree')).status, 404)
  t.is((await client.get('/graph/nowhere/algorithm/degree')).status, 404)
  const unknown = await run('people', 'betweenness')
  t.is(unknown.status, 404)
  t.regex(unknown.body.msg, /degree, pagerank, components, communities, similarity/)
  t.is((await client.send('PUT', '/graph/people/algorithm/degree')).status, 405)
})

test.serial('as a modifier an algorithm scores what the pattern matches', async (t) => {
  const rows = async (text: string) => (await ok('people', text)).rows
  t.deepEqual(await ok('people', 's{DEGREE, 2}=>(Person:*)-[KNOWS]->(Person:*)'), {
    rows: [
      { label: 'Person', name: 'ann', degree: 4 },
      { label: 'Person', name: 'bob', degree: 2 },
    ],
    num_items: 2,
  })
  const [best] = await rows('s{PAGERANK, 1}=>(Person:*)-[KNOWS]->(*)')
  t.is(best.name, 'ann')
  t.deepEqual(await rows('s{PAGERANK}=>(@x Person:*)-[KNOWS]->(@y *); RETURN * SORT_ASC name LIMIT 1'), [best])
  t.deepEqual(await rows('s{COMPONENTS}=>(Person:*)-[LIKES]->(*)'), [
    { label: 'Film', name: 'jaws', component: 0 },
    { label: 'Person', name: 'eve', component: 0 },
    { label: 'Person', name: 'fay', component: 0 },
  ])
  t.deepEqual(await rows('s{SIMILARITY}=>(Person:*)-[LIKES]->(*)'), [
    { label: 'Person', name: 'eve', similar_label: 'Person', similar_name: 'fay', similarity: 1 },
  ])
  t.deepEqual(await rows('s{DEGREE}=>(Person:*)-[LIKES]->(Film:*)<-[LIKES]-(Person:*)'), [
    { label: 'Person', name: 'eve', degree: 2 },
    { label: 'Person', name: 'fay', degree: 2 },
  ])
  t.deepEqual(await rows('s{COMMUNITIES}=>(Person:*)-[HATES]->(*)'), [])
  for (const text of [
    's{PAGERANK}=>(Person:*)',
    's{PAGERANK}=>(@a Person:*)-[KNOWS]->(Person:*); RETURN a.name',
    's{PAGERANK}=>(Person:*)-[KNOWS]->(Person:*); RETURN * WHERE pagerank > 1',
    's{PAGERANK}=>(Person:*)-[KNOWS]->(Person:*); RETURN * SORT_ASC age',
    's{PAGERANK}=>(Person:ann)-[#SHORT_PATH KNOWS]->(Person:cid)',
    's{PAGERANK}=>[t=>(Person:*)-[KNOWS]->(Person:*)]-[KNOWS]->(Person:*)',
    '<ADD USING name> s{DEGREE}=>(@a Person:*)-[KNOWS]->(*); RETURN a.name ++ s=>(@a Person:*); RETURN a.name',
    's{pagerank}=>(Person:*)-[KNOWS]->(Person:*)',
  ]) {
    const { status, body } = await client.post('/graph/people/query', text)
    t.is(status, 400, text)
    t.regex(body.msg, /line 1, column \d+/, text)
  }
})
