import test from 'ava'
import { Fault } from '../../../base/faults.ts'
import { Refusal } from '../../../base/refusal.ts'
import { nodeInput, nodeLines } from '../../../sql/graph/index.ts'
import { createGraph, dropGraph } from '../../../sql/schema/ddl/graph/graph.ts'
import { momentsOf } from '../../support/oracle.ts'
import { isTaken } from '../../support/random/seed.ts'
import { openGraphs } from './open.ts'

const { graphs, ask, clickhouse, create, threads, close } = await openGraphs(['shop'])
test.after.always(close)

const ok = { msg: ['success'], errcode: 0 }
const node = (label: string, name: string, prop: object = {}): string => JSON.stringify({ label, name, prop })
const people = ['ann', 'bob', 'eve', 'joe']

test.serial('a node, and a relation, is on the disk when it is answered', async (t) => {
  await graphs.make('synced')
  const filesSynced = async (): Promise<number> => {
    const text = "SELECT toUInt32(sum(value)) AS files FROM system.events WHERE event = 'FileSync'"
    return (await clickhouse.rows<{ files: number }>({ text, params: {} }))[0]?.files ?? 0
  }
  const before = await filesSynced()
  await graphs.addNode('synced', node('A', 'x'))
  const withNode = await filesSynced()
  t.true(withNode > before, 'a node')
  await graphs.addNode('synced', node('A', 'x'))
  const anotherNode = (await filesSynced()) - withNode
  const triple = { sub: { label: 'A', name: 'x' }, pred: { rel: 'R' }, obj: { label: 'A', name: 'x' } }
  await graphs.addTriple('synced', JSON.stringify(triple))
  t.true((await filesSynced()) > withNode + 2 * anotherNode, 'a relation, beside its nodes')
})

test('a graph is made once, listed, and gone when it is dropped', async (t) => {
  t.deepEqual([await graphs.make('made'), await graphs.make('made')], [true, false])
  t.true((await graphs.list()).includes('made'))
  t.deepEqual(await ask('made', 's=>(*)'), { nodes: [], num_items: 0 })
  t.deepEqual(await ask('made', 's=>(*)-[*]->(*)'), { triple: [], num_items: 0 })
  await graphs.drop('made')
  t.false((await graphs.list()).includes('made'))
  await t.throwsAsync(ask('made', 's=>(*)'), { instanceOf: Fault, message: 'no graph "made"' })
  await t.throwsAsync(graphs.drop('made'), { instanceOf: Fault, message: 'no graph "made"' })
  await graphs.addNode('made', node('A', 'x'))
  t.deepEqual(await ask('made', 's=>(*)'), { nodes: [{ label: 'A', name: 'x' }], num_items: 1 })
})

test('a statement does not make a graph, a node does; a schema keeps its own', async (t) => {
  await t.throwsAsync(ask('nowhere', 'CREATE (A:x)'), {
    instanceOf: Fault,
    message: /^no graph "nowhere", and CREATE makes none: POST \/graph\/nowhere does/,
  })
  await t.throwsAsync(ask('nowhere', 'DELETE (A:x)'), { instanceOf: Fault })
  await t.throwsAsync(graphs.make('a__b'), { instanceOf: Refusal })
  await t.throwsAsync(graphs.make('x; DROP TABLE'), { instanceOf: Refusal })
  await t.throwsAsync(graphs.drop('shop_graph'), { instanceOf: Fault, message: /belongs to the schema shop/ })
})

test('nodes, triples and chains; what was there first stays, what was not there comes in', async (t) => {
  await graphs.addNode('first', node('Person', 'ann', { age: 30, tags: ['a'], none: null }))
  await graphs.addNode('first', node('Person', 'ann', { age: 31, city: 'Rome' }))
  await graphs.addTriple(
    'first',
    JSON.stringify({
      sub: { label: 'Person', name: 'ann', prop: { age: 32, mail: 'a@x' } },
      pred: { rel: 'KNOWS', prop: { since: 2010 } },
      obj: { label: 'Person', name: 'bob', prop: { big: 12345678901234567n.toString() } },
    }),
  )
  t.deepEqual(
    await ask(
      'first',
      'CREATE (Person:bob {"age": 40})-[KNOWS]->(Person:"Tom \\"T\\" Hanks")<-[LIKES {"w": 1.50}]-(Person:ann)',
    ),
    ok,
  )
  t.deepEqual(await ask('first', 's=>(@p Person:ann)'), {
    rows: [{ age: 30, city: 'Rome', mail: 'a@x', tags: ['a'], label: 'Person', name: 'ann', _pk: 'Person:ann', _v: 1 }],
    num_items: 1,
  })
  t.deepEqual(await ask('first', 's=>(Person:*)-[*]->(*)'), {
    triple: [
      { sub: 'Person:ann', pred: 'KNOWS', obj: 'Person:bob' },
      { sub: 'Person:ann', pred: 'LIKES', obj: 'Person:Tom "T" Hanks' },
      { sub: 'Person:bob', pred: 'KNOWS', obj: 'Person:Tom "T" Hanks' },
    ],
    num_items: 3,
  })
  t.deepEqual(await ask('first', 's=>(@a *)-[@r LIKES]->(*); RETURN r.w, r.evpk, a.mail'), {
    rows: [{ w: 1.5, mail: 'a@x' }],
    num_items: 1,
  })
})

