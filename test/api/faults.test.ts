import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import type { Answer } from '../support/requests/client.ts'
import { rawRequest } from '../support/requests/raw-request.ts'
import { startService } from '../support/service.ts'

const service = await startService({ MAX_BODY_MB: '1' })
const { client } = service
test.after.always(() => service.close())

const attributes = [
  { name: 'name', type: 'STRING' },
  { name: 'n', type: 'LONG', stat: 'RSTAT' },
  { name: 'x', type: 'DOUBLE' },
  { name: 'yes', type: 'BOOL' },
  { name: 'prod', type: 'OBJECT', fields: [{ name: 'price', type: 'DOUBLE' }] },
]
test.before(() =>
  client.register({
    schema: 's',
    streams: [
      { name: 'st', type: 1, swsz: 0, attr: attributes },
      { name: 'empty', type: 1, attr: attributes },
    ],
  }),
)

/** The body of every refusal: exact members, and a message a problem. */
function refused(
  t: ExecutionContext,
  answer: Answer,
  status: number,
  errcode: number,
  problems: readonly (string | RegExp)[],
) {
  t.is(answer.status, status, answer.text)
  t.regex(answer.headers.get('content-type') ?? '', /^application\/json/)
  t.deepEqual(Object.keys(answer.body).toSorted(), ['errcode', 'error'])
  t.is(answer.body.errcode, errcode)
  t.is(answer.body.error.length, problems.length, answer.text)
  for (const [index, problem] of problems.entries()) {
    if (typeof problem === 'string') t.is(answer.body.error[index], problem)
    else t.regex(answer.body.error[index], problem)
  }
  t.false(/\bat .*\.(ts|js):\d+/.test(answer.text), 'a stack trace')
}

const post = (body: unknown, headers?: Record<string, string>) => client.post('/stream/s/empty', body, headers)

/** Text, and the position, line and column at which it stops being JSON. */
const malformed: readonly (readonly [text: string, position: number, line: number, column: number])[] = [
  ['', 0, 1, 1],
  ['   ', 0, 1, 1],
  ['{', 1, 1, 2],
  ['{"name":', 8, 1, 9],
  ['{"name":}', 8, 1, 9],
  ['{"name": nope}', 9, 1, 10],
  ['{name: 1}', 1, 1, 2],
  ["{'name': 1}", 1, 1, 2],
  ['{"name": "a",}', 13, 1, 14],
  ['{"name": "a"} {', 14, 1, 15],
  ['{"n": 01}', 7, 1, 8],
  ['{"n": 1.}', 8, 1, 9],
  ['{"n": +1}', 6, 1, 7],
  ['{"n": NaN}', 6, 1, 7],
  ['{"n": Infinity}', 6, 1, 7],
  ['[1, 2,]', 6, 1, 7],
  ['{\n  "name": "a",\n  "n": oops\n}', 24, 3, 8],
  ['{"name": "a\nb"}', 11, 1, 12],
  ['{"name": "\\x"}', 11, 1, 12],
  ['nope', 0, 1, 1],
  [`{"name": "${'y'.repeat(500)}", "n": ?}`, 518, 1, 519],
]
for (const [text, position, line, column] of malformed) {
  test(`malformed JSON is refused with its position: ${JSON.stringify(text.slice(0, 40))}`, async (t) => {
    const place = new RegExp(`^the event is no JSON: .* at position ${position} \\(line ${line}, column ${column}\\)$`)
    refused(t, await post(text), 400, -1, [place])
  })
}

