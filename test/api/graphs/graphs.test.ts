import test from 'ava'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const { client, close } = await startService()
test.after.always(close)

const query = (graph: string, text: string, more = '') => client.post(`/graph/${graph}/query${more}`, text)
const ok = (graph: string, text: string, more?: string) => client.ok(query(graph, text, more))
const person = (name: string, prop: object = {}) => ({ label: 'Person', name, prop })
const movie = (name: string, prop: object = {}) => ({ label: 'Movie', name, prop })

test('a graph is made once, listed, and dropped with all that is in it', async (t) => {
  t.regex((await client.ok(client.get('/graph/made/new'))).msg, /made/)
  t.regex((await client.ok(client.post('/graph/made', ''))).msg, /there already/)
  t.true((await client.ok(client.get('/graph/list'))).graphs.includes('made'))
  await client.ok(client.post('/graph/made/node', person('x')))
  t.is((await ok('made', 's=>(@a Person:*); RETURN a.name')).num_items, 1)
  await client.ok(client.send('DELETE', '/graph/made'))
  t.false((await client.ok(client.get('/graph/list'))).graphs.includes('made'))
  const gone = await query('made', 's=>(@a Person:*); RETURN a.name')
  t.deepEqual([gone.status, gone.body.errcode, typeof gone.body.msg], [404, -3, 'string'])
  t.is((await client.send('DELETE', '/graph/made')).status, 404)
  await client.ok(client.get('/graph/made/new'))
  t.is((await ok('made', 's=>(@a Person:*); RETURN a.name')).num_items, 0)
})

test('a statement whose index is missing names the graph that is not there, and not the index', async (t) => {
  const near = 's=>(Stop:a)-[#RADIUS_OF 100 *]->(Stop:*)'
  const { status, body } = await client.post('/graph/nowhere/query', near)
  t.deepEqual([status, body.errcode, body.error], [404, -3, ['no graph "nowhere"']])
})

test('HEAD makes no graph', async (t) => {
  const { status, headers } = await client.send('HEAD', '/graph/looked_for/new')
  t.deepEqual([status, headers.get('allow')], [405, 'GET'])
  t.false((await client.ok(client.get('/graph/list'))).graphs.includes('looked_for'))
})

test('nodes and triples by call make their graph, and are asked in every shape', async (t) => {
  await client.ok(client.post('/graph/films/node', person('Tom Hanks', { born: 1956 })))
  const acted = { sub: person('Tom Hanks', { born: 1, city: 'LA' }), pred: { rel: 'ACTED_IN', prop: { roles: 2 } } }
  await client.ok(client.post('/graph/films/triple', { ...acted, obj: movie('Big', { year: 1988 }) }))
  await client.ok(client.post('/graph/films/triple', { ...acted, obj: movie('Cast Away', { year: 2000 }) }))
  t.deepEqual(await ok('films', 's=>(Person:"Tom Hanks")-[ACTED_IN]->(Movie:*)'), {
    triple: [
      { sub: 'Person:Tom Hanks', pred: 'ACTED_IN', obj: 'Movie:Big' },
      { sub: 'Person:Tom Hanks', pred: 'ACTED_IN', obj: 'Movie:Cast Away' },
    ],
    num_items: 2,
  })
  const rows = await ok(
    'films',
    's=>(@p Person:*)-[@r ACTED_IN]->(@m Movie:* {year > 1990}); RETURN p.born, m.name AS film, r.roles',
  )
  t.deepEqual(rows, { rows: [{ born: 1956, film: 'Cast Away', roles: 2 }], num_items: 1 })
  const first = await ok('films', 's=>(@m Movie:*); RETURN m.name SORT_ASC name LIMIT 1')
  t.like(first, { rows: [{ name: 'Big' }], more_data_to_come: 1 })
  const next = await ok(
    'films',
    's=>(@m Movie:*); RETURN m.name SORT_ASC name LIMIT 1',
    `?levk=${encodeURIComponent(first._levk)}`,
  )
  t.deepEqual(next.rows, [{ name: 'Cast Away' }])
  t.is((await query('films', 's=>(@m Movie:*); RETURN m.name LIMIT 1', '?levk=none')).status, 400)
})