test('a number keeps its digits', async (t) => {
  await graphs.addNode(
    'digits',
    '{"label":"N","name":"x","prop":{"big":9223372036854775807,"beyond":18446744073709551615}}',
  )
  const text = await graphs.answer({
    graph: 'digits',
    text: 's=>(@n N:*{big = 9223372036854775807}); RETURN n.big, n.beyond',
  })
  t.is(text, '{"rows":[{"big":9223372036854775807,"beyond":18446744073709551615}],"num_items":1}')
  t.is((await ask('digits', 's=>(@n N:*{big = 9223372036854775806})')).num_items, 0)
})

test('names are data, whatever is in them', async (t) => {
  const names = ["'; DROP TABLE x; --", 'q"\\\n\t', '{p0:String}', 'Zoë 山 😀', '', '*', 'a:b', '$%']
  for (const name of names)
    await graphs.addTriple(
      'names',
      JSON.stringify({ sub: { label: "l'", name }, pred: { rel: 'R"\\' }, obj: { label: 'o', name } }),
    )
  t.is((await ask('names', 's=>(*)-[*]->(*)')).num_items, names.length)
  for (const name of names) {
    const quoted = JSON.stringify(name).replace('$%"', '$\\u0025"')
    t.deepEqual((await ask('names', `s=>("l'":${quoted})-["R\\"\\\\"]->(*)`)).triple, [
      { sub: `l':${name}`, pred: 'R"\\', obj: `o:${name}` },
    ])
  }
})

test('a body that is no node or triple is refused', async (t) => {
  for (const body of [
    '',
    '[]',
    '{"label":"a"}',
    '{"label":"","name":"x"}',
    '{"label":"a:b","name":"x"}',
    '{"label":"a","name":{}}',
    '{"label":"a","name":"x","prop":[]}',
    '{"label":"a","name":"x"} x',
    '{"label":"a","name":"x","prop":{"n":1e400}}',
    '{"label":"a","name":"x","prop":{"":1}}',
  ]) {
    await t.throwsAsync(async () => graphs.addNode('bad', body), { instanceOf: Refusal }, body)
  }
  for (const body of ['{}', '{"sub":{"label":"a","name":"x"},"pred":{},"obj":{"label":"a","name":"x"}}']) {
    await t.throwsAsync(async () => graphs.addTriple('bad', body), { instanceOf: Refusal }, body)
  }
})

test('a label and a relation must not be empty, and are told so', async (t) => {
  const triple = (rel: string) =>
    JSON.stringify({ sub: JSON.parse(node('A', 'x')), pred: { rel }, obj: { label: 'A', name: '' } })
  const nameless = async (work: () => Promise<void>) => (await t.throwsAsync(work, { instanceOf: Refusal }))?.message
  t.is(await nameless(() => graphs.addNode('bad', node('', 'x'))), 'the node: label must not be empty')
  t.is(await nameless(() => graphs.addTriple('bad', triple(''))), 'pred: rel must not be empty')
  await graphs.addTriple('bad', triple('R'))
})

test('a statement that is refused for what it names is told where', async (t) => {
  await graphs.make('placed')
  for (const [text, message] of [
    ['MERGE (P:a)<-[*]-(P:a)', 'line 1, column 18: MERGE takes two nodes, and both are the same'],
    [
      'create geoindex other.City places = lat.lon',
      'line 1, column 17: the index is for the graph other, and was sent to placed',
    ],
  ] as const) {
    const refusal = await t.throwsAsync(ask('placed', text), { instanceOf: Refusal }, text)
    t.is(refusal?.message, `${message}\n${text}\n${' '.repeat(Number(/column (\d+)/.exec(message)?.[1]) - 1)}^`)
  }
})

