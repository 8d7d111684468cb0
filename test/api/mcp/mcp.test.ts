/** The Model Context Protocol: every tool, by keys that may use it and by keys that may not. */
import test from 'ava'
import { read } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'
import { isLate } from '../../support/shown.ts'
import { until } from '../../support/until.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
test.after.always(close)

const makeKey = async (scopes: readonly string[], on?: readonly string[]) =>
  client.ok(client.post('/keys', { name: 'k', scopes, on }, { 'x-api-key': ADMIN_KEY }))

const send = (message: unknown, key = ADMIN_KEY, headers: Readonly<Record<string, string>> = {}) =>
  client.post('/mcp', message, { 'x-api-key': key, accept: 'application/json, text/event-stream', ...headers })

const ask = (method: string, params: object = {}, key = ADMIN_KEY) =>
  client.ok(send({ jsonrpc: '2.0', id: 7, method, params }, key))

type Content = readonly { readonly type: string; readonly text: string }[]

/** The answer of a tool: its text, also as JSON, whether it is a refusal, and the sentences beside it. */
async function use(name: string, given: object = {}, key = ADMIN_KEY) {
  const call = () => ask('tools/call', { name, arguments: given }, key)
  // A query whose events are not there in time is asked again.
  const { result, error } = await until(name, async () => {
    const answer = await call()
    return !isLate(answer.result?.content[0].text ?? '') && answer
  })
  if (!result) throw new Error(error.message)
  const [first, ...notes]: Content = result.content
  const text = first?.text ?? ''
  return { told: read(text), text, isError: result.isError as boolean, notes: notes.map((each) => each.text) }
}

const namesFor = async (key: string): Promise<string[]> =>
  (await ask('tools/list', {}, key)).result.tools.map(({ name }: { name: string }) => name).toSorted()

const schemaOf = (schema: string) => ({
  schema,
  streams: [
    {
      name: 's',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'k', type: 5 },
        { name: 'v', type: 9, stat: 3 },
      ],
      gpby: [{ gpat: ['k'], iatr: 'v', stat: 3, gran: 60 }],
    },
  ],
})

const wordsOf = (schema: string) => ({
  schema,
  streams: {
    s: {
      keep: 'forever',
      attributes: { k: 'text', v: { type: 'integer', stats: ['summary'] } },
      groups: [{ by: ['k'], of: 'v', stats: ['summary'], every: '1m' }],
    },
  },
})

const reading = [
  ...['describe_graph', 'describe_hook', 'describe_import', 'describe_model', 'describe_schema'],
  ...['describe_source', 'describe_stream', 'describe_table', 'get_record', 'graph_query', 'list_sources'],
  ...['list_graphs', 'list_hooks', 'list_imports', 'list_models', 'list_schemas', 'list_tables', 'predict', 'query'],
  ...['recent_events', 'service_status', 'sql', 'test_watch'],
]

test('a session begins with the version that both speak, and needs nothing to be kept', async (t) => {
  const { result, jsonrpc, id } = await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {} })
  t.deepEqual([jsonrpc, id], ['2.0', 7])
  t.like(result, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'weir' } })
  t.is((await ask('initialize', { protocolVersion: '1999-01-01' })).result.protocolVersion, '2025-11-25')
  t.deepEqual((await ask('ping')).result, {})
  const noticed = await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  t.deepEqual([noticed.status, noticed.text], [202, ''])
  const batch = await client.ok(send(['a', 'b'].map((each) => ({ jsonrpc: '2.0', id: each, method: 'ping' }))))
  t.deepEqual(
    batch.map((each: { id: string }) => each.id),
    ['a', 'b'],
  )
})

test('a message that cannot be answered is refused with the reason', async (t) => {
  t.is((await ask('tools/lost')).error.code, -32601)
  t.is((await client.ok(send({ id: 1, method: 'ping' }))).error.code, -32600)
  t.is((await client.ok(send({ jsonrpc: '2.0', id: {}, method: 'ping' }))).error.code, -32600)
  t.is((await client.ok(send(3))).error.code, -32600)
  const { error } = await ask('tools/call', { name: 'list_schema' })
  t.deepEqual([error.code, /did you mean list_schemas\?$/.test(error.message)], [-32602, true])
  const broken = await send('{"jsonrpc"')
  t.is(broken.status, 400)
  t.like(broken.body, { jsonrpc: '2.0', id: null, error: { code: -32700 } })
  const old = await send({ jsonrpc: '2.0', id: 1, method: 'ping' }, ADMIN_KEY, { 'mcp-protocol-version': '2001-01-01' })
  t.is(old.status, 400)
  t.regex(old.body.error[0], /2001-01-01 is not known; there are 2026-07-28, 2025-11-25/)
  t.is((await client.post('/mcp', {})).status, 401)
  for (const method of ['GET', 'DELETE']) {
    const { status, headers } = await client.send(method, '/mcp', undefined, { 'x-api-key': ADMIN_KEY })
    t.deepEqual([status, headers.get('allow')], [405, 'POST'])
  }
})