const wrongTypes: readonly (readonly [event: string, problems: readonly (string | RegExp)[]])[] = [
  ['{"name": 5}', ['name: expected text in quotes (STRING), got the number 5']],
  ['{"name": true}', ['name: expected text in quotes (STRING), got true']],
  ['{"name": ["a"]}', ['name: expected text in quotes (STRING), got an array']],
  ['{"name": {"a": 1}}', ['name: expected text in quotes (STRING), got an object']],
  ['{"n": "5"}', ['n: expected an integer within 64 bits (LONG), got the string "5"']],
  ['{"n": 5.5}', ['n: expected an integer within 64 bits (LONG), got the number 5.5']],
  ['{"n": 9223372036854775808}', ['n: expected an integer within 64 bits (LONG), got the number 9223372036854775808']],
  [
    '{"n": -9223372036854775809}',
    ['n: expected an integer within 64 bits (LONG), got the number -9223372036854775809'],
  ],
  ['{"n": 1e19}', ['n: expected an integer within 64 bits (LONG), got the number 10000000000000000000']],
  ['{"n": false}', ['n: expected an integer within 64 bits (LONG), got false']],
  ['{"x": "1.5"}', ['x: expected a number (DOUBLE), got the string "1.5"']],
  ['{"x": []}', ['x: expected a number (DOUBLE), got an array']],
  ['{"yes": 1}', ['yes: expected a boolean, true or false (BOOL), got the number 1']],
  ['{"yes": "true"}', ['yes: expected a boolean, true or false (BOOL), got the string "true"']],
  ['{"prod": 3}', ['prod: expected json, an object or an array (OBJECT), got the number 3']],
  ['{"prod": {"price": "dear"}}', ['prod.price: expected a number (DOUBLE), got the string "dear"']],
  [
    '{"name": 1, "n": "2", "x": 3, "yes": "4", "prod": {"price": false}}',
    [
      'name: expected text in quotes (STRING), got the number 1',
      'n: expected an integer within 64 bits (LONG), got the string "2"',
      'yes: expected a boolean, true or false (BOOL), got the string "4"',
      'prod.price: expected a number (DOUBLE), got false',
    ],
  ],
  ['{"_pk": -1}', ['_pk: expected a LONG of microseconds since 1970, not negative, got the number -1']],
  ['{"_pk": "now"}', [/^_pk: the string "now" is no time of ISO 8601: send a text such as /]],
  ['{"_pk": 1.5}', ['_pk: expected a LONG of microseconds since 1970, not negative, got the number 1.5']],
  [
    '{"_pk": 9223372036854775808}',
    ['_pk: expected a LONG of microseconds since 1970, not negative, got the number 9223372036854775808'],
  ],
  ['5', ['an event is a JSON object, got the number 5; several events go as NDJSON, one a line']],
  ['"text"', ['an event is a JSON object, got the string "text"; several events go as NDJSON, one a line']],
  ['null', ['an event is a JSON object, got null; several events go as NDJSON, one a line']],
  ['[{"n": 1}]', ['an event is a JSON object, got an array; several events go as NDJSON, one a line']],
  ['{"x": 1e400}', ['1e400 is a number that neither a double nor an int64 holds']],
  ['{"other": -1e999}', ['-1e999 is a number that neither a double nor an int64 holds']],
  [`{"other": 1${'0'.repeat(400)}}`, [`1${'0'.repeat(39)} is a number that neither a double nor an int64 holds`]],
  ['{"name": "\\ud800"}', ['a string holds half a surrogate pair, which is no Unicode text']],
  ['{"other": {"\\udfff": 1}}', ['a string holds half a surrogate pair, which is no Unicode text']],
]
for (const [event, problems] of wrongTypes) {
  test(`an event with a wrong value is refused: ${event.slice(0, 60)}`, async (t) => {
    refused(t, await post(event), 400, -1, problems)
  })
}

test('a long value is shown short', async (t) => {
  const answer = await post({ n: 'z'.repeat(10_000) })
  t.is(answer.status, 400)
  t.true(answer.text.length < 300, answer.text)
})

test('nesting too deep is refused, a deep one that can be read is kept', async (t) => {
  const nested = (depth: number) => `{"other": ${'['.repeat(depth)}${']'.repeat(depth)}}`
  for (const depth of [10_000, 200_000]) {
    const answer = await post(nested(depth))
    // How much can still be read depends on the machine's stack, for the first one.
    if (depth === 200_000 || answer.status !== 200) refused(t, answer, 400, -1, [/nested too deep/])
  }
  const answer = await client.post('/stream/s/st', nested(500))
  t.is(answer.status, 200, answer.text)
})