test('MERGE moves relations, keeps the primary, and may be run again after a crash', async (t) => {
  for (const text of [
    'CREATE (P:a {"x": 1})-[R]->(P:c {"z": 1})',
    'CREATE (P:b {"x": 2, "y": 2})-[R {"w": 1}]->(P:c)',
    'CREATE (P:b)-[R {"w": 1}]->(P:c)',
    'CREATE (P:c)-[S]->(P:b)-[S]->(P:b)',
    'CREATE (P:b)-[T]->(P:a)',
  ]) {
    await graphs.make('merged')
    await ask('merged', text)
  }
  t.deepEqual(await ask('merged', 'MERGE (P:a)<-[*]-(P:b)'), ok)
  const triples = async () =>
    (await ask('merged', 's=>(*)-[*]->(*)')).triple.map(
      ({ sub, pred, obj }: Record<string, string>) => `${sub} ${pred} ${obj}`,
    )
  const after = ['P:a R P:c', 'P:a R P:c', 'P:a R P:c', 'P:a S P:a', 'P:a T P:a', 'P:c S P:a']
  t.deepEqual(await triples(), after)
  t.deepEqual(await ask('merged', 's=>(P:*)'), {
    nodes: [
      { label: 'P', name: 'a', x: 1, y: 2 },
      { label: 'P', name: 'c', z: 1 },
    ],
    num_items: 2,
  })
  await ask('merged', 'CREATE (P:b)-[R]->(P:c)')
  const row = {
    graph: 'merged',
    primary_label: 'P',
    primary_name: 'a',
    secondary_label: 'P',
    secondary_name: 'b',
    state: 'begun',
    version: 9e15,
  }
  await clickhouse.insert({ table: 'weir.graph_merges', rows: Buffer.from(`${JSON.stringify(row)}\n`) })
  await Promise.all([create().open(), create().open(), create().open()])
  t.deepEqual(await triples(), ['P:a R P:c', ...after])
  await t.throwsAsync(ask('merged', 'MERGE (P:a)<-[*]-(P:a)'), { instanceOf: Refusal })
})

test('DELETE takes a node with its relations, and nothing else', async (t) => {
  await graphs.make('deleted')
  await ask('deleted', 'CREATE (P:a {"x": 1})-[R]->(P:b {"x": 2})-[R]->(P:c)-[R]->(Q:a)')
  t.deepEqual(await ask('deleted', 'DELETE (P:b)'), ok)
  t.deepEqual((await ask('deleted', 's=>(*)-[*]->(*)')).triple, [{ sub: 'P:c', pred: 'R', obj: 'Q:a' }])
  t.deepEqual((await ask('deleted', 's=>(*)<-[*]-(P:c)')).num_items, 1)
  t.is((await ask('deleted', 's=>(*)')).num_items, 3)
  await ask('deleted', 'CREATE (P:b {"y": 3})')
  t.deepEqual((await ask('deleted', 's=>(P:b)')).nodes, [{ label: 'P', name: 'b', y: 3 }])
})

test('pages lose and repeat nothing, while more is written; a text that is not ours is refused', async (t) => {
  await graphs.make('pages')
  for (const name of people) await ask('pages', `CREATE (P:${name} {"n": ${name.length}})-[R {"w": 1}]->(P:x)`)
  for (const text of [
    's=>(@p P:*)-[R]->(*); RETURN p.name LIMIT 3',
    's=>(@p P:*)-[R]->(*); RETURN p.name SORT_DESC name LIMIT 1',
    's{DISTINCT}=>(@p P:*)-[R]->(@q *); RETURN p.name LIMIT 2',
    's{UNIQUE}=>(@p P:*)-[R]->(@q *); RETURN p.name LIMIT 2',
  ]) {
    const found: string[] = []
    let answer = await ask('pages', text)
    for (;;) {
      found.push(...answer.rows.map(({ name }: { name: string }) => name))
      if (answer._levk === undefined) break
      t.is(answer.more_data_to_come, 1)
      await ask('pages', `CREATE (P:zz)-[S]->(P:a${found.length})`)
      answer = await ask('pages', text, answer._levk)
    }
    t.deepEqual(found.toSorted(), people.toSorted(), text)
    t.false('more_data_to_come' in answer)
  }
  const whole = await ask('pages', 's=>(P:*)-[R]->(*); RETURN * LIMIT 3')
  t.deepEqual([whole.triple.length, whole.more_data_to_come], [3, 1])
  t.is((await ask('pages', 's=>(P:*)-[R]->(*); RETURN * LIMIT 3', whole._levk)).num_items, 1)
  await t.throwsAsync(ask('pages', 's=>(P:*)-[R]->(*); RETURN * LIMIT 2', whole._levk), { instanceOf: Fault })
  await t.throwsAsync(ask('pages', 's=>(P:*)-[R]->(*); RETURN * LIMIT 3', 'mine'), { instanceOf: Fault })
  for (const text of [
    '<ADD USING name> s=>(@p P:*); RETURN p.name LIMIT 1 ++ t=>(@p P:*); RETURN p.name',
    's=>(P:ann)-[#SHORT_PATH *]->(P:x)',
    's=>(P:ann)-[#ALL_PATH *]->(P:x)',
    's{DEGREE}=>(P:*)-[R]->(*)',
  ]) {
    await t.throwsAsync(ask('pages', text, 'zzz'), { instanceOf: Fault, message: /^_levk goes with/ }, text)
  }
  const counted = await ask('pages', 's=>(@p P:*)-[R]->(*); RETURN p.name, COUNT(*) LIMIT 2')
  t.deepEqual([counted.rows.length, '_levk' in counted], [2, false])
  const bound = await ask('pages', 's{DISTINCT, 3}=>(@p P:*)-[R]->(*); RETURN p.name LIMIT 2')
  t.is((await ask('pages', 's{DISTINCT, 3}=>(@p P:*)-[R]->(*); RETURN p.name LIMIT 2', bound._levk)).num_items, 1)
})

