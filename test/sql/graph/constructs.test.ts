import { readFileSync } from 'node:fs'
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { compileQuery, nodeInput, nodeLines, parseGraph, tripleInput } from '../../../sql/graph/index.ts'
import { createGraph } from '../../../sql/schema/ddl/graph/graph.ts'
import { bind } from '../../../sql/statement.ts'
import { matchesGolden } from '../../support/golden.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { chainLines } from './chain-lines.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
test.after.always(() => clickhouse.close())

const film = [
  'CREATE (Person:tom {"born": 1956, "city": "Rome", "since": "2022-03-04"})-[ACTED_IN {"role": "lead"}]->(Movie:apollo {"year": 1995})',
  'CREATE (Person:kevin {"born": 1958, "since": 1700000000000000})-[ACTED_IN {"role": "second"}]->(Movie:apollo)',
  'CREATE (Person:tom)-[ACTED_IN {"role": "lead"}]->(Movie:forrest {"year": 1994})<-[ACTED_IN {"role": "lead"}]-(Person:robin {"born": 1966, "city": "Oslo"})',
  'CREATE (Person:tom)-[DIRECTED]->(Movie:forrest)<-[ACTED_IN {"role": "third"}]-(Person:"Tom C")',
  'CREATE (Person:tom)-[KNOWS]->(Person:kevin)-[KNOWS]->(Person:tom)-[KNOWS]->(Person:robin)',
  'CREATE (City:rome {"lat": 41.9, "lon": 12.5})',
  'CREATE (City:naples {"lat": 40.85, "lon": 14.27})',
  'CREATE (City:oslo {"lat": 59.9, "lon": 10.7})',
]

test.before(async () => {
  for (const statement of createGraph('film')) await clickhouse.run(statement)
  for (const [index, text] of film.entries()) {
    const { nodes, triples } = chainLines(text, index * 100 + 1)
    await clickhouse.insert({ table: nodeInput('film'), rows: Buffer.from(nodes) })
    if (triples !== '') await clickhouse.insert({ table: tripleInput('film'), rows: Buffer.from(triples) })
  }
})

const context = {
  graph: 'film',
  now_us: 1_700_000_000_000_000,
  places: new Map([['City', { latitude: 'lat', longitude: 'lon' }]]),
}

test('every construct with its text, its SQL and its answer is as in constructs.golden.txt', async (t) => {
  const texts = readFileSync(new URL('constructs.txt', import.meta.url), 'utf8').split('\n')
  const blocks: string[] = []
  for (const text of texts) {
    if (text === '') continue
    if (text.startsWith('#')) blocks.push(text)
    else {
      const query = parseGraph(text)
      const most = query.returning?.limit ?? query.modifier?.max
      const { statement, shape } = compileQuery(query, context, most === undefined ? {} : { rows: most })
      const rows = (await clickhouse.read(statement, 'TSVRaw')).toString('utf8').trimEnd().split('\n')
      blocks.push([`> ${text}`, `| ${bind(statement)}`, ...rows.map((row) => `${shape}: ${row}`.trimEnd())].join('\n'))
    }
  }
  matchesGolden(t, `${blocks.join('\n\n')}\n`, new URL('constructs.golden.txt', import.meta.url))
})

test('a chain that begins at a filter reads small tables as a whole, large ones by keys, with the same answer', async (t) => {
  const query = parseGraph(
    's=>(@a Person:*{city = Rome})-[*]->(@b Person:*{born > 1950})-[KNOWS]->(@c Person:*); RETURN c.city, COUNT(*) AS n',
  )
  const answer = async (rows: number) => {
    const stored = { relations: rows, properties: rows }
    const { statement } = compileQuery(query, { ...context, stored }, {})
    return { text: statement.text, rows: (await clickhouse.read(statement, 'TSVRaw')).toString('utf8') }
  }
  const [small, large] = [await answer(10), await answer(1e12)]
  t.is(small.rows, '{"city":"Rome","n":1}\n')
  t.is(large.rows, small.rows)
  t.false(small.text.includes('MATERIALIZED'), 'nothing is read twice')
  t.true(large.text.includes('MATERIALIZED'))
})

test('an event’s relation has its _pk as evpk, and is found by it', async (t) => {
  const row = {
    subject_label: 'E',
    subject: 'a',
    relation: 'R',
    object_label: 'E',
    object: 'b',
    properties: '{"w":1}',
    _at: 77,
    _seq: 78,
    _source: 'shop.s:a:b',
  }
  for (const statement of createGraph('events')) await clickhouse.run(statement)
  await clickhouse.insert({ table: tripleInput('events'), rows: Buffer.from(`${JSON.stringify(row)}\n`) })
  const rows = async (text: string) => {
    const { statement } = compileQuery(parseGraph(text), { ...context, graph: 'events' }, {})
    return (await clickhouse.read(statement, 'TSVRaw')).toString('utf8').trimEnd().split('\n')
  }
  t.deepEqual(await rows('s=>(E:a)-[@r R {evpk >= 77}]->(*); RETURN r.evpk, r.w'), ['{"evpk":77,"w":1}'])
  t.deepEqual(await rows('s=>(E:a)-[R]->(*); RETURN *'), [
    '{"w":1,"evpk":77,"sub_label":"E","sub":"a","rel":"R","obj_label":"E","obj":"b"}',
  ])
  t.deepEqual(await rows('s=>(E:a)-[@r R {evpk > 77}]->(*); RETURN r.evpk'), [''])
  t.deepEqual(await rows('s=>(E:a)-[@r R]->(*); RETURN MAX(r.evpk) AS last'), ['{"last":77}'])
})