test('a key sees the tools that it may use', async (t) => {
  const { key: reads } = await makeKey(['read'])
  t.deepEqual(await namesFor(reads), reading.toSorted())
  const { key: writes } = await makeKey(['write'])
  t.deepEqual(await namesFor(writes), ['put_record', 'refused_events', 'send_events'])
  const { key: defines } = await makeKey(['define'])
  t.deepEqual(await namesFor(defines), ['apply_schema', 'check_schema', 'save_question'])
  const { key: trains } = await makeKey(['train', 'read'])
  t.deepEqual(await namesFor(trains), [...reading, 'train_model', 'training_status'].toSorted())
  const { key: only } = await makeKey(['train'])
  t.deepEqual(await namesFor(only), ['train_model', 'training_status'])
  t.regex((await use('training_status', { schema: 'no', model: 'm' }, only)).text, /no training was asked for model m/)
  t.is((await namesFor(ADMIN_KEY)).length, 32)
  await t.throwsAsync(use('send_events', {}, reads), { message: /this key has no tool send_events/ })
  const { tools } = (await ask('tools/list')).result
  const hints = tools.map(({ name, annotations }: { name: string; annotations: object }) => [name, annotations])
  const shown = Object.fromEntries(hints)
  t.deepEqual(shown.query, { readOnlyHint: true, destructiveHint: false })
  t.deepEqual(shown.send_events, { readOnlyHint: false, destructiveHint: false })
  t.deepEqual(shown.apply_schema, { readOnlyHint: false, destructiveHint: true })
})

test.serial('an agent finds a hook and why its deliveries were refused', async (t) => {
  const headers = { 'x-api-key': ADMIN_KEY }
  await client.ok(
    client.post('/stream', { schema: 'doors', streams: { rows: { attributes: { n: 'integer' } } } }, headers),
  )
  const door = { into: 'doors.rows', verify: { scheme: 'github', secret: 'a-secret-of-a-test' } }
  await client.ok(client.send('PUT', '/hook/repo', door, headers))
  await client.post('/hook/repo', { n: 1 })
  t.deepEqual(
    (await use('list_hooks')).told.hooks.map(({ name, into }: { name: string; into: string }) => [name, into]),
    [['repo', 'doors.rows']],
  )
  const { told, text } = await use('describe_hook', { hook: 'repo' })
  t.is(told.deliveries[0].verdict, 'unsigned')
  t.false(text.includes(door.verify.secret))
  const lost = await use('describe_hook', { hook: 'rep' })
  t.true(lost.isError)
  t.regex(lost.notes.join(), /to go on: list_hooks/)
  await client.ok(client.send('DELETE', '/hook/repo', undefined, headers))
})

test('an agent that names a source which is not there is told where they are listed', async (t) => {
  t.deepEqual((await use('list_sources')).told.sources, [])
  const lost = await use('describe_source', { source: 'orders' })
  t.true(lost.isError)
  t.regex([lost.text, ...lost.notes].join(), /list_sources/)
})

test.serial('an agent brings a file to a stream, once under its id, and reads which rows were refused', async (t) => {
  const headers = { 'x-api-key': ADMIN_KEY }
  await client.ok(client.post('/brs/bucket', { bucket_name: 'brought' }, headers))
  await client.send('PUT', '/brs/brought/object/a.csv', 'n\n1\nx\n', headers)
  const given = { id: 'brought', from: { bucket: 'brought', key: 'a.csv' }, format: 'CSV', into: 'doors.rows' }
  t.like((await use('start_import', given)).told, { state: 'done', accepted: 1, rejected: 1 })
  t.like((await use('start_import', given)).told, { state: 'done', accepted: 1 })
  t.regex((await use('start_import', { ...given, fomat: 'CSV' })).text, /fomat: is unknown; did you mean format/)
  t.is((await use('list_imports')).told.imports[0].id, 'brought')
  t.like((await use('describe_import', { id: 'brought' })).told.errors[0], { key: 'a.csv', row: 3 })
  const lost = await use('describe_import', { id: 'other' })
  t.true(lost.isError)
  t.regex(lost.text, /the tool list_imports/)
})