test('members of a node or a triple that do nothing are told, with the name that was probably meant', async (t) => {
  const node = await client.ok(client.post('/graph/noted/node', { label: 'P', name: 'A', props: { born: 1956 } }))
  t.deepEqual(node, {
    errcode: 0,
    msg: 'the node is in graph noted',
    error: ['props is unknown and does nothing; did you mean prop?'],
  })
  const triple = await client.ok(
    client.post('/graph/noted/triple', {
      sub: { ...person('A'), props: {} },
      pred: { rel: 'KNOWS', weight: 2 },
      obj: { ...person('B'), 'a b': 1 },
      since: 2020,
    }),
  )
  t.deepEqual(triple.error, [
    'since is unknown and does nothing; known are sub, pred, obj',
    'pred.weight is unknown and does nothing; known are rel, prop',
    'sub.props is unknown and does nothing; did you mean prop?',
    "obj.'a b' is unknown and does nothing; known are label, name, prop",
  ])
  t.deepEqual(await client.ok(client.post('/graph/noted/node', person('A', { props: 1 }))), {
    errcode: 0,
    msg: 'the node is in graph noted',
  })
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`m${index}`, index]))
  const { error } = await client.ok(client.post('/graph/noted/node', { ...person('A'), ...many }))
  t.deepEqual([error.length, error.at(-1)], [101, 'and 900 more'])
})

test('dates as text, sets of several queries, and nodes of any label within a radius', async (t) => {
  await client.ok(client.get('/graph/sights/new'))
  const write = (text: string) => ok('sights', text)
  await write('CREATE (Sight:tower {"built": "1889-03-31", "lat": 48.8584, "lon": 2.2945})')
  await write('CREATE (Sight:arch {"built": "1989-07-14", "lat": 48.85, "lon": 2.295})')
  await write('CREATE (Cafe:left {"y": 48.8541, "x": 2.3331, "opened": 1577836800})')
  await write('create geoindex sights.Sight places = lat.lon')
  await write('create geoindex sights.Cafe places = y.x')
  const rows = async (text: string) => (await ok('sights', text)).rows
  const years = 's=>(@s Sight:*); RETURN MATH_EXP("DATE_FMT($built, %Y)") AS year, COUNT(*) AS n, s.built'
  t.deepEqual(await rows(`${years} EXCLUDE_GROUPBY(built) SORT_ASC year`), [
    { year: '1989', n: 1 },
    { year: 'NULL', n: 1 }, // The calendar begins with 1900.
  ])
  const opened = 's=>(@c Cafe:*); RETURN c.opened, MATH_EXP("DATE_FMT_TS($opened, %d.%m.%Y %H:%M)") AS day'
  t.deepEqual(await rows(opened), [{ opened: 1577836800, day: '01.01.2020 00:00' }])
  const near = (metres: number) => `s=>(Sight:tower)-[@d #RADIUS_OF ${metres} *]->(@n *); RETURN n.name`
  t.deepEqual(await rows(`${near(2000)} SORT_ASC name`), [{ name: 'arch' }])
  t.deepEqual(await rows(`${near(5000)} SORT_ASC name`), [{ name: 'arch' }, { name: 'left' }])
  const all = (label: string) => `s=>(@n ${label}:*); RETURN n.name`
  t.deepEqual(
    await rows(`<ADD USING name SORT_DESC name LIMIT 3> ${all('Sight')} ++ ${all('Cafe')} ++ ${all('Bar')}`),
    [{ name: 'tower' }, { name: 'left' }, { name: 'arch' }],
  )
  t.deepEqual(await rows(`<PIPE USING name> ${near(2000)} ++ s=>(@s Sight:*); RETURN s.name, s.built`), [
    { name: 'arch', built: '1989-07-14' },
  ])
})