test('LIMIT cuts the rows of aggregates, and not what they are taken over', async (t) => {
  await graphs.make('cut')
  await ask(
    'cut',
    'CREATE (P:a {"n": 1})-[R {"n": 4}]->(P:b {"n": 2})-[R {"n": 5}]->(Q:c {"n": 3})-[R {"n": 9}]->(Q:d)',
  )
  const kinds = ['SUM', 'AVG', 'MIN', 'MAX', 'STD', 'SKEW', 'EXKURT', 'COUNT', 'UCOUNT']
  const patterns = [
    ['s=>(@x *)', 'x.n'],
    ['s=>(@x P:*)', 'x.n'],
    ['s=>(*)-[@x *]->(*)', 'x.n'],
    ['s=>(P:a)<-[@x *]-(*)', 'x.n'],
    ['s=>(*)-[@x R]->(*)', 'x.evpk'],
    ['s=>(@x *)-[*]->(*)', 'x.n'],
  ] as const
  const texts = patterns.flatMap(([pattern, of]) =>
    [...kinds.map((kind) => `${kind}(${of})`), 'COUNT(x)', 'UCOUNT(x)'].map(
      (aggregate) => `${pattern}; RETURN ${aggregate} AS v, COUNT(*) AS n`,
    ),
  )
  for (const text of texts.filter((_, index) => isTaken(index, 3))) {
    const [first] = (await ask('cut', text)).rows
    t.deepEqual((await ask('cut', `${text} LIMIT 1`)).rows, [first], text)
    const set = `<APPEND USING v> ${text} LIMIT 1 ++ ${text} LIMIT 1`
    t.deepEqual((await ask('cut', set)).rows, [first, first], set)
  }
  const grouped = 's=>(@x *); RETURN x.label, COUNT(*) AS n SUM(x.n) AS s'
  t.deepEqual((await ask('cut', `${grouped} LIMIT 1`)).rows, [{ label: 'P', n: 2, s: 3 }])
})

test('a count alone stands beside the rows', async (t) => {
  await graphs.make('counts')
  for (const name of people) await ask('counts', `CREATE (P:${name})`)
  t.deepEqual(await ask('counts', 's=>(@p P:*); RETURN COUNT(*) AS n'), { rows: [{ n: 4 }], num_items: 1, n: 4 })
  t.deepEqual(await ask('counts', 's=>(@p P:nobody); RETURN COUNT(*)'), {
    rows: [{ count: 0 }],
    num_items: 1,
    count: 0,
  })
})

const spreads: readonly (readonly [what: string, offset: number, unit: number])[] = [
  ['noise upon a large offset', 1e9, 1],
  ['times in microseconds', 1.6e15, 1e6],
  ['numbers whose squares overflow', 0, 1e200],
  ['numbers whose squares vanish', 0, 1e-200],
]
for (const [at, [what, offset, unit]] of spreads.entries()) {
  test(`deviation, skewness and kurtosis keep their digits: ${what}`, async (t) => {
    const graph = `spread${at}`
    const noise = Array.from({ length: 40 }, (_, i) => ((i * 37) % 101) ** 2 / 8192)
    const values = noise.map((each) => offset + each * unit)
    await graphs.make(graph)
    await Promise.all(values.map((v, name) => graphs.addNode(graph, node('N', `n${name}`, { v }))))
    const text = 's=>(@a N:*); RETURN AVG(a.v) AS avg STD(a.v) AS stdd SKEW(a.v) AS skew EXKURT(a.v) AS kurt'
    const [row] = (await ask(graph, text)).rows
    const seen = momentsOf(values.map((each) => (each - offset) / unit))
    const expected = { avg: offset + seen.avg * unit, stdd: seen.stdd * unit, skew: seen.skew, kurt: seen.kurt }
    for (const [name, value] of Object.entries(expected)) {
      t.true(Math.abs(row[name] - value) <= Math.abs(value) * 1e-9, `${name}: ${row[name]}, not ${value}`)
    }
  })
}