test.serial('an agent saves a question with a watch, and tries the watch over the past', async (t) => {
  const watch = { when: 'v > 5', key: ['k'], every: 10 }
  const question = { name: 'watched', sql: "SELECT 'a' AS k, 7 AS v", watch }
  t.is((await use('save_question', { ...question, dry: true })).told.dry, 1)
  t.is((await use('save_question', question)).told.version, 1)
  const times = { from: '2026-11-01T00:00:00Z', to: '2026-11-01T00:01:00Z' }
  const { told } = await use('test_watch', { name: 'watched', ...times })
  t.is(told.evaluations, 7)
  t.deepEqual(
    told.sends.map(({ state, key }: { state: string; key: object }) => [state, key]),
    [['firing', { k: 'a' }]],
  )
  t.false('series' in told)
  const lost = await use('test_watch', { name: 'unsaved', ...times })
  t.true(lost.isError)
  t.is((await use('save_question', { name: 'watched', sql: question.sql })).told.version, 2)
  const bare = await use('test_watch', { name: 'watched', ...times })
  t.true(bare.isError)
  t.regex(bare.text, /watched has no watch: the tool save_question with/)
  t.regex((await use('save_question', { ...question, watch: { ...watch, whn: 1 } })).text, /watch\.whn: is unknown/)
  await client.ok(client.send('DELETE', '/saved/watched', undefined, { 'x-api-key': ADMIN_KEY }))
})

test('an agent defines a schema, sends events, and asks about them', async (t) => {
  const { key, id } = await makeKey(['read', 'write', 'define'], ['schema:made', 'schema:big'])
  const definition = wordsOf('made')
  t.like((await use('check_schema', { definition }, key)).told, { errcode: 0, dry: 1 })
  t.true((await use('describe_schema', { schema: 'made' }, key)).isError)
  t.is((await use('apply_schema', { definition }, key)).told.errcode, 0)
  const { told: shown } = await use('describe_schema', { schema: 'made' }, key)
  t.deepEqual(shown.definition, definition)
  const edited = { ...definition, streams: { ...definition.streams, more: { keep: 'forever' } } }
  const { told: tried } = await use('check_schema', { definition: edited }, key)
  t.deepEqual(
    tried.would_add.map(({ name }: { name: string }) => name),
    ['more'],
  )
  t.is((await use('apply_schema', { definition: edited }, key)).told.errcode, 0)

  const events = [{ k: 'a', v: 9007199254740993n }, { k: 'b', v: 2 }, { v: 'x' }]
  t.like((await use('send_events', { schema: 'made', stream: 's', events }, key)).told, { accepted: 2, rejected: 1 })
  const { told: refused } = await use('refused_events', { schema: 'made', stream: 's' }, key)
  t.is(refused.num_refused, 1)
  const { told: stream } = await use('describe_stream', { schema: 'made', stream: 's' }, key)
  t.is(stream.samples.length, 2)
  t.is(stream.samples[1].v, 9007199254740993n)
  const asked: { readonly query?: string }[] = stream.questions
  t.true(asked.some(({ query }) => query === 'select aggr(v) from made.s groupby k limit 100'))
  t.is((await use('query', { sql: 'select count(*) from made.s;' }, key)).told.retval, 2)
  const { told: recent } = await use('recent_events', { schema: 'made', stream: 's', where: 'k = "b"' }, key)
  t.is(recent.num_items, 1)
  const { told: bySql } = await use('sql', { sql: 'SELECT k, v FROM made.s ORDER BY k' }, key)
  t.deepEqual([bySql.num_items, bySql.rows[1]], [2, { k: 'b', v: 2 }])
  const { told: bound } = await use(
    'sql',
    { sql: 'SELECT v FROM made.s WHERE k IN {ks:Array(String)}', params: { ks: ['b'] } },
    key,
  )
  t.deepEqual(bound.rows, [{ v: 2 }])
  const { schemas } = (await use('list_schemas', {}, key)).told
  // Another test makes the schema big meanwhile.
  const names = schemas.map(({ name }: { name: string }) => name).filter((name: string) => name !== 'big')
  t.deepEqual(names, ['made'])
  t.false((await use('list_models', {}, key)).isError)

  const elsewhere = await use('query', { sql: 'select count(*) from other.s' }, key)
  t.true(elsewhere.isError)
  t.regex(elsewhere.text, /the key is for schema:made/)
  const { changes } = await client.ok(client.send('GET', '/audit', undefined, { 'x-api-key': ADMIN_KEY }))
  const own = changes.filter(({ by, what }: { by: string; what: string }) => by === id && what === 'schema')
  t.is(own.length, 2)
})

