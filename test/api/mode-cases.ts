/**
 * Requests to which a service has to give the same answer wherever ClickHouse runs. Imported behind on-server.ts or
 * on-cluster.ts: the texts of events, their arithmetic and their SQL are tested once, where ClickHouse is embedded;
 * these cases send one of each kind over the way that differs.
 */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { at } from '../support/era.ts'
import { json, read } from '../support/requests/client.ts'
import { allRows } from '../support/requests/pages.ts'
import { startService } from '../support/service.ts'
import { differences } from './streams/compare.ts'
import { next, whole } from './streams/crash-schema.ts'
import { answerTo, fillShop, forms } from './streams/queries/query-forms.ts'

const { client, close } = await startService()
test.after.always(close)

const asLines = { 'content-type': 'application/x-ndjson' }
const text = (name: string) => ({ name, type: 5 })
const triples = async (stream: string, query: string): Promise<string[]> => {
  const { triple } = await client.ok(client.graph(stream, query))
  return triple.map(({ sub, pred, obj }: Record<string, string>) => `${sub} ${pred} ${obj}`)
}

test('every statistic, group, entity, filter and triple is what the oracle says', async (t) => {
  await client.register(whole('oracle'))
  const events = Array.from({ length: 400 }, next)
  const [single, packed, lines] = [events.slice(0, 20), events.slice(20, 200), events.slice(200)]
  await Promise.all(single.map((event) => client.event('oracle.s', event)))
  const body = gzipSync(packed.map((event) => `${json(event)}\n`).join(''))
  await client.ok(client.post('/stream/oracle/s', body, { ...asLines, 'content-encoding': 'gzip' }))
  for (let at = 0; at < lines.length; at += 50) await client.lines('oracle.s', lines.slice(at, at + 50))
  t.deepEqual(await differences(client, whole('oracle'), { s: events }), [])
  t.is((await allRows(client, 'select * from oracle.s limit 37')).length, events.length)
})

// Usage is counted over all that there is: this one comes first.
test.serial('every form of a query on streams is answered as in the golden file', async (t) => {
  await fillShop(client)
  const golden = readFileSync(new URL('streams/queries/queries.golden.txt', import.meta.url), 'utf8').trimEnd()
  const answers = new Map(golden.split('\n\n').map((chapter) => [form(chapter), chapter.split('\n').at(-1)]))
  t.is(answers.size, forms.length)
  for (const asked of forms) t.is(await answerTo(client, asked), answers.get(asked) ?? '', asked)
})

const form = (chapter: string): string => chapter.split('\n')[0]?.replace(/^> /, '') ?? ''

const odd = [
  '',
  'ünïcödé 日本語 🎈👩‍👩‍👧‍👦',
  'a\u0000b\u001f\u007f\u0080\u009f\u2028\ufeff\ufffd\uffff',
  '"quoted" \\back\\ /slash/ it\'s',
  'line\nfeed\r\ntab\t\n\n\nDROP TABLE x;\n\n{"_pk":99}\n',
  "'; drop table x; --",
  `$${'{x}'} {p0:String} %s ?`,
  '{"json": [1, 2]}',
  'null',
  '\\N \\u0041',
  ' ON CLUSTER `one`; ENGINE = MergeTree',
  'x'.repeat(100_000),
]

test('any text, integer and double comes back as it was, declared and undeclared', async (t) => {
  const attr = [
    { name: 'name', type: 'STRING' },
    { name: 'n', type: 'LONG', stat: ['RSTAT', 'QUANTILES', 'LAST'] },
    { name: 'x', type: 'DOUBLE', stat: ['RSTAT', 'QUANTILES', 'FIRST'] },
    { name: 'yes', type: 'BOOL', stat: ['COUNT', 'LAST'] },
    { name: 'prod', type: 'OBJECT', fields: [{ name: 'code', type: 'LONG' }] },
  ]
  await client.register({ schema: 'any', streams: [{ name: 'st', type: 1, swsz: 0, attr }] })
  const integers = [0n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)]
  const doubles = [0, -0.1, 1e-300, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1e21]
  const sent = [
    ...odd.map((name) => ({ name, undeclared: name, prod: { [name]: [name] } })),
    ...integers.map((n) => ({ n, other: n, prod: { code: n, list: [n, [n]] }, deep: { er: [{ est: n }] } })),
    ...doubles.map((x) => ({ x, other: [x] })),
    { yes: true },
    { yes: false, name: null, n: null, x: null, prod: null, other: null },
    {},
  ].map((event, n) => ({ _pk: at(n), ...event }))
  await client.lines('any.st', sent.slice(2))
  for (const event of sent.slice(0, 2)) await client.event('any.st', event)
  const documents = (await client.documents('select * from any.st')).toReversed()
  for (const [n, { _pk, ...event }] of sent.entries()) {
    t.deepEqual(documents[n], read(json({ _pk, _v: 1, ...event })), `event ${n}`)
  }
  for (const [n, name] of odd.entries()) {
    if (name.length > 1_000) continue
    const literal = JSON.stringify(name).replace(
      /[\u007f-\u009f]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    for (const path of ['name', 'undeclared']) {
      const rows = await client.rows(`select * from any.st where ${path} = ${literal}`)
      t.deepEqual(
        rows.map(({ k }) => k),
        [at(n)],
        `${path} = ${literal}`,
      )
    }
  }
  const [row] = await client.rows(`select aggr(n) from any.st where et <= ${at(99)}`)
  t.regex(String(row?.v), /"min":-9223372036854775808,"max":9223372036854775807,.*"last":-9223372036854775808}/)
  const [far] = await client.rows(`select aggr(x) from any.st where et <= ${at(99)}`)
  t.regex(String(far?.v), /"p99":1\.79\d*e\+308,"first":0}/)
  const [bool] = await client.rows(`select aggr(yes) from any.st where et <= ${at(99)}`)
  t.is(String(bool?.v), '{"cnt":2,"last":false}')
  t.is((await client.ok(client.get('/health/ready'))).parts.clickhouse.rejected_events, 0)
})

