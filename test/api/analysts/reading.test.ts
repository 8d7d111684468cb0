import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { differenceOf, type Moments } from '../../support/oracle.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

let service: RunningService
let url: string

const example = (name: string) => readFileSync(new URL(`../../../examples/shop/${name}`, import.meta.url), 'utf8')

const ask = async (
  statement: string,
  parameters: Record<string, string> = {},
  headers: Record<string, string> = {},
) => {
  const response = await fetch(`${url}/?${new URLSearchParams(parameters)}`, {
    method: 'POST',
    body: statement,
    headers,
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
const text = async (statement: string, parameters: Record<string, string> = {}): Promise<string> =>
  (await ask(statement, parameters)).bytes.toString('utf8')

function seen() {
  const attr = [
    { name: 'x', type: 'DOUBLE', stat: 'RSTAT' },
    { name: 'who', type: 'STRING', stat: 'UCOUNT' },
  ]
  const gpby = [{ gpat: ['who'], iatr: 'x', stat: 'RSTAT' }]
  const pkatr = [{ name: 'id', type: 5, iatr: ['who'] }]
  const enty = [{ name: 'e', opid: 3, ratr: ['x'], iatr: ['x'], pkatr, rstm: 'people' }]
  const people = { name: 'people', type: 4, inpt: ['st'], attr: [] }
  return { schema: 'seen', streams: [{ name: 'st', type: 1, swsz: 0, attr, gpby, enty }, people] }
}

/** Group `a`, and the last interval, have events and no values. */
async function fillUncounted(): Promise<void> {
  const gpby = [{ gpat: ['c'], iatr: 'x', stat: 'RSTAT' }]
  const attr = [
    { name: 'c', type: 5 },
    { name: 'x', type: 11, stat: 'RSTAT' },
  ]
  await service.client.register({ schema: 'uncounted', streams: [{ name: 'st', type: 1, swsz: 0, attr, gpby }] })
  await service.client.lines('uncounted.st', [
    { _pk: 1_700_000_000_000_000, c: 'a' },
    { _pk: 1_700_000_001_000_000, c: 'b', x: -5 },
    { _pk: 1_700_000_100_000_000, c: 'b' },
  ])
}

test.before(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  service = await startService({ CLICKHOUSE_HTTP_PORT: String(port) })
  await service.client.ok(service.client.send('POST', '/stream', example('schema.json')))
  await service.client.register(seen())
  await fillUncounted()
  await service.client.ok(
    service.client.send('POST', '/stream/shop/visits', example('visits.ndjson'), {
      'Content-Type': 'application/x-ndjson',
    }),
  )
  await service.client.ok(
    service.client.send('POST', '/db/mydb/table', { table_name: 'pages', table_type: 1, key_type: 1, key_sz: 24 }),
  )
  await service.client.ok(service.client.send('POST', '/db/mydb/pages/doc', { _pk: 'home', doc: { title: 'Start' } }))
  const counts =
    'SELECT (SELECT count() FROM shop.visits), (SELECT sum(price_cnt) FROM shop.expensive_visits_by_300s), (SELECT count() FROM graph.shop_graph_rel)'
  await until('the events are everywhere', async () => (await text(counts)) === '5\t2\t5\n', 60_000)
})
test.after.always(() => service?.close())

test('groups and intervals that have counted nothing are no rows, so that the greatest of negative values is one', async (t) => {
  t.is(await text('SELECT c, max(x_max) FROM uncounted.st_by_60s__c GROUP BY c'), 'b\t-5\n')
  t.is(await text('SELECT max(x_max), count() FROM uncounted.st_by_60s'), '-5\t1\n')
})

test('streams, interval views, groups, entities, graphs and tables are read under their names', async (t) => {
  const cases: [statement: string, answer: string][] = [
    [
      'SELECT country, sum(total) AS s FROM shop.visits WHERE total > 0 GROUP BY country ORDER BY country',
      'DE\t161.5\nFR\t160\n',
    ],
    ['SELECT sum(price_cnt), max(price_max) FROM shop.visits_by_300s', '4\t80\n'],
    ['SELECT sum(price_cnt) FROM shop.visits_by_300s__country__page', '4\n'],
    ["SELECT views_cnt FROM shop.visitor_profile WHERE visitor = 'ann'", '3\n'],
    ['SELECT sum(price_cnt) FROM shop.expensive_visits_by_300s', '2\n'],
    ['SELECT count() FROM graph.shop_graph_rel', '5\n'],
    ["SELECT name FROM graph.shop_graph WHERE label = 'page' ORDER BY name", 'home\nshoes\n'],
    ["SELECT _pk, JSONExtractString(doc, 'title') FROM mydb.pages", 'home\tStart\n'],
  ]
  for (const [statement, answer] of cases) t.is(await text(statement), answer, statement)
})

test('the views give the numbers of the oracle, by interval, by group and by entity', async (t) => {
  const { client } = service
  const minute_us = 60_000_000
  const events = Array.from({ length: 200 }, (_, i) => ({
    ...{ _pk: 1_700_000_000_000_000 + i * 1_000_000, x: ((i * 37) % 101) / 8 - 3, who: `w${i % 7}` },
  }))
  await client.lines('seen.st', events)
  t.is(await client.count('select count(*) from seen.st'), events.length)

  const by = (key: (event: (typeof events)[number]) => string): Map<string, number[]> => {
    const found = new Map<string, number[]>()
    for (const event of events) found.set(key(event), [...(found.get(key(event)) ?? []), event.x])
    return found
  }
  const interval = ({ _pk }: { readonly _pk: number }): string => String(_pk - (_pk % minute_us))
  const figures = ['cnt', 'sum', 'min', 'max', 'avg', 'stdd', 'skew', 'kurt']
  const cases: readonly [view: string, key: string, wanted: ReadonlyMap<string, number[]>][] = [
    ['st_by_60s', 'toString(toUnixTimestamp64Micro(interval_start))', by(interval)],
    [
      'st_by_60s__who',
      "concat(toString(toUnixTimestamp64Micro(interval_start)), ' ', who)",
      by((event) => `${interval(event)} ${event.who}`),
    ],
    ['people', 'id', by(({ who }) => who)],
  ]
  for (const [view, key, wanted] of cases) {
    const columns = figures.map((figure) => `toFloat64(x_${figure}) AS ${figure}`).join(', ')
    const answer = await text(`SELECT ${key} AS k, ${columns} FROM seen.${view} FORMAT JSONEachRow`)
    const rows: (Moments & { readonly k: string })[] = answer
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    t.is(rows.length, wanted.size, view)
    // The pivot may be any value of the stream.
    const first = Math.max(...events.map(({ x }) => x))
    for (const { k, ...got } of rows) t.is(differenceOf(got, wanted.get(k) ?? [], { first }), undefined, `${view} ${k}`)
  }
  const unique = await text('SELECT sum(who_cnt), max(who_unique) FROM seen.st_by_60s')
  t.is(unique, '200\t7\n')
})

test('tables behind them are in no list', async (t) => {
  t.is(
    await text('SHOW TABLES FROM shop'),
    [
      'expensive_visits',
      'expensive_visits_by_300s',
      'expensive_visits_by_300s_states',
      'page_profile',
      'visitor_profile',
      'visits',
      'visits_by_300s',
      'visits_by_300s__country',
      'visits_by_300s__country__page',
      'visits_by_300s_states',
      'visits_by_300s_states__country',
      'visits_by_300s_states__country__page',
      'visits_by_60s',
      'visits_by_60s__page',
      'visits_by_60s_states',
      '',
    ].join('\n'),
  )
  t.is(await text('SHOW TABLES FROM graph'), 'shop_graph\nshop_graph_rel\n')
  t.is(
    await text('SHOW DATABASES'),
    'INFORMATION_SCHEMA\ndefault\ngraph\ninformation_schema\nmydb\nseen\nshop\nsystem\nuncounted\n',
  )
})

test('an answer has the format that the statement names, the request, or tabs', async (t) => {
  const statement = 'SELECT page, count() AS n FROM shop.visits GROUP BY page ORDER BY page'
  t.is(await text(statement), 'home\t3\nshoes\t2\n')
  t.is(await text(`${statement} FORMAT CSVWithNames`), '"page","n"\n"home",3\n"shoes",2\n')
  t.is(await text(statement, { default_format: 'JSONEachRow' }), '{"page":"home","n":3}\n{"page":"shoes","n":2}\n')
  t.is((await ask(statement, {}, { 'X-ClickHouse-Format': 'CSV' })).bytes.toString(), '"home",3\n"shoes",2\n')
  const json = JSON.parse(await text(`${statement} FORMAT JSON`))
  t.deepEqual(json.data, [
    { page: 'home', n: 3 },
    { page: 'shoes', n: 2 },
  ])
  const beginnings: Record<string, string> = {
    Native: '\u0002\u0002\u0004page',
    Parquet: 'PAR1',
    Arrow: 'ARROW1',
    ORC: 'ORC',
    Avro: 'Obj\u0001',
  }
  for (const [format, beginning] of Object.entries(beginnings)) {
    const { status, bytes, headers } = await ask(`${statement} FORMAT ${format}`)
    t.is(status, 200)
    t.true(bytes.subarray(0, beginning.length).equals(Buffer.from(beginning)), `${format} ${bytes.subarray(0, 16)}`)
    t.is(headers.get('x-clickhouse-format'), format)
    t.is(headers.get('content-type'), 'application/octet-stream')
  }
  for (const format of [
    'RowBinary',
    'ArrowStream',
    'JSONCompact',
    'Vertical',
    'PrettyCompact',
    'XML',
    'Markdown',
    'MsgPack',
  ]) {
    t.is((await ask(statement, { default_format: format })).status, 200, format)
  }
})

test('a query comes in the URL or the body, packed or plain, with parameters and a database', async (t) => {
  const get = await fetch(`${url}/?query=${encodeURIComponent('SELECT count() FROM visits')}&database=shop`)
  t.is(await get.text(), '5\n')
  t.is((await ask('SELECT count() FROM visits', {}, { 'X-ClickHouse-Database': 'shop' })).bytes.toString(), '5\n')
  const packed = await fetch(`${url}/`, {
    method: 'POST',
    headers: { 'Content-Encoding': 'gzip' },
    body: gzipSync('SELECT count() FROM shop.visits'),
  })
  t.is(await packed.text(), '5\n')
  const params = { param_page: "it's \\t\\\\", param_list: "['home','shoes']", param_t: 'visits' }
  t.is(await text('SELECT {page:String}', params), "it\\'s \\t\\\\\n")
  t.is(await text('SELECT count() FROM shop.{t:Identifier} WHERE page IN {list:Array(String)}', params), '5\n')
  t.is(
    await text('SELECT count() FROM shop.visits WHERE page = {missing:String}'),
    'Code: 456. DB::Exception: Substitution `missing` is not set. (UNKNOWN_QUERY_PARAMETER)\n',
  )
})

test('answers are packed for those who ask for it', async (t) => {
  for (const coding of ['gzip', 'deflate', 'br']) {
    const { headers, bytes } = await ask(
      'SELECT number FROM numbers(10000)',
      { enable_http_compression: '1' },
      { 'Accept-Encoding': coding },
    )
    t.is(headers.get('content-encoding'), coding)
    t.is(bytes.toString().split('\n').length, 10_001)
  }
  const plain = await ask('SELECT 1', {}, { 'Accept-Encoding': 'gzip' })
  t.is(plain.headers.get('content-encoding'), null)
})

test('headers tell the query, its time zone and what it took', async (t) => {
  const { headers } = await ask('SELECT number FROM numbers(10)', {
    query_id: 'my-query',
    wait_end_of_query: '1',
    send_progress_in_http_headers: '1',
  })
  t.is(headers.get('x-clickhouse-query-id'), 'my-query')
  t.is(headers.get('x-clickhouse-timezone'), (await text('SELECT timezone()')).trim())
  const summary = JSON.parse(headers.get('x-clickhouse-summary') ?? '')
  t.is(summary.result_rows, '10')
  t.true(Number(summary.elapsed_ns) > 0)
})

test('errors are worded and numbered as ClickHouse does', async (t) => {
  const cases: [statement: string, status: number, code: string, beginning: RegExp][] = [
    ['SELECT nope FROM shop.visits', 404, '47', /^Code: 47\. DB::Exception: Unknown expression identifier `nope`/],
    ['SELECT * FROM shop.nothing', 404, '60', /^Code: 60\. DB::Exception: .*\(UNKNOWN_TABLE\)/],
    ['SELECT 1 WHERE', 400, '62', /^Code: 62\. DB::Exception: Syntax error/],
    ['DROP TABLE shop.visits', 403, '164', /^Code: 164\. DB::Exception: Cannot execute query in readonly mode/],
    ['SELECT 1 FORMAT Nope', 404, '73', /^Code: 73\. DB::Exception: Unknown format Nope/],
    ["SELECT throwIf(1, 'mine')", 400, '395', /^Code: 395\. DB::Exception: mine/],
    ['SELECT length()', 400, '42', /^Code: 42\. /],
    ['SELECT page, count() FROM shop.visits', 400, '215', /^Code: 215\. /],
    ['SELECT intDiv(1, 0)', 400, '153', /^Code: 153\. /],
    [
      "SELECT 1 SETTINGS join_use_nulls = 'xyz'",
      400,
      '467',
      /^Code: 467\. DB::Exception: the setting join_use_nulls: /,
    ],
    [
      "SELECT 1 SETTINGS totals_mode = 'xyz'",
      400,
      '213',
      /^Code: 213\. DB::Exception: the setting totals_mode: .*before_having/,
    ],
    [
      "SELECT 1 SETTINGS format_csv_delimiter = 'xyz'",
      400,
      '19',
      /^Code: 19\. DB::Exception: the setting format_csv_delimiter: /,
    ],
    ["SELECT 1 SETTINGS limit = 'xyz'", 400, '27', /^Code: 27\. DB::Exception: the setting limit: /],
  ]
  for (const [statement, status, code, beginning] of cases) {
    const answer = await ask(statement)
    t.is(answer.status, status, statement)
    t.is(answer.headers.get('x-clickhouse-exception-code'), code, statement)
    t.regex(answer.bytes.toString(), beginning)
    t.notRegex(answer.bytes.toString(), /OUTFILE '|log_comment|weir-answers/, statement)
  }
})

test('a statement without its end is told of as it came, and never where its answer would have been written', async (t) => {
  for (const statement of [
    'SELECT',
    'SELECT 1,',
    'SELECT 1 +',
    'SELECT -',
    'SELECT DISTINCT',
    'SELECT 1 FROM',
    'SELECT 1 FROM shop.visits JOIN',
    'SELECT * EXCEPT',
    'DESCRIBE',
    'DESCRIBE TABLE',
  ]) {
    const { status, bytes } = await ask(statement)
    t.is(status, 400, statement)
    t.regex(bytes.toString(), /^Code: 62\. DB::Exception: Syntax error: failed at position \d+ \(end of query\)/)
    t.notRegex(bytes.toString(), /TRUNCATE|OUTFILE '|answers|max_execution_time|'\//, statement)
  }
})

test('settings of one query do not reach the next', async (t) => {
  const statement =
    'SELECT toTypeName(b.x), count() FROM (SELECT 1 AS x) AS a LEFT JOIN (SELECT 2 AS x) AS b ON a.x = b.x GROUP BY 1'
  for (let i = 0; i < 6; i++) {
    t.is(await text(statement, { join_use_nulls: '1' }), 'Nullable(UInt8)\t1\n')
    t.is(await text(statement), 'UInt8\t1\n')
  }
})

test('a probe is answered without a query', async (t) => {
  t.is(await (await fetch(`${url}/ping`)).text(), 'Ok.\n')
  t.is(await (await fetch(`${url}/`)).text(), 'Ok.\n')
  for (const path of ['/ping', '/', '/replicas_status']) {
    t.is((await fetch(url + path)).headers.get('content-type'), 'text/plain; charset=UTF-8', path)
  }
  t.is((await fetch(`${url}/nowhere`)).status, 404)
  t.is((await fetch(url, { method: 'DELETE' })).status, 405)
})