test('a definition with allow_loss is tried and registered where it is new, and edits the one of its name', async (t) => {
  const definition = wordsOf('lossy')
  const given = { definition, allow_loss: true }
  t.like((await use('check_schema', given)).told, { errcode: 0, dry: 1 })
  t.is((await use('apply_schema', given)).told.errcode, 0)
  await use('send_events', { schema: 'lossy', stream: 's', events: [{ k: 'a', v: 1 }] })
  const less = { ...definition, streams: { other: { keep: 'forever', attributes: { a: 'text' } } } }
  t.regex((await use('apply_schema', { definition: less })).text, /allow_loss: true/)
  t.is((await use('apply_schema', { definition: less, allow_loss: true })).told.errcode, 0)
  t.deepEqual((await use('describe_schema', { schema: 'lossy' })).told.definition, less)
})

test('arguments that do not fit, and statements that change something, are refused in words', async (t) => {
  const { told, isError } = await use('query', { sqll: 'x' })
  t.true(isError)
  t.regex(told.error.join(), /sql: /)
  t.regex((await use('query', { sql: 'delete from made.s where v = 1' })).text, /query takes select alone/)
  t.regex((await use('graph_query', { graph: 'g', query: 'CREATE (a:b)' })).text, /graph_query reads alone/)
  t.regex((await use('recent_events', { schema: 'a"b', stream: 's' })).text, /schema: must be letters/)
  t.true((await use('sql', { sql: 'SELEC 1' })).isError)
  t.regex((await use('query', { sql: 'select a, b from made.s' })).text, /; the tool sql has it/)
  t.regex(
    (await use('query', { sql: 'select * from made.s where k in ("a")' })).text,
    /write \(a = 1 or a = 2\); the tool sql/,
  )
  t.regex((await use('query', { sql: 'select * from made.s where k like "D%"' })).text, /write \\"D\*\\"/)
  t.regex(
    (await use('sql', { sql: 'SELECT 1 WHERE \'a\' > "2001-02-01"' })).text,
    /stands in single quotes: '2001-02-01'/,
  )
})

test('records, graphs, predictions and trainings have their tools', async (t) => {
  const admin = { 'x-api-key': ADMIN_KEY }
  await client.ok(client.post('/db/shelf/table', { table_name: 't', table_type: 1, key_type: 1 }, admin))
  t.is((await use('put_record', { database: 'shelf', table: 't', key: 'a/b', doc: { n: 5 } })).told.errcode, 0)
  t.like((await use('get_record', { database: 'shelf', table: 't', key: 'a/b' })).told, { n: 5 })
  t.is((await use('query', { database: 'shelf', sql: 'select * from t' })).told.num_items, 1)
  await client.ok(client.post('/graph/web/node', { label: 'P', name: 'ida', prop: {} }, admin))
  t.is((await use('graph_query', { graph: 'web', query: 's=>(@a P:*); RETURN a.name' })).told.num_items, 1)
  t.regex(
    (await use('graph_query', { graph: 'wep', query: 's=>(P:*)' })).notes.join(),
    /to go on: list_graphs, describe_graph$/,
  )
  t.true((await use('list_graphs')).told.graphs.includes('web'))
  t.true((await use('list_tables')).told.databases.includes('shelf'))
  t.regex((await use('list_tables', { database: 'shelf' })).text, /"t"/)

  const [stream] = schemaOf('lines').streams
  const attr = [...(stream?.attr ?? []), { name: 'u', type: 11 }]
  await client.ok(client.post('/stream', { schema: 'lines', streams: [{ ...stream, attr }] }, admin))
  const events = Array.from({ length: 60 }, (_, i) => ({ v: i, u: 3 * i }))
  await use('send_events', { schema: 'lines', stream: 's', events })
  const request = {
    ...{ schema: 'lines', model: 'm', algorithm: 'linear', target: 'u', task: 'regress', from: { stream: 's' } },
    attributes: ['v', { name: 'u', type: 'number' }],
  }
  t.is((await use('train_model', request)).told.state, 'scheduled')
  const status = () => use('training_status', { schema: 'lines', model: 'm' })
  await until('the model', async () => (await status()).told.state === 'done', 240_000)
  t.like((await status()).told, { schema: 'lines', model: 'm', progress: 1, serving_version: 1 })
  const { told: predicted } = await use('predict', { schema: 'lines', model: 'm', rows: [{ v: 20 }, '20', { v: 'x' }] })
  t.is(predicted.num_items, 3)
  for (const row of predicted.rows.slice(0, 2)) t.true(Math.abs(row.prediction - 60) < 6, JSON.stringify(row))
  t.regex(predicted.rows[2].error, /v/)
  const { told: described, text } = await use('describe_model', { schema: 'lines', model: 'm' })
  t.like(described, { schema: 'lines', model: 'm', algorithm: 'linear', target: 'u', from: { stream: 's' } })
  t.deepEqual(Object.keys(described.example), ['v'])
  t.deepEqual(
    ['schema-name', 'model_name', 'algo_type', 'training_source', 'input_example'].filter((each) =>
      text.includes(each),
    ),
    [],
  )
  t.like((await use('list_models')).told.models[0], {
    schema: 'lines',
    model: 'm',
    algorithm: 'linear',
    training: 'done',
  })
  const refused = async (given: object) => (await use('train_model', { ...request, ...given })).text
  t.regex(await refused({ from: {} }), /from: give one of \{\\"stream\\"\}/)
  t.regex(await refused({ algorithm: 'LIN' }), /algorithm: /)
  t.regex(await refused({ max_bad_share: 2 }), /max_bad_share/)
  t.regex(await refused({ parameters: { lost: 1 } }), /parameters/)
  t.like((await use('service_status')).told, { about: { name: 'weir' }, ready: { status: 'ready' } })
})