test('a batch of 30,000 events is there for the next query', async (t) => {
  const attr = [text('name'), { name: 'n', type: 9, stat: 'COUNT' }]
  await client.register({ schema: 'large', streams: [{ name: 'st', type: 1, swsz: 0, attr }] })
  const events = Array.from({ length: 30_000 }, (_, n) => ({ _pk: at(n), n, name: `name ${n}` }))
  t.is((await client.lines('large.st', events)).accepted, events.length)
  t.is(await client.count('select count(*) from large.st'), events.length)
  t.is((await client.rows(`select aggr(n) from large.st where et <= ${at(1_000_000)}`)).at(-1)?.v, events.length)
})

test('names that mean something to SQL are schemas, streams and attributes like any other', async (t) => {
  const words = ['select', 'cluster', 'on', 'engine', 'k', 's', 'v', 'values', 'limit', 'Count']
  const attr = words.map((name, n) => ({ name, type: 'LONG', stat: n % 2 ? 'RSTAT' : 'UCOUNT' }))
  for (const [schema, stream] of [
    ['select', 'from'],
    ['cluster', 'distributed'],
    ['values', 'format'],
    ['view', 'into'],
  ] as const) {
    await client.register({ schema, streams: [{ name: stream, type: 1, swsz: 0, attr }] })
    await client.event(`${schema}.${stream}`, { _pk: at(1), ...Object.fromEntries(words.map((word, n) => [word, n])) })
    for (const [n, word] of words.entries()) {
      t.is(await client.count(`select count(*) from ${schema}.${stream} where ${word} = ${n}`), 1, word)
      t.is((await client.rows(`select aggr(${word}) from ${schema}.${stream} rollup 1`)).length, 1, word)
    }
  }
})

test('a graph is asked in every direction, grows with each event and goes with its schema', async (t) => {
  const rels = [{ sub: 'a', obj: 'b', rel: 'R', rel_props: ['n'] }]
  const attr = [text('a'), text('b'), { name: 'n', type: 9 }]
  const fltr = [
    {
      name: 'f',
      fqry: { name: '{"query":[{"key":"n","cmp_op":0,"val":1}],"qtype":1}', type: 1 },
      fatr: ['a', 'b'],
      ostm: 'more',
    },
  ]
  const schema = {
    schema: 'graphs',
    streams: [
      { name: 's', type: 1, inpt: [], attr, rels, fltr },
      {
        name: 'more',
        type: 2,
        inpt: ['s'],
        attr: attr.slice(0, 2),
        rels: [{ sub: 'b', obj: 'a', rel: 'OF', sub_label: 'X' }],
      },
    ],
  }
  await client.register(schema)
  t.deepEqual(await triples('graphs.s', 's=>(*)-[*]->(*)'), [])
  for (const [n, a] of ['10:30', '10', "Tom O'Brien", 'a/b\\c', '山田 😀'].entries()) {
    await client.event('graphs.s', { a, b: `${n % 2}`, n: n - 2 })
    t.is((await triples('graphs.s', 's=>(a:*)-[R]->(*)')).length, n + 1)
  }
  const expected: Readonly<Record<string, readonly string[]>> = {
    's=>(*)-[OF]->(*)': ['X:0 OF a:山田 😀'],
    's=>(X:*)-[*]->(*:*)': ['X:0 OF a:山田 😀'],
    's=>(a:"10:30")-[R]->(*)': ['a:10:30 R b:0'],
    's=>(a:10$%)-[R]->(*)': ['a:10 R b:1', 'a:10:30 R b:0'],
    's=>(b:1)<-[R]-(*)': ['a:10 R b:1', 'a:a/b\\c R b:1'],
    's=>(*)-[R]->(b:0)': ['a:10:30 R b:0', "a:Tom O'Brien R b:0", 'a:山田 😀 R b:0'],
    's=>(*:10)-[*]->(*)': ['a:10 R b:1'],
    's=>(a:"Tom O\'Brien")-[R]->(b:*)': ["a:Tom O'Brien R b:0"],
    's=>(a:"a/b\\\\c")-[R]->(b:*)': ['a:a/b\\c R b:1'],
    's=>(a:nobody)-[R]->(*)': [],
  }
  for (const [query, found] of Object.entries(expected)) {
    for (const stream of ['graphs.s', 'graphs.more']) t.deepEqual(await triples(stream, query), found, query)
  }
  t.like(await client.ok(client.post('/graph/graphs_graph/algorithm/degree?wait=30', {})), { state: 'done' })
  const scored = await client.ok(client.post('/graph/graphs_graph/query', 's=>(@a *); RETURN SUM(a.degree) AS twice'))
  t.is(scored.rows[0].twice, 2 * (await triples('graphs.s', 's=>(*)-[*]->(*)')).length)
  await client.ok(client.send('DELETE', '/stream/graphs'))
  t.is((await client.graph('graphs.s', 's=>(*)-[*]->(*)')).status, 404)
  await client.register(schema)
  t.deepEqual(await triples('graphs.s', 's=>(*)-[*]->(*)'), [])
  t.is(await client.count('select count(*) from graphs.s'), 0)
})