test('MIN and MAX of whole numbers keep all digits', async (t) => {
  await graphs.make('exact')
  const huge = `1${'0'.repeat(79)}1`
  await ask('exact', 'CREATE (P:a {"n": 9007199254740993, "x": 2.5, "h": -9007199254740993})')
  await ask('exact', `CREATE (P:b {"n": 9007199254740995, "x": 0, "h": ${huge}})`)
  await ask('exact', 'CREATE (P:c {"n": 9007199254740994, "x": -0.5, "d": "2022-03-04"})')
  const row = async (items: string) =>
    (await graphs.answer({ graph: 'exact', text: `s=>(@p P:*); RETURN ${items}` })).replace(/^.*\[\{|\}\].*$/g, '')
  t.is(await row('MIN(p.n) MAX(p.n)'), '"min":9007199254740993,"max":9007199254740995')
  t.is(await row('MIN(p.x) MAX(p.x)'), '"min":-0.5,"max":2.5')
  t.is(await row('MIN(p.h) MAX(p.h)'), '"min":-9007199254740993,"max":1e80')
  t.is(await row('MIN(p.d) MAX(p.none)'), '"min":1646352000000000,"max":0')
  t.is(await row('MAX(p.n) AS n WHERE n > 9007199254740994'), '"n":9007199254740995')
})

test('one number is one value, however it was written', async (t) => {
  await graphs.make('written')
  await ask('written', 'CREATE (P:a {"age": 20.0})')
  await ask('written', 'CREATE (P:b {"age": 20})')
  await ask('written', 'CREATE (P:e {"age": 2e1})')
  await ask('written', 'CREATE (P:n {"age": -0.0})')
  await ask('written', 'CREATE (P:z {"age": 0})')
  await ask('written', 'CREATE (P:c {"age": 0.50})')
  await ask('written', 'CREATE (P:d {"age": 0.5})')
  t.deepEqual((await ask('written', 's=>(@p P:*); RETURN p.age, COUNT(*) AS n SORT_ASC age')).rows, [
    { age: 0, n: 2 },
    { age: 0.5, n: 2 },
    { age: 20, n: 3 },
  ])
  const joined = '<JOIN USING age> s=>(@p P:a); RETURN p.age ++ t=>(@q P:b); RETURN q.age, q.name'
  t.deepEqual((await ask('written', joined)).rows, [{ age: 20, name: 'b' }])
  await ask('written', 'CREATE (P:a)-[R {"big": 123456789012345678901234567890.00, "y": 1}]->(P:b)')
  t.deepEqual(
    (await ask('written', 's=>(@a P:a)-[@r R]->(@b P:b); RETURN r.y')).rows,
    [{ y: 1 }],
    'beside one of many digits',
  )
})

test('sets over the rows of two queries', async (t) => {
  await graphs.make('sets')
  for (const [name, age] of [
    ['ann', 1],
    ['bob', 2],
    ['eve', 3],
  ])
    await ask('sets', `CREATE (P:${name} {"age": ${age}})`)
  for (const [name, n] of [
    ['bob', 20],
    ['eve', 30],
    ['eve', 31],
    ['kim', 40],
  ])
    await ask('sets', `CREATE (Q:${name}${n} {"who": "${name}", "n": ${n}})`)
  const both = 's=>(@p P:*); RETURN p.name AS who, p.age ++ t=>(@q Q:*); RETURN q.who, q.n'
  const rows = async (set: string, text = both) => (await ask('sets', `<${set} USING who> ${text}`)).rows
  const [ann, bob, eve] = [
    { who: 'ann', age: 1 },
    { who: 'bob', age: 2 },
    { who: 'eve', age: 3 },
  ]
  t.deepEqual(await rows('SUBTRACT'), [ann])
  t.deepEqual(await rows('JOIN'), [
    { ...bob, n: 20 },
    { ...eve, n: 30 },
    { ...eve, n: 31 },
  ])
  t.deepEqual(await rows('LEFT_JOIN'), [
    { ...ann, n: null },
    { ...bob, n: 20 },
    { ...eve, n: 30 },
    { ...eve, n: 31 },
  ])
  const nobody = both.replace('(@q Q:*)', '(@q Q:nobody)')
  t.deepEqual(
    await rows('LEFT_JOIN', nobody),
    [ann, bob, eve].map((each) => ({ ...each, n: null })),
    'also where nothing is found of the other query',
  )
  const names = 's=>(@p P:*); RETURN p.name AS who ++ t=>(@q Q:*); RETURN q.who'
  t.deepEqual(
    (await rows('ADD', names)).map(({ who }: { who: string }) => who),
    ['ann', 'bob', 'eve', 'kim'],
  )
  t.deepEqual(
    (await rows('APPEND', names)).map(({ who }: { who: string }) => who),
    ['ann', 'bob', 'eve', 'bob', 'eve', 'eve', 'kim'],
  )
  t.deepEqual(await rows('CROSS'), await rows('JOIN'))
  t.deepEqual(await rows('RIGHT_JOIN'), [
    { ...bob, n: 20 },
    { ...eve, n: 30 },
    { ...eve, n: 31 },
    { age: null, who: 'kim', n: 40 },
  ])
  t.deepEqual(await rows('PIPE'), [
    { who: 'bob', n: 20 },
    { who: 'eve', n: 30 },
    { who: 'eve', n: 31 },
  ])
  await ask('sets', 'CREATE (P:zoe)')
  const ages = 's=>(@p P:zoe); RETURN p.name, p.age ++ t=>(@q Q:*); RETURN q.n AS age, q.who'
  t.deepEqual(
    (await ask('sets', `<LEFT_JOIN USING age> ${ages}`)).rows,
    [{ name: 'zoe', who: null }],
    'a row that lacks the column goes without it, as without any other property',
  )
})