test('CREATE, MERGE and DELETE change a graph and say so', async (t) => {
  await client.ok(client.get('/graph/changed/new'))
  const success = { msg: ['success'], errcode: 0 }
  t.deepEqual(await ok('changed', 'CREATE (A:a {"n":1})-[R {"w":2}]->(A:b)-[R]->(A:c)'), success)
  t.is((await ok('changed', 's=>(A:*)-[R]->(A:*)')).num_items, 2)
  t.deepEqual(await ok('changed', 'MERGE (A:a)<-[*]-(A:c)'), success)
  t.deepEqual(await ok('changed', 's=>(A:b)-[R]->(A:*)'), {
    triple: [{ sub: 'A:b', pred: 'R', obj: 'A:a' }],
    num_items: 1,
  })
  t.deepEqual(await ok('changed', 'DELETE (A:b)'), success)
  t.is((await ok('changed', 's=>(A:*)-[R]->(A:*)')).num_items, 0)
})

test('statistics tell of each graph in the shape of the interface', async (t) => {
  await client.ok(
    client.post('/graph/told/triple', { sub: person('a'), pred: { rel: 'R', prop: {} }, obj: person('b') }),
  )
  await ok('told', 'create geoindex told.Person places = lat.lon')
  for (const path of ['/graph/stat', '/graph/stat/0', '/graph/stat/1']) {
    const { graphs, num_graphs } = await client.ok(client.get(path))
    t.is(num_graphs, graphs.length)
    const told = graphs.find((graph: object) => 'told' in graph)
    t.true(Array.isArray(told.told))
    t.like(told.entity.table[0], { issys: 0, num_records: 2, num_index: 1 })
    t.like(told.rel.table[0], { name: 'told_rel', issys: 0, num_records: 1, num_index: 0 })
    t.is(told.rel.table[0].files.length, told.rel.table[0].num_files, path)
  }
  t.is((await client.get('/graph/stat/2')).status, 400)
})

test('what cannot be read is refused with its place, and what is not there is a 404', async (t) => {
  await client.ok(client.get('/graph/refusing/new'))
  const bad = await query('refusing', 's=>(A:a)-[R]->((B:b)')
  t.deepEqual([bad.status, bad.body.errcode], [400, -1])
  t.regex(bad.body.error[0], /line 1, column \d+/)
  t.is(bad.body.msg, bad.body.error[0])
  for (const graph of ['nowhere', 'no-name', '1st', '%00', '%E6%9D%B1', '..%2F..', 'x'.repeat(300)]) {
    for (const text of [
      's=>(A:a)-[R]->(B:b)',
      's=>(A:a)-[#SHORT_PATH *]->(A:b)',
      's{DEGREE}=>(*)-[*]->(*)',
      'DELETE (A:b)',
    ])
      t.is((await query(graph, text)).status, 404, `${graph} ${text}`)
  }
  for (const body of [
    '{',
    '[]',
    '{"name":"x"}',
    '{"label":"L","name":5,"prop":{}}',
    '{"label":"L","name":"x","prop":[]}',
    '{"label":"L","name":"x","prop":{"a":"\\ud800"}}',
    '{"label":"L","name":"x","prop":{"\\udc00":1}}',
    '{"label":"L","name":"x","prop":{"a":[{"b":["\\ud800"]}]}}',
  ])
    t.is((await client.post('/graph/refusing/node', body)).status, 400, body)
  t.is((await query('refusing', 'CREATE (L:x {"a":"\\ud800"})')).status, 400)
  t.is((await client.get('/graph/1bad/new')).status, 400)
  t.is((await client.send('PUT', '/graph/refusing/node', '{}')).status, 405)
})