test('a schema or a training nested so deep that it could not be written anew is refused, and makes nothing', async (t) => {
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
  const stream = (name: string, member = '') =>
    `{"name":"${name}","type":1,"attr":[{"name":"a","type":5}]${member && `,"x":${member}`}}`
  const tooDeep = /^the (schema|body|request) nests deeper than 200$/
  const schema = (member: string) => `{"schema":"deep","streams":[${stream('one', member)}]}`
  refused(t, await client.post('/stream', schema(deep)), 400, -1, [tooDeep])
  t.is((await client.get('/stream/deep/schema')).status, 404)
  await client.ok(client.post('/stream', schema(`${'['.repeat(190)}${']'.repeat(190)}`)))
  refused(t, await client.send('PUT', '/stream', schema(deep)), 400, -1, [tooDeep])
  const more = `{"streams":[${stream('two', deep)}]}`
  refused(t, await client.send('PUT', '/stream/deep', more), 400, -1, [tooDeep])
  await client.ok(client.send('PUT', '/stream/deep', `{"streams":[${stream('two')}]}`))
  await client.ok(client.send('DELETE', '/stream/deep/one'))
  for (const [method, path] of [
    ['POST', '/ml/train'],
    ['PUT', '/ml/deep/model/version'],
  ] as const) {
    const { status, body } = await client.send(method, path, deep)
    t.deepEqual([status, body.errcode, body.errorcode], [400, -1, -1], path)
    t.regex(body.error[0], tooDeep)
  }
})

test('bytes that are no UTF-8 are refused', async (t) => {
  for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xc0, 0xaf]]) {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')])
    refused(t, await post(body), 400, -1, ['the body is no UTF-8'])
  }
  const sql = Buffer.concat([Buffer.from('{"sql":"select * from s.st'), Buffer.from([0xff]), Buffer.from('"}')])
  refused(t, await client.post('/db/d/query', sql), 400, -1, ['the query is no UTF-8'])
  refused(t, await client.post('/stream', Buffer.from([0xfe, 0xff])), 400, -1, ['the schema is no UTF-8'])
})

test('a line that is no UTF-8 is refused alone', async (t) => {
  const lines = (good: string) =>
    Buffer.concat([Buffer.from(`${good}\n{"name":"`), Buffer.from([0xff]), Buffer.from(`"}\n${good}`)])
  const headers = { 'content-type': 'application/x-ndjson' }
  const answer = { errcode: 0, accepted: 2, rejected: 1, errors: [{ line: 2, error: 'the line is no UTF-8' }] }
  t.deepEqual(await client.ok(client.post('/stream/s/st', lines('{"name":"ä"}'), headers)), answer)
  await client.ok(client.post('/db/lines/table', { table_name: 't', table_type: 1, key_type: 1 }))
  t.deepEqual(await client.ok(client.post('/db/lines/t/doc', lines('{"name":"ä"}'), headers)), answer)
})

test('a name that no database can have is refused wherever it is asked for', async (t) => {
  const error = ["the name of the database '1bad' must not start with a digit"]
  for (const path of ['list', 'list/1', 'stat', 'count', 't', 't/count']) {
    const { status, body } = await client.get(`/db/1bad/${path}`)
    t.deepEqual([status, body], [400, { errcode: -1, error, msg: error[0] }], path)
  }
  refused(t, await client.post('/db/1bad/query', { sql: 'select * from t' }), 400, -1, error)
})