test('a set may have more than two queries, an order and a limit', async (t) => {
  await graphs.make('many')
  for (const [label, values] of Object.entries({
    A: [3, 10, '"x"'],
    B: [10, '"b"', '"é"', 'null'],
    C: [10, 200, '"x"'],
  }))
    for (const [index, value] of values.entries()) await ask('many', `CREATE (${label}:n${index} {"v": ${value}})`)
  const queries = ['A', 'B', 'C'].map((label) => `${label}=>(@n ${label}:*); RETURN n.v AS v`).join(' ++ ')
  const values = async (head: string) =>
    (await ask('many', `<${head}> ${queries}`)).rows.map(({ v }: { v?: unknown }) => v)
  t.deepEqual(await values('JOIN USING v'), [10])
  t.deepEqual(await values('SUBTRACT USING v'), [3])
  t.deepEqual(await values('ADD USING v SORT_ASC v'), [3, 10, 200, 'b', 'x', 'é', undefined])
  t.deepEqual(await values('ADD USING v SORT_DESC v'), [200, 10, 3, 'é', 'x', 'b', undefined])
  t.deepEqual(await values('ADD USING v SORT_DESC v LIMIT 4'), [200, 10, 3, 'é'])
  t.deepEqual(await values('PIPE USING v'), [10])
  t.is((await values('APPEND USING v LIMIT 9')).length, 9)
})

test('a set of large answers is combined in a thread, so that others are answered meanwhile', async (t) => {
  await graphs.make('large')
  const names = Array.from({ length: 15_000 }, (_, index) => `name-${index}`)
  const valueOf = (index: number): number => index % 3
  const lines = names.map((name, index) =>
    nodeLines({ label: 'P', name, properties: [['v', `${valueOf(index)}`]] }, index + 1),
  )
  await clickhouse.insert({ table: nodeInput('large'), rows: Buffer.from(lines.join('')) })
  const kinds: string[] = []
  const { run } = threads
  threads.run = (task, signal) => {
    kinds.push(task.kind)
    return run(task, signal)
  }
  const one = '<SUBTRACT USING name SORT_DESC name LIMIT 2>'
  const rest = names.filter((_, index) => valueOf(index) === 1).sort()
  const large = await ask('large', `${one} s=>(@p P:*); RETURN p.name ++ t=>(@q P:* {v != 1}); RETURN q.name, q.v`)
  t.deepEqual(large, { rows: [rest.at(-1), rest.at(-2)].map((name) => ({ name })), num_items: 2 })
  t.deepEqual(kinds, ['set'])
  const small = await ask('large', `${one} s=>(@p P:name-1); RETURN p.name ++ t=>(@q P:name-2); RETURN q.name`)
  t.deepEqual(small, { rows: [{ name: 'name-1' }], num_items: 1 })
  t.deepEqual(kinds, ['set'], 'few rows need no thread')
  const pairs = '<JOIN USING v> s=>(@p P:*); RETURN p.v, p.name ++ t=>(@q P:*); RETURN q.v, q.name AS other'
  const tooMany = await t.throwsAsync(ask('large', pairs))
  t.like(tooMany, {
    kind: 'invalid',
    message: 'the set has 75000000 rows, and 1000000 are the limit; narrow its queries',
  })
})

const airports = {
  SEA: [47.449, -122.309],
  PDX: [45.5887, -122.5975],
  YVR: [49.1947, -123.1839],
  JFK: [40.6398, -73.7789],
} as const