test('names hold quotes, backslashes, Unicode and SQL as they are', async (t) => {
  for (const name of ["it's", 'back\\slash', '東京 😀', "'; DROP TABLE graph.odd; --", '{p0:String}']) {
    await client.ok(client.post('/graph/odd/node', { label: 'L', name, prop: { n: name } }))
  }
  const { rows } = await ok('odd', 's=>(@a L:*); RETURN a.name, a.n')
  t.is(rows.length, 5)
  for (const { name, n } of rows) t.is(name, n)
})

test('a schema never takes over a graph that has the name of its own, nor ends it', async (t) => {
  const schema = (name: string) => ({
    schema: name,
    streams: [{ name: 'st', type: 1, attr: [{ name: 'n', type: 9 }] }],
  })
  await client.ok(client.post('/graph/first_graph/node', person('x')))
  const refused = await client.post('/stream', schema('first'))
  t.deepEqual([refused.status, refused.body.errcode], [409, -4])
  t.regex(refused.body.error[0], /first_graph/)
  t.is((await ok('first_graph', 's=>(Person:x)')).num_items, 1)
  await client.ok(client.send('DELETE', '/graph/first_graph'))
  await client.ok(client.post('/stream', schema('first')))
  t.regex((await client.ok(client.get('/graph/first_graph/new'))).msg, /made|there already/)
  t.is((await client.send('DELETE', '/graph/first_graph')).status, 409)
  await client.ok(client.send('DELETE', '/stream/first'))
  t.is((await query('first_graph', 's=>(Person:x)')).status, 404)
  await client.ok(client.post('/graph/first_graph/node', person('y')))
})

test('events give nodes without a relation, those of before an edit too, and a rebuild brings back what is lost', async (t) => {
  const attr = [
    { name: 'car', type: 5 },
    { name: 'speed', type: 9 },
  ]
  const stream = (more: object) => ({ schema: 'cars', streams: [{ name: 'st', type: 1, swsz: 0, attr, ...more }] })
  const latest = { sub: 'car', label: 'Car', props: ['speed'], updt: 1 }
  await client.register(stream({}))
  await client.lines('cars.st', [{ car: 'a', speed: 1 }, { car: 'a', speed: 2 }, { car: 'b' }, { speed: 3 }])
  await client.ok(client.send('PUT', '/stream', stream({ node: [latest] })))
  const cars = async () => (await ok('cars_graph', 's=>(@c Car:*); RETURN c.name, c.speed SORT_ASC name')).rows
  t.deepEqual(await cars(), [{ name: 'a', speed: 2 }, { name: 'b' }])
  await client.lines('cars.st', [
    { car: 'b', speed: 5 },
    { car: 'c', speed: 6 },
  ])
  const all = [
    { name: 'a', speed: 2 },
    { name: 'b', speed: 5 },
    { name: 'c', speed: 6 },
  ]
  t.deepEqual(await cars(), all)
  const dry = await client.ok(client.send('DELETE', '/stream/cars?dry=1'))
  t.true(JSON.stringify(dry).includes('"cars_graph","num_events":3'), JSON.stringify(dry))

  // A second node of each event, with the first property that came.
  const first = { sub: 'car', label: 'First', props: ['speed'] }
  await client.ok(client.send('PUT', '/stream', stream({ node: [latest, first] })))
  const firsts = await ok('cars_graph', 's=>(@c First:*); RETURN c.name, c.speed SORT_ASC name')
  t.deepEqual(firsts.rows, [{ name: 'a', speed: 1 }, ...all.slice(1)])
  await ok('cars_graph', 'DELETE (Car:a)')
  await client.ok(client.post('/stream/cars/st/rebuild', ''))
  await until('the rebuild', async () => {
    const [{ rebuild }] = (await client.ok(client.get('/stream/cars/info'))).streams
    return rebuild?.state !== 'running'
  })
  t.deepEqual(await cars(), all.slice(1), 'a node that a client took out stays so')
})
