/** `POST /sql`: analysts' SQL on the port of the API. */
import test from 'ava'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const admin = 'k'.repeat(40)
const { url, close } = await startService({ API_KEYS: 'require', ADMIN_KEY: admin })
test.after.always(close)

const send = (path: string, body: unknown, key = admin, signal?: AbortSignal) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'x-api-key': key },
    ...(signal && { signal }),
  })
const sql = async (text: string, more: object = {}, key = admin) => {
  const response = await send('/sql', { sql: text, ...more }, key)
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
}
const keyFor = async (scopes: string[], on?: string[]): Promise<string> =>
  JSON.parse(await (await send('/keys', { name: 'k', scopes, ...(on && { on }) })).text()).key

test.before(async () => {
  for (const schema of ['shop', 'bank'])
    await send('/stream', { schema, streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'a', type: 9 }] }] })
  await send('/stream/shop/st', { a: 7 })
  await until('the event', async () => (await sql('SELECT a FROM shop.st FORMAT CSV')).text !== '')
})

test('a statement is answered in the format that it or the body names, else as JSON', async (t) => {
  t.deepEqual(JSON.parse((await sql('SELECT 1 AS n')).text).data, [{ n: 1 }])
  t.like(await sql('SELECT 1 AS n', { format: 'JSONCompactEachRow' }), {
    status: 200,
    type: 'application/x-ndjson; charset=UTF-8',
    text: '[1]\n',
  })
  t.is((await sql('SELECT {n:Int64} + 1 FORMAT CSV', { params: { n: 4 }, format: 'XML' })).text, '5\n')
  t.true((await sql('SELECT 1', { format: 'Parquet' })).text.startsWith('PAR1'))
})

test('parameters are texts, numbers, lists of lists, and nothing, each exactly', async (t) => {
  const asked = async (type: string, value: unknown) =>
    (await sql(`SELECT {p:${type}} AS p FORMAT JSONCompactEachRow`, { params: { p: value } })).text
  for (const [type, value] of [
    ['Array(Int64)', [1, 2]],
    ['Array(String)', ['DE', "O'Neil \\ \t\n ]", '', '\u{1F600}']],
    ['Array(Array(String))', [['a'], [], ["b','c"]]],
    ['Array(Nullable(Int64))', [1, null]],
    ['Array(Bool)', [true, false]],
    ['Nullable(String)', null],
    ['Bool', true],
    ['String', "it's [1] \\N \\new\n\t"],
    ['LowCardinality(String)', 'C:\\new'],
    ['Nullable(String)', '\\N'],
    ['LowCardinality(Nullable(String))', '\\t'],
    ['FixedString(4)', '\\n\\t'],
  ] as const) {
    const got = await asked(type, value)
    t.deepEqual(JSON.parse(got), [value], type)
  }
  t.deepEqual(
    JSON.parse(await asked('Array(String)', "['O\\'Neil']")),
    [["O'Neil"]],
    'a list in ClickHouse\u2019s own notation',
  )
  const large = await send('/sql', '{"sql":"SELECT {p:Int64} + 0 FORMAT CSV","params":{"p":9007199254740993}}')
  t.is(await large.text(), '9007199254740993\n')
  const { status, text } = await sql('SELECT {p:String}', { params: { p: { a: 1 } } })
  t.deepEqual(
    [status, JSON.parse(text).error],
    [400, ['params.p: send a text, a number, true, false, null or a list of these']],
  )
})

for (const [type, value, says] of [
  ['Int8', 300, /params\.p must be from -128 to 127/],
  ['UInt64', -1, /params\.p must be from 0 to 18446744073709551615/],
  ['Array(Int8)', [1, 300], /params\.p item 1 must be from -128 to 127/],
  ['Date', '2200-01-01', /params\.p must be from 1970-01-01 to 2149-06-06/],
  ['Nullable(UInt8)', 256, /params\.p must be from 0 to 255/],
] as const)
  test(`a parameter {p:${type}} of ${JSON.stringify(value)} is refused, which ClickHouse would make another value`, async (t) => {
    const { status, text } = await sql(`SELECT {p:${type}} AS p`, { params: { p: value } })
    t.is(status, 400)
    t.regex(text, says)
  })