/** Metres from SEA, by the spherical law of cosines. */
function distanceTo(name: keyof typeof airports): number {
  const [[lat1, lon1], [lat2, lon2]] = [airports.SEA, airports[name]].map(([lat, lon]) => [
    (lat * Math.PI) / 180,
    (lon * Math.PI) / 180,
  ]) as [[number, number], [number, number]]
  return Math.round(
    6_371_000 * Math.acos(Math.sin(lat1) * Math.sin(lat2) + Math.cos(lat1) * Math.cos(lat2) * Math.cos(lon2 - lon1)),
  )
}

test('nodes within a radius, related or not, by the geo index of their label', async (t) => {
  await graphs.make('geo')
  for (const [name, [lat, lon]] of Object.entries(airports)) {
    await ask('geo', `CREATE (Airport:${name} {"lat": ${lat}, "lon": ${lon}})`)
  }
  await ask('geo', 'CREATE (Airport:XXX)')
  const near = 's=>(Airport:SEA)-[@d #RADIUS_OF 250000 *]->(@b Airport:*); RETURN b.name, d.distance SORT_ASC distance'
  const refusal = await t.throwsAsync(ask('geo', near), { instanceOf: Refusal })
  t.regex(refusal?.message ?? '', /line 1, column 17: 'Airport' has no geo index/)
  t.deepEqual(await ask('geo', 'create geoindex geo.Airport places = lat.lon'), ok)
  const { rows } = await ask('geo', near)
  t.deepEqual(
    rows.map(({ name }: { name: string }) => name),
    ['YVR', 'PDX'],
  )
  t.deepEqual(
    rows.map(({ distance }: { distance: number }) => Math.round(distance)),
    [distanceTo('YVR'), distanceTo('PDX')],
  )
  t.is((await ask('geo', 's=>(Airport:SEA)-[#RADIUS_OF 5000000 *]->(Airport:*)')).num_items, 3)
  t.is((await ask('geo', 's=>(Airport:SEA)<-[#RADIUS_OF 5000000 *]-(Airport:*)')).num_items, 3)
  await t.throwsAsync(ask('geo', 'create geoindex other.Airport places = lat.lon'), { instanceOf: Refusal })
})