test('what is not there is a 404 that says what is', async (t) => {
  refused(t, await client.post('/stream/none/st', '{}'), 404, -3, [/^no schema "none"/])
  refused(t, await client.post('/stream/s/none', '{}'), 404, -3, ['no stream "none" in schema s; there are st, empty'])
  refused(t, await client.get('/stream/none/schema'), 404, -3, [/^no schema "none"/])
  refused(t, await client.get('/stream/none/info'), 404, -3, [/^no schema "none"/])
  refused(t, await client.get('/stream/s/none/count'), 404, -3, [/^no stream "none"/])
  refused(t, await client.get('/stream/s/none/state'), 404, -3, [/^no stream "none"/])
  refused(t, await client.send('PUT', '/stream/s/none/state', { state: 0 }), 404, -3, [/^no stream "none"/])
  refused(t, await client.send('DELETE', '/stream/none'), 404, -3, [/^no schema "none"/])
  refused(t, await client.query('select * from none.st'), 404, -3, [/^no schema "none"/])
  refused(t, await client.query('select count(*) from s.none'), 404, -3, [/^no stream "none"/])
  for (const path of ['/nope', '/stream/s/st/nope/more', '/streams', '/__proto__', '/.%2e/x']) {
    refused(t, await client.get(path), 404, -3, [/./])
  }
  for (const name of ['__proto__', 'constructor', 'toString', '%00', '%F0%9F%8E%88', '..%2f..%2fetc', '%E0%A4%A']) {
    refused(t, await client.post(`/stream/${name}/st`, '{}'), 404, -3, [/./])
    refused(t, await client.post(`/stream/s/${name}`, '{}'), 404, -3, [/./])
  }
})

test('a long name is shown short', async (t) => {
  const answer = await client.post(`/stream/${'n'.repeat(5_000)}/st`, '{}')
  t.is(answer.status, 404)
  t.true(answer.text.length < 300)
})

test('another method is a 405 with Allow', async (t) => {
  const cases = [
    ['PATCH', '/stream', ['POST']],
    ['GET', '/stream/s/st', ['POST']],
    ['POST', '/health/live', ['GET', 'HEAD']],
    ['DELETE', '/metrics', ['GET', 'HEAD']],
    ['PATCH', '/stream/s/st/state', ['GET', 'HEAD', 'PUT']],
  ] as const
  for (const [method, path, allowed] of cases) {
    const answer = await client.send(method, path)
    refused(t, answer, 405, -1, [/takes .*, not /])
    const allow = (answer.headers.get('allow') ?? '').split(', ')
    for (const each of allowed) t.true(allow.includes(each), `${path}: ${allow}`)
  }
})

test('HEAD answers as GET without a body, OPTIONS tells the methods', async (t) => {
  const head = await client.send('HEAD', '/stream/list')
  t.deepEqual([head.status, head.text], [200, ''])
  t.true(Number(head.headers.get('content-length')) > 10)
  t.is((await client.send('HEAD', '/nope')).status, 404)
  t.is((await client.send('HEAD', '/stream/s/st')).status, 405)
  const options = await client.send('OPTIONS', '/stream/s/st')
  t.is(options.headers.get('allow')?.split(', ').includes('POST'), true)
})

const gzipped = { 'content-encoding': 'gzip' }

test('a body beyond MAX_BODY_MB is a 413, plain, chunked, packed or announced', async (t) => {
  const big = Buffer.from(`{"name":"${'x'.repeat(1024 * 1024)}"}`)
  const tooLarge = /^the body exceeds 1 MB \(MAX_BODY_MB\)/
  refused(t, await post(big), 413, -5, [tooLarge])
  refused(t, await post(gzipSync(big), gzipped), 413, -5, [tooLarge])
  const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024, 0x20), { level: 9 })
  t.true(bomb.length < 1024 * 1024)
  refused(t, await post(bomb, gzipped), 413, -5, [tooLarge])
  refused(t, await client.post('/db/d/query', big), 413, -5, [tooLarge])
  refused(t, await client.post('/stream', big), 413, -5, [tooLarge])

  const chunk = Buffer.alloc(64 * 1024, 0x20)
  const head = 'POST /stream/s/empty HTTP/1.1\r\nHost: localhost\r\n'
  const chunked = await rawRequest(client.url, [
    `${head}Transfer-Encoding: chunked\r\n\r\n`,
    ...Array.from({ length: 40 }, () => Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')])),
    '0\r\n\r\n',
  ])
  t.regex(chunked, /^HTTP\/1\.1 413 [\s\S]*"errcode":-5/)
  const announced = await rawRequest(client.url, [`${head}Content-Length: 99999999999\r\n\r\n`])
  t.regex(announced, /^HTTP\/1\.1 413 [\s\S]*"errcode":-5/)
})