test('an answer has 1,000 rows and 256 KB at most, and says how to go on', async (t) => {
  await client.ok(client.post('/stream', schemaOf('big'), { 'x-api-key': ADMIN_KEY }))
  const wide = 'x'.repeat(2_000)
  for (const from of [0, 1_000]) {
    const events = Array.from({ length: 1_000 }, (_, i) => ({ v: from + i, ...(from === 0 && { wide }) }))
    await use('send_events', { schema: 'big', stream: 's', events })
  }
  const seen: number[] = []
  let cursor: string | undefined
  for (;;) {
    const given = { sql: 'select * from big.s', limit: 1_000, ...(cursor && { cursor }) }
    const { told, text, notes } = await use('query', given)
    t.true(told.rows.length <= 1_000 && text.length <= 256 * 1024)
    t.false('levk' in told || 'sec_buf' in told)
    seen.push(...told.rows.map(({ v }: { v: number }) => v))
    if (told.more_data_to_come === 0) break
    const [, next = ''] = /^rows remain: call again with the same sql and with cursor (.+)$/.exec(notes[0] ?? '') ?? []
    cursor = next
  }
  t.deepEqual(
    seen.toSorted((a, b) => a - b),
    Array.from({ length: 2_000 }, (_, i) => i),
  )
  const short = await use('query', { sql: 'select * from big.s' })
  t.true(short.told.rows.length <= 100 && Buffer.byteLength(short.text) <= 20 * 1024, short.text.slice(0, 200))
  t.regex(short.notes.join(), /^rows remain: call again/)
  const few = await use('sql', { sql: 'SELECT v FROM big.s' })
  t.deepEqual([few.told.rows.length, typeof few.told.rows[0].v], [100, 'number'])
  t.regex(few.notes.join(), /rows was cut after the first 100,.*set limit, to at most 1000,.*OFFSET 100$/)
  const { told, notes } = await use('sql', { sql: 'SELECT v FROM big.s', limit: 1_000 })
  t.is(told.rows.length, 1_000)
  t.regex(notes.join(), /rows was cut after the first 1000,.*OFFSET 1000/)
  const { text, notes: cut } = await use('sql', { sql: 'SELECT * FROM big.s WHERE v < 1000 FORMAT TSV', limit: 1_000 })
  t.true(Buffer.byteLength(text) <= 256 * 1024)
  t.regex(cut.join(), /these are the first 262144 of \d+ bytes/)
})