test('nodes of any label within a radius, each label by its own geo index', async (t) => {
  await graphs.make('towns')
  const nearby = (pattern: string) => ask('towns', `s=>${pattern}; RETURN n.label, n.name SORT_ASC name`)
  for (const made of [
    'CREATE (Person:john {"lat": 12.8025, "lon": 77.4028})',
    'CREATE (Person:laila {"lat": 12.8015, "lon": 77.4022})',
    'CREATE (Person:far {"lat": 13.8015, "lon": 77.4022})',
    'CREATE (Theater:mona {"y": 12.8022, "x": 77.4023, "lat": 50, "lon": 50})',
    'CREATE (Tree:oak {"lat": 12.8022, "lon": 77.4023})',
  ]) {
    await ask('towns', made)
  }
  const unplaced = await t.throwsAsync(nearby('(Person:john)-[#RADIUS_OF 3000 *]->(@n *)'), { instanceOf: Refusal })
  t.regex(
    unplaced?.message ?? '',
    /line 1, column 17: towns has no geo index; make one by: create geoindex towns.Label/,
  )
  await ask('towns', 'create geoindex towns.Theater places = y.x')
  const lacking = await t.throwsAsync(nearby('(Person:john)-[#RADIUS_OF 3000 *]->(@n *)'), { instanceOf: Refusal })
  t.regex(lacking?.message ?? '', /'Person' has no geo index/)
  await ask('towns', 'create geoindex towns.Person places = lat.lon')
  const both = [
    { label: 'Person', name: 'laila' },
    { label: 'Theater', name: 'mona' },
  ]
  t.deepEqual((await nearby('(Person:john)-[#RADIUS_OF 3000 *]->(@n *)')).rows, both)
  t.deepEqual((await nearby('(*:john)-[#RADIUS_OF 3000 *]->(@n *)')).rows, both)
  t.deepEqual((await nearby('(Person:john)-[#RADIUS_OF 3000 *]->(@n *:mona)')).rows, [both[1]])
  t.deepEqual((await nearby('(Tree:oak)-[#RADIUS_OF 3000 *]->(@n Theater:*)')).rows, [], 'a tree has no y and x')
  const count = await ask('towns', 's=>(@p Person:john)-[#RADIUS_OF 3000 *]->(@c *); RETURN COUNT(c.name) AS n')
  t.deepEqual(count.rows, [{ n: 2 }])
  for (let i = 0; i < 40; i++) await ask('towns', `create geoindex towns.S${i} places = y.x`)
  t.deepEqual((await nearby('(Person:john)-[#RADIUS_OF 3000 *]->(@n *)')).rows, both, 'labels may share properties')
  for (let i = 0; i < 19; i++) await ask('towns', `create geoindex towns.L${i} places = y${i}.x${i}`)
  const many = await t.throwsAsync(nearby('(Person:john)-[#RADIUS_OF 3000 *]->(@n *)'), { instanceOf: Refusal })
  t.regex(many?.message ?? '', /in more than 20 pairs of properties; give #RADIUS_OF the label/)
})

test('statistics count nodes and triples', async (t) => {
  await graphs.make('stat')
  await ask('stat', 'CREATE (P:a {"x": 1, "y": 2})-[R]->(P:b)')
  await ask('stat', 'CREATE (P:a {"x": 1, "y": 2})-[R]->(P:b)')
  const { graphs: all, num_graphs } = JSON.parse(JSON.stringify(await graphs.statistics()))
  t.is(all.length, num_graphs)
  const found = all.find((each: object) => 'stat' in each)
  t.like(found.entity.table[0], { name: 'stat', issys: 0, num_records: 2, num_index: 0 })
  t.like(found.rel.table[0], { name: 'stat_rel', num_records: 2 })
  t.is(found.rel.table[0].files.length, found.rel.table[0].num_files)
  t.true(found.rel.table[0].total_size > 0)
})

test('what is deleted is gone from pages and walks at either end', async (t) => {
  await graphs.make('gone')
  await ask('gone', 'CREATE (P:a)-[R]->(P:b)-[R]->(P:c)<-[R]-(P:d)')
  await ask('gone', 'DELETE (P:c)')
  const left = { triple: [{ sub: 'P:a', pred: 'R', obj: 'P:b' }], num_items: 1 }
  for (const text of ['s=>(P:*)-[R]->(P:*)', 's=>(*)-[*]->(*)', 's=>(*)-[R]->(P:*)', 's=>(P:*)<-[*]-(P:a)']) {
    t.deepEqual(await ask('gone', text), left, text)
    t.is((await ask('gone', `${text}; RETURN * LIMIT 5`)).num_items, 1, text)
  }
  t.is((await ask('gone', 's=>(P:b)-[R]->(P:*)')).num_items, 0)
  t.is((await ask('gone', 's=>(P:b)-[#SHORT_PATH *]->(P:c)')).path_count, 0)
  t.deepEqual(await ask('gone', 's=>(P:*)-[R]->(*)-[R]->(*); RETURN COUNT(*) AS n'), { rows: [{ n: 0 }], num_items: 1 })
})

test('many writers at once are all kept', async (t) => {
  await graphs.make('many')
  await Promise.all(Array.from({ length: 300 }, (_, i) => ask('many', `CREATE (P:p${i % 7})-[R {"i": ${i}}]->(P:hub)`)))
  t.deepEqual(await ask('many', 's=>(P:*)-[@r R]->(P:hub); RETURN COUNT(*) AS n, UCOUNT(r.i) AS u'), {
    rows: [{ n: 300, u: 300 }],
    num_items: 1,
  })
})

test('the graph of a schema is there before its first relation, and after it has come and gone', async (t) => {
  t.deepEqual(await ask('shop_graph', 's=>(*)-[*]->(*)'), { triple: [], num_items: 0 })
  t.deepEqual(await ask('shop_graph', 's=>(@p P:*); RETURN COUNT(*) AS n, SUM(p.x)'), {
    rows: [{ n: 0, sum: 0 }],
    num_items: 1,
    errcode: 0,
    error: ['no node of the graph shop_graph has the label P: it has no nodes yet'],
  })
  await ask('shop_graph', 'CREATE (P:a)-[R]->(P:b)')
  for (const statement of [...dropGraph('shop_graph'), ...createGraph('shop_graph')]) await clickhouse.run(statement)
  await graphs.addNode('shop_graph', node('P', 'a'))
  for (const statement of [...dropGraph('shop_graph'), ...createGraph('shop_graph')]) await clickhouse.run(statement)
  await ask('shop_graph', 'CREATE (P:a)-[R]->(P:b)')
  t.is((await ask('shop_graph', 's=>(*)-[*]->(*)')).num_items, 1)
})

test('a graph that another process dropped is not made again by a statement', async (t) => {
  await graphs.make('elsewhere')
  await ask('elsewhere', 'CREATE (P:a)')
  for (const statement of dropGraph('elsewhere')) await clickhouse.run(statement)
  await t.throwsAsync(ask('elsewhere', 'CREATE (P:a)'), { instanceOf: Fault, message: /^no graph "elsewhere"/ })
  await graphs.addNode('elsewhere', node('P', 'a'))
  t.is((await ask('elsewhere', 's=>(*)')).num_items, 1)
})