test('a large body that is refused gets its answer every time, and the next request its own', async (t) => {
  for (const megabytes of [8, 40]) {
    const big = Buffer.alloc(megabytes * 1024 * 1024, 0x20)
    for (let round = 0; round < 10; round++) {
      t.is((await post(big)).status, 413)
      t.is((await client.get('/health/live')).status, 200)
    }
  }
})

test.serial('a body far beyond the limit gets its answer too, announced or in chunks', async (t) => {
  const megabyte = Buffer.alloc(1024 * 1024, 0x20)
  const megabytes = 100
  for (const length of [{ 'content-length': String(megabytes * megabyte.length) }, {}]) {
    const sending = request(`${client.url}/stream/s/empty`, { method: 'POST', headers: length })
    const answered = once(sending, 'response')
    for (let sent = 0; sent < megabytes; sent++) if (!sending.write(megabyte)) await once(sending, 'drain')
    sending.end()
    const [answer] = await answered
    t.is(answer.statusCode, 413)
    answer.resume()
  }
})

test.serial('a body that the client asks to send is invited where it is read, and nowhere else', async (t) => {
  const asking = (path: string, length: number, body: string) =>
    rawRequest(client.url, [
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`,
      body,
    ])
  const event = '{"n":1}'
  t.regex(await asking('/stream/s/st', event.length, event), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  const started = performance.now()
  t.regex(await asking('/stream/s/st', 2 * 1024 * 1024, ''), /^HTTP\/1\.1 413 /)
  t.regex(await asking('/nope', event.length, ''), /^HTTP\/1\.1 404 /)
  t.true(performance.now() - started < 2_500, 'nothing waits for a body that does not come')
})

test('a body just within the limit is taken', async (t) => {
  const event = `{"name":"${'x'.repeat(1024 * 1024 - 11)}"}`
  t.is(event.length, 1024 * 1024)
  t.is((await client.post('/stream/s/st', event)).status, 200)
  t.is((await client.post('/stream/s/st', gzipSync(event), gzipped)).status, 200)
})

test('an encoding that is not spoken is a 415, a broken gzip a 400', async (t) => {
  for (const encoding of ['zstd', 'gzip, gzip', 'compress', 'x'.repeat(3000)]) {
    refused(t, await post('{}', { 'content-encoding': encoding }), 415, -1, [/^content encoding .* gzip/])
  }
  const packed = gzipSync('{"name":"a"}')
  for (const body of [Buffer.from('{}'), packed.subarray(0, packed.length - 9), Buffer.alloc(0)]) {
    refused(t, await post(body, gzipped), 400, -1, ['the body is no gzip, or cut short'])
  }
  t.is((await client.post('/stream/s/st', '{}', { 'content-encoding': 'identity' })).status, 200)
  t.is((await client.post('/stream/s/st', packed, { 'content-encoding': 'GZIP' })).status, 200)
})

test('the content type does not matter for JSON', async (t) => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense', 'multipart/form-data']) {
    t.is((await client.post('/stream/s/st', '{"n": 1}', { 'content-type': type })).status, 200)
    const query = '{"sql": "select * from s.st limit 1"}'
    t.is((await client.post('/db/d/query?consistency=eventual', query, { 'content-type': type })).status, 200)
  }
})

test('a client that goes away in the middle of its body leaves nothing', async (t) => {
  const head = 'POST /stream/s/empty HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"n":1}'
  const { connect } = await import('node:net')
  const { hostname, port } = new URL(client.url)
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(head, () => socket.destroy())
    })
    socket.on('close', () => resolve())
  })
  t.is((await client.get('/health/live')).status, 200)
})

test('what is no HTTP is a 400 and the service goes on', async (t) => {
  t.regex(await rawRequest(client.url, ['nonsense\r\n\r\n']), /^HTTP\/1\.1 400 /)
  t.regex(
    await rawRequest(client.url, [`GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`]),
    /^HTTP\/1\.1 4\d\d /,
  )
  t.is((await client.get('/health/live')).status, 200)
})

const badQueries: readonly (readonly [body: string, problem: string | RegExp])[] = [
  ['', /^the body is no JSON: .* at position 0/],
  ['{}', 'send {"sql": "<statement>"}'],
  ['[]', 'send {"sql": "<statement>"}'],
  ['{"sql": 5}', 'send {"sql": "<statement>"}'],
  ['{"sql": null}', 'send {"sql": "<statement>"}'],
  ['{"sql": ""}', /^line 1, column 1: /],
]
for (const [body, problem] of badQueries) {
  test(`a query body that is none is refused: ${body}`, async (t) => {
    refused(t, await client.post('/db/d/query', body), 400, -1, [problem])
  })
}

const badStatements: readonly (readonly [sql: string, column: number])[] = [
  ['selec * from s.st', 1],
  ['select * form s.st', 10],
  ['select * from s.st where', 25],
  ['select * from s.st where n >', 29],
  ['select * from s.st where n ! 5', 28],
  ['select * from s.st limit -1', 26],
  ['select * from s.st limit 1.5', 26],
  ['select * from s.st limit 99999999999999999999', 26],
  ['select * from s.st; drop table s.st', 21],
  ['select * from s.st union select 1', 20],
  ['select * from s.st where name = "a', 33],
  ['select * from s.st where name = 5', 26],
  ['select * from s.st where n = "5"', 26],
  ['select * from s.st where yes = 1', 26],
  ['select * from s.st where n = x', 30],
  ['select * from s.st where st = 5', 26],
  ['select * from s.st where et >= 5', 26],
  ['select * from s.st where n like "a*"', 26],
  ['select count(*) from s.st limit 5', 27],
  ['select aggr(n) from s.st where n = 5', 32],
  ['select aggr(n) from s.st where st = 5', 32],
  ['select aggr(n) from s.st rollup -1', 33],
  ['select aggr(n) from s.st where st >= 1.5', 32],
]
for (const [sql, column] of badStatements) {
  test(`a bad query is refused with line, column and caret: ${sql}`, async (t) => {
    const answer = await client.query(sql)
    const [problem] = answer.body.error
    refused(t, answer, 400, -1, [new RegExp(`^line 1, column ${column}: `)])
    const lines = String(problem).split('\n')
    t.is(lines.at(-2), sql)
    t.is(lines.at(-1), `${' '.repeat(column - 1)}^`)
  })
}

const meaningless: readonly (readonly [sql: string, column: number, told: RegExp])[] = [
  [
    'select aggr(name) from s.st',
    13,
    /aggr\(name\): s\.st keeps no running statistic of name; running statistics are kept for n$/m,
  ],
  ['select aggr(nothing) from s.st', 13, /running statistics are kept for n$/m],
  ['select aggr(n) from s.st groupby name', 13, /none is defined$/m],
  ['select aggr(n) from s.st where skey = "a"', 32, /groupby/],
  ['select aggr(n) from s.st where st >= 1 or et <= 1', 32, /joined by and/],
  ['select aggr(n) from s.st where (st >= 1 or et <= 1) and et <= 1', 33, /joined by and/],
  ['select aggr(n) from s.st where skey = "a" and skey = "b" groupby n', 47, /skey comes twice/],
  ['delete from s.st where st >= 1795659120000', 24, /looks like milliseconds: write 1795659120000000/],
  ['delete from s.st where _pk >= 1795659120000', 24, /looks like milliseconds: write 1795659120000000/],
  ...[
    'select * from s.st where ',
    'select count(*) from s.st where n = 1 and ',
    'select aggr(n) from s.st where ',
    'delete from s.st where ',
    'delete from s.st where n = 1 or ',
  ].flatMap((asked): (typeof meaningless)[number][] => [
    [`${asked}st >= 5`, asked.length + 1, /st is in microseconds since 1970, .* got 5$/m],
    [`${asked}et <= "1971-01-01"`, asked.length + 1, /et: "1971-01-01" is before 1973-03-03T09:46:40Z/],
  ]),
  ['update s.st set val = {"n": 1} where n = 1', 8, /s\.st is a stream/],
]
for (const [sql, column, told] of meaningless) {
  test(`a query that means nothing here is refused with what would, and where: ${sql}`, async (t) => {
    const answer = await client.query(sql)
    refused(t, answer, 400, -1, [told])
    const [problem] = answer.body.error
    t.regex(problem, new RegExp(`^line 1, column ${column}: `))
    t.true(problem.endsWith(`\n${sql}\n${' '.repeat(column - 1)}^`), problem)
  })
}

test('where to go on is refused when this service did not say it', async (t) => {
  const sql = 'select * from s.st where n >= 0'
  const own = (await client.ok(client.query(sql))).sec_buf
  t.is(typeof own, 'string')
  for (const sec_buf of [
    'x',
    'AAAA',
    `${own}A`,
    own.slice(4),
    own.replace(/^./, own[0] === 'A' ? 'B' : 'A'),
    17,
    true,
  ]) {
    refused(t, await client.query(sql, { sec_buf }), 400, -1, [/^sec_buf: /])
  }
  refused(t, await client.query('select * from s.st where n >= 1', { sec_buf: own }), 400, -1, [/^sec_buf: /])
  refused(t, await client.query(`${sql} and n < 9 limit 3`, { sec_buf: own }), 400, -1, [/^sec_buf: /])
  // Pages may have different lengths.
  await client.ok(client.query(`${sql} limit 3;`, { sec_buf: own }))
  for (const levk of ['x', -1, 1.5, true, '1; drop table', 99999999999999999999n, 9999999999999999999n]) {
    refused(t, await client.query('select * from s.st', { levk }), 400, -1, [/^levk: /])
    refused(t, await client.query('select aggr(n) from s.st', { levk }), 400, -1, [/^levk: /])
  }
  for (const levk of [{}, []]) {
    refused(t, await client.query('select * from s.st', { levk }), 400, -1, ['levk: send the levk of the last answer'])
  }
})

test('a query of any size is answered or refused, never with a 5xx', async (t) => {
  const long = 'x'.repeat(900_000)
  const terms = (n: number, term: (index: number) => string, word = 'or') =>
    Array.from({ length: n }, (_, index) => term(index)).join(` ${word} `)
  const queries = [
    `name = "${long}"`,
    `other.${'deep.'.repeat(20_000)}er = 1`,
    terms(20_000, (index) => `n = ${index}`),
    terms(20_000, (index) => `a.b = ${index}`),
    terms(10_000, (index) => `name = "${index}"`, 'and'),
    terms(300, (index) => `a.b.c >= ${index}`),
    `${'('.repeat(5_000)}n = 1${')'.repeat(5_000)}`,
    `n = ${'9'.repeat(100_000)}`,
    `n = 1e999999`,
    `x < ${'1'.repeat(400)}`,
    `a = 1 ${' '.repeat(500_000)}`,
  ]
  for (const where of queries) {
    const began = performance.now()
    const answer = await client.query(`select count(*) from s.st where ${where}`)
    t.true(
      answer.status === 200 || answer.status === 400,
      `${where.slice(0, 40)}: ${answer.status} ${answer.text.slice(0, 300)}`,
    )
    t.true(performance.now() - began < 30_000, `${where.slice(0, 40)} took ${performance.now() - began} ms`)
    t.true(answer.text.length < 2_000)
  }
})

test('numbers at the end of their range are taken by every clause', async (t) => {
  for (const sql of [
    'select * from s.st limit 9007199254740991',
    'select * from s.st where _pk > 9223372036854775807',
    'select * from s.st where _pk > 99999999999999999999',
    'select * from s.st where st >= -9223372036854775808 and et <= 9223372036854775807',
    'select count(*) from s.st where n != -1e308 or x >= 1e400',
    'select aggr(n) from s.st rollup 9007199254740991',
    'select aggr(n) from s.st rollup 1000000000000',
    'select aggr(n) from s.st where st >= -9223372036854775808 and et <= 9223372036854775807 rollup 1',
    'select aggr(n) from s.st where st > 9223372036854775807 and et < -9223372036854775808',
    'select aggr(n) from s.st limit 9007199254740991',
  ]) {
    const answer = await client.query(sql)
    t.true(answer.status === 200 || answer.status === 400, `${sql}: ${answer.status} ${answer.text}`)
  }
})

const badSchemas: readonly (readonly [body: string, problems: readonly (string | RegExp)[]])[] = [
  ['', [/^the schema is no JSON: /]],
  ['[]', ['a schema is a JSON object with schema, its name, and streams']],
  ['{}', [/^schema: is missing$/, /^streams: /]],
  ['{"schema":"a b","streams":[]}', [/^schema: 'a b' must be letters/, /^streams: /]],
  ['{"schema":"system","streams":[{"name":"st","type":1,"attr":[{"name":"a","type":5}]}]}', [/reserved/]],
  ['{"schema":"bad","streams":"none"}', [/^streams: must be an array/]],
]
for (const [body, problems] of badSchemas) {
  test(`a schema that is none is refused: ${body.slice(0, 60)}`, async (t) => {
    refused(t, await client.post('/stream', body), 400, -1, problems)
  })
}

test('every problem of a schema is listed at once, with its place, and nothing of it is kept', async (t) => {
  const answer = await client.post('/stream', {
    schema: 'bad',
    streams: [
      {
        name: '1st',
        type: 9,
        swsz: -1,
        attr: [
          { name: 'a', type: 'INTEGER' },
          { name: 'b b', type: 5 },
          { name: 'c', type: 5, stat: 'RSTAT' },
          { name: 'd', type: 9, stat: 'MEAN' },
          { name: 'e', type: 9, stat: 1, gran: 0 },
          { name: 'e', type: 9 },
        ],
      },
    ],
  })
  t.is(answer.status, 400)
  const places = answer.body.error.map((problem: string) => problem.slice(0, problem.indexOf(': ')))
  for (const place of [
    'streams[0].name',
    'streams[0].type',
    'streams[0].swsz',
    'streams[0].attr[0].type',
    'streams[0].attr[1].name',
    'streams[0].attr[2].stat',
    'streams[0].attr[3].stat',
    'streams[0].attr[4].gran',
    'streams[0].attr[5].name',
  ]) {
    t.true(places.includes(place), `${place} in ${places}`)
  }
  const unknown = answer.body.error.find((problem: string) => problem.startsWith('streams[0].attr[0].type'))
  t.regex(unknown, /3 OBJECT, 5 STRING, 9 LONG, 11 DOUBLE, 12 BOOL/)
  t.is((await client.get('/stream/bad/schema')).status, 404)
  t.false((await client.get('/stream/list')).text.includes('"bad"'))
})

test('a state that is none is refused', async (t) => {
  for (const body of [
    '{}',
    '{"state": 2}',
    '{"state": "maybe"}',
    '[]',
    '1',
    '{"state": null}',
    '{"state": true}',
    '{"state": [1]}',
  ]) {
    refused(t, await client.send('PUT', '/stream/s/st/state', body), 400, -1, [/^state: /])
  }
  refused(t, await client.send('PUT', '/stream/s/st/state', '{'), 400, -1, [/^the state is no JSON/])
  t.deepEqual((await client.get('/stream/s/st/state')).body, { state: 1 })
})

test('streams to add that are no JSON are refused as the schema that they are a part of', async (t) => {
  refused(t, await client.send('PUT', '/stream/s', '{'), 400, -1, [/^the schema is no JSON: /])
})

test.serial.after('nothing was kept of all that was refused', async (t) => {
  t.is(await client.count('select count(*) from s.empty'), 0)
  const rows = await client.rows('select aggr(n) from s.empty rollup 1')
  t.regex(String(rows[0]?.v), /"cnt":0,/)
  const health = (await client.get('/health/ready')).body
  t.deepEqual([health.status, health.parts.clickhouse.rejected_events], ['ready', 0])
})