test('of writes in several parts that are not merged yet the first counts, unless one is an update', async (t) => {
  for (const statement of createGraph('parts')) await clickhouse.run(statement)
  await clickhouse.run('SYSTEM STOP MERGES graph.parts__properties')
  for (const [value, seq] of [
    ['1', 3],
    ['2', 1],
    ['3', 2],
  ] as const) {
    const properties = ['n', 'm'].map((property) => [property, value] as const)
    const rows = Buffer.from(nodeLines({ label: 'P', name: 'a', properties }, seq))
    await clickhouse.insert({ table: nodeInput('parts'), rows })
  }
  for (const [at, value] of [
    [1, '8'],
    [2, '9'],
    [0, '7'],
  ] as const) {
    await clickhouse.run(
      `INSERT INTO graph.parts__properties SELECT 'P', 'a', 'm', CAST((1, ${at}, ${at}, '${value}'), 'Tuple(is_update UInt8, at Int64, seq Int64, value String)')`,
    )
  }
  for (const isCluster of [false, true]) {
    const { statement } = compileQuery(
      parseGraph('s=>(@p P:*{n = 2 AND m = 9}); RETURN p.n, p.m'),
      { ...context, graph: 'parts', isCluster },
      {},
    )
    t.is((await clickhouse.read(statement, 'TSVRaw')).toString('utf8'), '{"n":2,"m":9}\n')
  }
})

test('a page of all relations, or nodes, and a count of few walks read no more of a table than they have to', async (t) => {
  for (const statement of createGraph('long')) await clickhouse.run(statement)
  await clickhouse.run(
    "INSERT INTO graph.long_rel (subject_label, subject, relation, object_label, object, properties, _at, _seq, _source) SELECT 'a', leftPad(toString(intDiv(number, 10)), 9, '0'), 'R', 'a', leftPad(toString(number % 1000), 9, '0'), '{}', number, number, '' FROM numbers(300000)",
  )
  await clickhouse.run(
    "INSERT INTO graph.long__properties SELECT 'a', leftPad(toString(intDiv(number, 2)), 9, '0'), if(number % 2 = 0, '', 'x'), (0, 0, -number, if(number % 2 = 0, '', '1')) FROM numbers(300000)",
  )
  const after = (...keys: readonly string[]) => [0, 0, '', keys] as const
  for (const [text, behind] of [
    ['s=>(@a a:*)-[@r R]->(*); RETURN * LIMIT 10', after('000020000', '*', '000000000', '0', '0', '')],
    ['s=>(*)-[R]->(a:"000000077"); RETURN * LIMIT 10', undefined],
    ['s=>(@a a:*); RETURN * LIMIT 10', after('a', '000020000')],
  ] as const) {
    for (const page of [{ rows: 11 }, ...(behind ? [{ rows: 11, after: behind }] : [])]) {
      const { statement } = compileQuery(parseGraph(text), { ...context, graph: 'long' }, page)
      const { data, statistics } = JSON.parse((await clickhouse.read(statement, 'JSON')).toString('utf8'))
      t.is(data.length, 11, text)
      t.true(statistics.rows_read < 100_000, `${text} reads ${statistics.rows_read} rows`)
    }
  }
  // Nodes that few walks reach are filtered by their keys.
  const counted = 's=>(a:"000000077")-[R]->(@b a:*{x = 1}); RETURN b.x, COUNT(*) AS n'
  const { statement } = compileQuery(parseGraph(counted), { ...context, graph: 'long' }, {})
  const { data, statistics } = JSON.parse((await clickhouse.read(statement, 'JSON')).toString('utf8'))
  t.deepEqual(data, [{ _row: '{"x":1,"n":10}' }])
  t.true(statistics.rows_read < 100_000, `${counted} reads ${statistics.rows_read} rows`)
})

test('a walk starts at its narrowest node, and reads no more of a table than it has to', async (t) => {
  for (const statement of createGraph('wide')) await clickhouse.run(statement)
  await clickhouse.run(
    "INSERT INTO graph.wide_rel (subject_label, subject, relation, object_label, object, properties, _at, _seq, _source) SELECT 'a', concat('a', toString(number % 5000)), 'R', 'b', concat('b', toString(cityHash64(number) % 5000)), '{}', number, number, '' FROM numbers(100000)",
  )
  for (const [text, most] of [
    ['s=>(a:a77)-[R]->(*)', 4],
    ['s=>(a:*)-[R]->(b:b77)', 4],
    ['s=>(@x a:*)-[R]->(b:b77); RETURN x.name', 4],
    ['s=>(@x a:*)-[R]->(b:*)<-[R]-(a:a77); RETURN x.name, COUNT(*)', 60],
    ['s=>(*)-[*]->(*)<-[*]-(a:a77)', 60],
  ] as const) {
    const { statement } = compileQuery(parseGraph(text), { ...context, graph: 'wide' }, {})
    const plan = await clickhouse.rows<{ explain: string }>({
      text: `EXPLAIN indexes = 1 ${bind(statement)}`,
      params: {},
    })
    const found = plan.map(({ explain }) => /Granules: (\d+)\/(\d+)/.exec(explain)).filter((match) => match !== null)
    const read = found.reduce((sum, [, granules]) => sum + Number(granules), 0)
    t.true(found.length > 0 && read <= most, `${text} reads ${read} granules`)
  }
})