test('a value for a parameter that the statement does not have is refused, with the name that was meant', async (t) => {
  const { status, text } = await sql('SELECT {country:String}', { params: { country: 'DE', contry: 'FR' } })
  t.is(status, 400)
  t.regex(text, /params\.contry is no parameter of the statement; did you mean country\?/)
})

test('a refusal has its code and its place', async (t) => {
  const { status, text } = await sql('SELECT a,\n  b FROM shop.st')
  const { errcode, error, code } = JSON.parse(text)
  t.deepEqual([status, errcode, code], [400, -1, 47])
  t.regex(error[0], /^line 2, column 3: .*`b`.*\n {2}b FROM shop\.st\n {2}\^$/)
})

test('what analysts may not do is refused with the status that it has on other calls', async (t) => {
  for (const [text, status] of [
    ["SELECT file('/etc/passwd')", 403],
    ['SELECT * FROM weir.secrets', 403],
    ['DROP TABLE shop.st', 400],
    ['SELECT * FROM nowhere.st', 404],
    ['SELECT 1; SELECT 2', 400],
  ] as const)
    t.is((await sql(text)).status, status, text)
})

test('a body that cannot be meant is refused with its reason', async (t) => {
  for (const [body, reason] of [
    ['SELECT 1', /^the body is a text that is no JSON, .*; send JSON, \{"sql": "<the statement>"\}$/],
    ['', /^the body is empty; send JSON, \{"sql": /],
    ['["SELECT 1"]', /^send JSON, \{"sql": /],
    ['{"sql": ', /^the body is no JSON: /],
    [{}, /sql: send a statement/],
    [{ sql: '' }, /sql: send a statement/],
    [{ sql: 'SELECT 1', levk: 1 }, /levk is not known; there are sql, format/],
    [{ sql: 'SELECT 1', params: [1] }, /params: send an object/],
    [{ sql: 'SELECT 1', format: 'Protobuf' }, /Unknown format Protobuf/],
    [{ sql: 'SELECT 1', settings: { storage_policy: 'x' } }, /Cannot modify 'storage_policy'/],
  ] as const) {
    const response = await send('/sql', body)
    const { error } = JSON.parse(await response.text())
    t.true(response.status >= 400 && response.status < 500)
    t.regex(error[0], reason)
  }
})

test('a key needs read, and one that is bound to a place sees its database alone', async (t) => {
  t.is((await sql('SELECT 1', {}, await keyFor(['write']))).status, 403)
  const bound = await keyFor(['read'], ['schema:bank'])
  t.is((await sql('SELECT count() FROM bank.st FORMAT CSV', {}, bound)).text, '0\n')
  const { status, text } = await sql('SELECT count() FROM shop.st', {}, bound)
  t.is(status, 403)
  t.regex(text, /scope read on shop\.st/)
})

test('a client that goes away ends its query, and its place is free', async (t) => {
  for (let i = 0; i < 4; i++) {
    const leaving = new AbortController()
    const response = await send(
      '/sql',
      { sql: 'SELECT number FROM system.numbers', format: 'CSV' },
      admin,
      leaving.signal,
    )
    await response.body?.getReader().read()
    leaving.abort()
  }
  t.is((await sql('SELECT 1 FORMAT CSV')).text, '1\n')
})

test('an answer that fails half-way breaks off, so that it does not look whole', async (t) => {
  const response = await send('/sql', {
    sql: 'SELECT number, throwIf(number = 3000000) FROM system.numbers',
    format: 'CSV',
  })
  t.is(response.status, 200)
  await t.throwsAsync(response.text())
})