test('a page that is shorter than its limit goes on behind its last row, also of a query with a condition', async (t) => {
  await client.ok(client.post('/stream', schemaOf('wide'), { 'x-api-key': ADMIN_KEY }))
  const events = Array.from({ length: 300 }, (_, v) => ({ v, text: 'x'.repeat(v % 2 === 0 ? 5_000 : 10) }))
  await use('send_events', { schema: 'wide', stream: 's', events })
  const seen: number[] = []
  let cursor: string | undefined
  for (;;) {
    const sql = 'select * from wide.s where v >= 0 limit 200 ;'
    const { told, notes } = await use('query', { sql, ...(cursor && { cursor }) })
    if (!told.rows) throw new Error(JSON.stringify(told))
    seen.push(...told.rows.map(({ v }: { v: number }) => v))
    if (told.more_data_to_come === 0) break
    cursor = /cursor (.+)$/.exec(notes[0] ?? '')?.[1] ?? ''
  }
  t.deepEqual(
    seen,
    Array.from({ length: 300 }, (_, i) => 299 - i),
  )
})

test('rows of SQL that do not fit say behind which row to go on, in every format', async (t) => {
  await client.ok(client.post('/stream', schemaOf('told'), { 'x-api-key': ADMIN_KEY }))
  const events = Array.from({ length: 3 }, (_, v) => ({ v, text: 'x'.repeat(100_000) }))
  await use('send_events', { schema: 'told', stream: 's', events })
  t.is((await use('query', { sql: 'select count(*) from told.s' })).told.retval, 3)
  const heavy = await use('sql', { sql: 'SELECT * FROM told.s ORDER BY _pk', limit: 1_000 })
  t.deepEqual([heavy.told.rows.length, heavy.told.num_items], [2, 2])
  t.regex(heavy.notes.join(), /rows was cut after the first 2 of 3,.*OFFSET 2$/)
  const lines = await use('sql', { sql: 'SELECT number FROM numbers(1500) FORMAT CSV', limit: 1_000 })
  t.is(lines.text.trim().split('\n').length, 1_000)
  t.regex(lines.notes.join(), /^rows remain: .*OFFSET 1000$/)
  const all = await use('sql', { sql: 'SELECT number FROM numbers(1000) FORMAT JSONEachRow', limit: 1_000 })
  t.deepEqual([all.text.trim().split('\n').length, all.notes], [1_000, []])
})

test('samples have the key of an entity, and large ones leave the rest of the answer whole', async (t) => {
  const [stream] = schemaOf('samples').streams
  const enty = {
    name: 'e',
    opid: 3,
    ratr: ['n'],
    iatr: ['v'],
    pkatr: [{ name: 'k', type: 5, iatr: ['k'] }],
    rstm: 'one',
  }
  const attr = [
    { name: 'k', type: 5, pk: 1 },
    { name: 'n', type: 9 },
  ]
  const streams = [
    { ...stream, enty: [enty] },
    { name: 'one', type: 4, attr },
  ]
  await client.ok(client.post('/stream', { schema: 'samples', streams }, { 'x-api-key': ADMIN_KEY }))
  const events = ['a', 'b'].map((k, i) => ({ k, v: i, text: 'x'.repeat(300_000) }))
  await use('send_events', { schema: 'samples', stream: 's', events })
  const { told, notes } = await use('describe_stream', { schema: 'samples', stream: 's' })
  t.is(told.samples.length, 0)
  t.true(told.questions.length > 3)
  t.regex(notes.join(), /samples was cut after the first 0,set limit/)
  const one = await use('describe_stream', { schema: 'samples', stream: 'one' })
  t.like(one.told.samples[1], { k: 'b', n: { cnt: 1, sum: 1 } })
  const wrong = await use('query', { sql: 'select * from samples.one where n > 1' })
  t.regex(wrong.text, /there are k, n\.cnt, n\.sum, /)
})

test('the tools that take a schema or a training say of which members it is made', async (t) => {
  const { tools } = (await ask('tools/list')).result
  for (const [tool, members] of [
    ['check_schema', ['streams', 'entities', 'joins', 'patterns']],
    ['apply_schema', ['attributes', 'groups', 'stats', 'keep', 'filters', 'where']],
    ['train_model', ['algorithm', 'from', 'attributes', 'holdout']],
  ] as const) {
    const shown = JSON.stringify(tools.find(({ name }: { name: string }) => name === tool).inputSchema)
    for (const member of members) t.true(shown.includes(`"${member}"`), `${tool}: ${member}`)
  }
})

test('a list of no messages is a request that asks nothing', async (t) => {
  t.is((await send([])).status, 400)
})
