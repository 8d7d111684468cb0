import { gzipSync } from 'node:zlib'
import test from 'ava'
import fc from 'fast-check'
import { at } from '../../support/era.ts'
import { seed } from '../../support/random/seed.ts'
import { json, type Row } from '../../support/requests/client.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const { client } = service
test.after.always(() => service.close())

const everyType = [
  { name: 'name', type: 'STRING' },
  { name: 'n', type: 'LONG', stat: 'COUNT' },
  { name: 'x', type: 'DOUBLE' },
  { name: 'yes', type: 'BOOL' },
  {
    name: 'prod',
    type: 'OBJECT',
    fields: [
      { name: 'price', type: 'DOUBLE' },
      { name: 'code', type: 'LONG' },
    ],
  },
]
let schemas = 0

/** A stream of its own that keeps its events for ever. */
async function makeStream(attr: readonly unknown[] = everyType): Promise<string> {
  const schema = `ingest${++schemas}`
  await client.register({ schema, streams: [{ name: 'st', type: 1, swsz: 0, attr }] })
  return `${schema}.st`
}

const pathOf = (stream: string) => `/stream/${stream.replace('.', '/')}`

/** The one event of a stream, as it comes back. */
const onlyDocument = async (stream: string) => {
  const documents = await client.documents(`select * from ${stream}`)
  return documents.length === 1 ? documents[0] : documents
}

test('an event comes back with _pk and _v, and its _pk is the time at which it came', async (t) => {
  const stream = await makeStream()
  const before = Date.now() * 1000
  const answer = await client.post(pathOf(stream), { name: 'a', n: 1, x: 1.5, yes: true, prod: { price: 2, code: 3 } })
  const after = Date.now() * 1000
  t.deepEqual([answer.status, Object.keys(answer.body), answer.body.errcode], [200, ['errcode', '_pk'], 0])
  const { _pk } = answer.body
  t.true(_pk >= before && _pk <= after + 1000)
  const rows = await client.rows(`select * from ${stream}`)
  t.is(rows[0]?.k, _pk)
  t.is(typeof rows[0]?.v, 'string')
  t.deepEqual(await onlyDocument(stream), {
    _pk,
    _v: 1,
    name: 'a',
    n: 1,
    x: 1.5,
    yes: true,
    prod: { price: 2, code: 3 },
  })
})

test('_pk grows from event to event, within one batch and over many clients', async (t) => {
  const stream = await makeStream()
  const first = await Promise.all(Array.from({ length: 100 }, () => client.event(stream, {})))
  await client.lines(
    stream,
    Array.from({ length: 1_000 }, (_, n) => ({ n })),
  )
  const last = await client.event(stream, {})
  const rows = await client.rows(`select * from ${stream}`)
  t.is(new Set(rows.map(({ k }) => k)).size, 1_101)
  t.deepEqual(
    first.filter((pk) => pk >= last),
    [],
  )
  const ofBatch = (await client.documents(`select * from ${stream} where n >= 0`)).map(({ n }) => n)
  t.deepEqual(
    ofBatch,
    Array.from({ length: 1_000 }, (_, index) => 999 - index),
  )
})

test('64-bit integers come back unchanged, wherever they stand', async (t) => {
  const integers = [
    2n ** 53n,
    2n ** 53n + 1n,
    -(2n ** 53n) - 1n,
    2n ** 63n - 1n,
    -(2n ** 63n),
    9_007_199_254_740_993n,
    1_234_567_890_123_456_789n,
    0n,
  ]
  for (const integer of integers) {
    const stream = await makeStream()
    await client.event(stream, {
      n: integer,
      x: 0.5,
      prod: { code: integer, other: integer, list: [integer, [integer]] },
      undeclared: integer,
      deep: { er: [{ est: integer }] },
    })
    const [row] = await client.rows(`select * from ${stream}`)
    const written = String(row?.v).replace(/"_pk":\d+,/, '')
    const i = String(integer)
    t.is(
      written,
      `{"_v":1,"n":${i},"x":0.5,"prod":{"code":${i},"other":${i},"list":[${i},[${i}]]},"undeclared":${i},"deep":{"er":[{"est":${i}}]}}`,
    )
    for (const path of [
      'n',
      'prod.code',
      'prod.other',
      'prod.list.0',
      'prod.list.1.0',
      'undeclared',
      'deep.er.0.est',
    ]) {
      t.is(await client.count(`select count(*) from ${stream} where ${path} = ${i}`), 1, `${path} = ${i}`)
      if (integer < 2n ** 63n - 1n) {
        t.is(await client.count(`select count(*) from ${stream} where ${path} > ${integer}`), 0, path)
        t.is(await client.count(`select count(*) from ${stream} where ${path} = ${integer + 1n}`), 0, path)
      }
    }
  }
})

test('integers beyond 64 bits keep every digit where nothing declares them, and the rest of the event is found', async (t) => {
  const stream = await makeStream()
  const huge = 123_456_789_012_345_678_901_234_567_890n
  await client.event(stream, { huge, list: [2n ** 64n, -(2n ** 64n)], small: 5, prod: { code: 6, huge } })
  const [row] = await client.rows(`select * from ${stream}`)
  t.is(
    String(row?.v).replace(/"_pk":\d+,/, ''),
    `{"_v":1,"huge":${huge}.0,"list":[18446744073709551616.0,-18446744073709551616.0],"small":5,"prod":{"code":6,"huge":${huge}.0}}`,
  )
  t.is(await client.count(`select count(*) from ${stream} where small = 5`), 1)
  t.is(await client.count(`select count(*) from ${stream} where prod.code = 6`), 1)
  t.is(await client.count(`select count(*) from ${stream} where huge > 5`), 1)
  t.is(await client.count(`select count(*) from ${stream} where list.1 < 0`), 1)
})

test("_pk of one's own is kept exactly: the earliest, beyond 2^53, far ahead", async (t) => {
  const stream = await makeStream([{ name: '_pk', type: 'LONG' }, ...everyType])
  const keys = [10 ** 14, 10 ** 14 + 1, 1_700_000_000_000_000, 2n ** 53n + 1n, 253_402_300_799_999_999n]
  for (const _pk of keys) t.is(await client.event(stream, { _pk, n: 1 }), _pk)
  const rows = await client.rows(`select * from ${stream}`)
  t.deepEqual(
    rows.map(({ k }) => k),
    keys.toReversed(),
  )
  t.deepEqual(
    (await client.documents(`select * from ${stream}`)).map(({ _pk }) => _pk),
    keys.toReversed(),
  )
  for (const _pk of keys) t.is(await client.count(`select count(*) from ${stream} where _pk = ${_pk}`), 1)
})

test('one far ahead does not move the clock, and two equal ones are both kept', async (t) => {
  const stream = await makeStream()
  await client.event(stream, { _pk: 9_000_000_000_000_000n, n: 1 })
  const own = await client.event(stream, { n: 2 })
  t.true(Number(own) <= Date.now() * 1000 + 1_000_000)
  await client.event(stream, { _pk: at(5), n: 3 })
  await client.event(stream, { _pk: at(5), n: 3 })
  await client.lines(stream, [
    { _pk: at(5), n: 3 },
    { _pk: at(5), n: 3 },
  ])
  t.is(await client.count(`select count(*) from ${stream} where _pk = ${at(5)}`), 4)
  t.is((await client.rows(`select aggr(n) from ${stream} where et <= ${at(5)}`))[0]?.v, 4)
})

test('any double comes back as the same double', async (t) => {
  const stream = await makeStream()
  const edges = [
    0,
    0.1,
    1 / 3,
    5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    1e21,
    1e-7,
    123456789.12345679,
    2 ** 60,
  ]
  const random = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { numRuns: 2_000, seed })
  const values = [...edges, ...edges.map((x) => -x), ...random].map((x) => x + 0)
  await client.lines(
    stream,
    values.map((x, n) => ({ _pk: at(n), n, x, other: x })),
  )
  const documents = await client.documents(`select * from ${stream}`)
  t.deepEqual(
    documents.toReversed().map(({ x }) => Number(x)),
    values,
  )
  t.deepEqual(
    documents.toReversed().map(({ other }) => Number(other)),
    values,
  )
  for (const [n, x] of [...edges, ...random.slice(0, 20)].entries()) {
    const index = n < edges.length ? n : edges.length + n
    const found = await client.documents(`select * from ${stream} where x = ${x} and n = ${index}`)
    t.is(found.length, 1, `x = ${x}`)
  }
})

test('integers are taken as DOUBLE, whole doubles as LONG', async (t) => {
  const stream = await makeStream()
  await client.post(pathOf(stream), '{"_pk":1209600000000001,"n":5.0,"x":7}')
  await client.post(pathOf(stream), '{"_pk":1209600000000002,"n":1e3,"x":123456789012345678901234567890}')
  await client.post(pathOf(stream), '{"_pk":1209600000000003,"n":-0.0,"x":-0}')
  await client.post(pathOf(stream), '{"_pk":1209600000000004,"n":9007199254740993.0,"x":1E+2}')
  const documents = await client.documents(`select * from ${stream}`)
  t.deepEqual(
    documents.map(({ n, x }) => [n, Number(x)]),
    [
      [9_007_199_254_740_993n, 100],
      [0, 0],
      [1000, 1.2345678901234568e29],
      [5, 7],
    ],
  )
})

const odd = [
  '',
  ' ',
  'ünïcödé',
  '日本語',
  '🎈👩‍👩‍👧‍👦',
  '\u0000',
  'a\u0000b',
  '\u001f\u007f\u0080\u009f',
  '"quoted" \\back\\ /slash/',
  "it's",
  'line\nfeed\r\ntab\t',
  '\n\n',
  '\u2028\u2029\ufeff\ufffd\uffff',
  '</script>',
  '$' + '{x} {p0:String} %s ?',
  "'; drop table x; --",
  '{"json": [1, 2]}',
  'null',
  '\\N',
  '\\u0041',
  'x'.repeat(100_000),
]

test('any text comes back as it was, as a value and as a name', async (t) => {
  const stream = await makeStream()
  await client.lines(
    stream,
    odd.map((name, n) => ({ _pk: at(n), name, undeclared: name, prod: { [name]: [name] } })),
  )
  const documents = (await client.documents(`select * from ${stream}`)).toReversed()
  for (const [n, name] of odd.entries()) {
    t.deepEqual(documents[n], { _pk: at(n), _v: 1, name, undeclared: name, prod: { [name]: [name] } })
  }
  for (const [n, name] of odd.entries()) {
    if (name.length > 1_000) continue
    const literal = JSON.stringify(name).replace(
      /[\u007f-\u009f]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    for (const path of ['name', 'undeclared']) {
      const found = await client.documents(`select * from ${stream} where ${path} = ${literal}`)
      t.deepEqual(
        found.map(({ _pk }) => _pk),
        [at(n)],
        `${path} = ${literal}`,
      )
    }
  }
})

const anyText = fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => text.isWellFormed())
const anyJson = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }).filter((value) => json(value).isWellFormed())

test('any event comes back as it was: declared, undeclared, nested, null', async (t) => {
  const events = fc.sample(
    fc.record(
      {
        name: fc.option(anyText),
        n: fc.option(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)),
        x: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)),
        yes: fc.option(fc.boolean()),
        prod: fc.option(
          fc.dictionary(
            anyText.filter((name) => name !== 'price' && name !== 'code'),
            anyJson,
            { maxKeys: 3 },
          ),
        ),
        other: anyJson,
        'with.dot': anyJson,
        constructor: anyJson,
        toString: fc.option(anyText),
        hasOwnProperty: fc.integer(),
        _seq: fc.integer(),
        _rest: anyText,
        _time: anyText,
      },
      { requiredKeys: [] },
    ),
    { numRuns: 500, seed },
  )
  const stream = await makeStream()
  const sent = events.map((event, n) => json({ _pk: at(n), ...event }))
  const answer = await client.ok(
    client.post(pathOf(stream), sent.join('\n'), { 'content-type': 'application/x-ndjson' }),
  )
  t.deepEqual([answer.accepted, answer.errors], [events.length, []])
  const documents = (await client.documents(`select * from ${stream}`)).toReversed()
  for (const [n, text] of sent.entries()) {
    const expected = JSON.parse(text)
    const got = JSON.parse(json(documents[n]))
    t.deepEqual(got, { ...expected, _v: 1 }, text)
  }
  t.is((await client.ok(client.get('/health/ready'))).parts.clickhouse.rejected_events, 0)
})

test('__proto__ and constructor are members like any other, and nothing else changes', async (t) => {
  const stream = await makeStream([
    { name: 'constructor', type: 'STRING' },
    { name: 'valueOf', type: 'LONG', stat: 'COUNT' },
  ])
  const bodies = [
    '{"_pk":1209600000000001,"__proto__":{"polluted":1},"constructor":"c","valueOf":5,"prototype":[1]}',
    '{"_pk":1209600000000002,"__proto__":"text","big":12345678901234567890123}',
    '{"_pk":1209600000000003,"a":{"__proto__":{"b":9007199254740993}},"big":9007199254740993}',
    '{"_pk":1209600000000004,"__proto__":null}',
    '{"_pk":1209600000000005}',
  ]
  for (const body of bodies) t.is((await client.post(pathOf(stream), body)).status, 200)
  const rows = await client.rows(`select * from ${stream}`)
  t.deepEqual(
    rows.toReversed().map(({ v }) => v),
    [
      '{"_pk":1209600000000001,"_v":1,"constructor":"c","valueOf":5,"__proto__":{"polluted":1},"prototype":[1]}',
      '{"_pk":1209600000000002,"_v":1,"__proto__":"text","big":12345678901234567890123.0}',
      '{"_pk":1209600000000003,"_v":1,"a":{"__proto__":{"b":9007199254740993}},"big":9007199254740993}',
      '{"_pk":1209600000000004,"_v":1,"__proto__":null}',
      '{"_pk":1209600000000005,"_v":1}',
    ],
  )
  t.is((Object.prototype as Record<string, unknown>).polluted, undefined)
  const wrong = await client.post(pathOf(stream), '{"constructor":5}')
  t.deepEqual(wrong.body.error, ['constructor: expected text in quotes (STRING), got the number 5'])
  t.is(await client.count(`select count(*) from ${stream} where constructor = "c"`), 1)
})

test('the last of several members with one name counts, as JSON.parse has it', async (t) => {
  const stream = await makeStream()
  await client.post(pathOf(stream), '{"_pk":1209600000000001,"n":1,"n":2,"u":1,"u":2}')
  await client.post(
    pathOf(stream),
    '{"_pk":1209600000000002,"n":9007199254740993,"n":9007199254740995,"u":1,"u":9007199254740993}',
  )
  const documents = await client.documents(`select * from ${stream}`)
  t.deepEqual(
    documents.map(({ n, u }) => [n, u]),
    [
      [9_007_199_254_740_995n, 9_007_199_254_740_993n],
      [2, 2],
    ],
  )
})

test('what the service writes itself is not taken from a client', async (t) => {
  const stream = await makeStream()
  await client.event(stream, { _pk: at(7), _v: 99 })
  t.deepEqual(await onlyDocument(stream), { _pk: at(7), _v: 1 })
})

test('an OBJECT takes objects and arrays, also inside of another one', async (t) => {
  const fields = [{ name: 'o.in', type: 'OBJECT', fields: [{ name: 'o.in.n', type: 'LONG' }] }]
  const stream = await makeStream([{ name: 'o', type: 'OBJECT', fields }])
  for (const [value, shown] of [
    [5, 'the number 5'],
    ['x', 'the string "x"'],
    [true, 'true'],
  ]) {
    const refused = await client.post(pathOf(stream), { o: { in: value } })
    t.is(refused.status, 400)
    t.deepEqual(refused.body.error, [`o.in: expected json, an object or an array (OBJECT), got ${shown}`])
  }
  for (const o of [{ in: { n: 1 } }, { in: [1] }, { in: null }, {}]) await client.event(stream, { o })
  t.is(await client.count(`select count(*) from ${stream}`), 4)
})

test('missing is not null: each comes back as it was, and neither counts nor compares', async (t) => {
  const stream = await makeStream()
  await client.lines(stream, [
    { _pk: at(1), name: 'there', n: 0, u: 0 },
    { _pk: at(2), name: null, n: null, u: null, prod: null },
    { _pk: at(3) },
    { _pk: at(4), name: '', prod: { price: null } },
  ])
  t.deepEqual((await client.documents(`select * from ${stream}`)).toReversed(), [
    { _pk: at(1), _v: 1, name: 'there', n: 0, u: 0 },
    { _pk: at(2), _v: 1, name: null, n: null, u: null, prod: null },
    { _pk: at(3), _v: 1 },
    { _pk: at(4), _v: 1, name: '', prod: { price: null } },
  ])
  t.is((await client.rows(`select aggr(n) from ${stream} where et <= ${at(9)}`)).at(-1)?.v, 1)
  const keysOf = async (where: string) =>
    (await client.rows(`select * from ${stream} where ${where}`)).map(({ k }) => k)
  t.deepEqual(await keysOf('name != "x"'), [at(4), at(1)])
  t.deepEqual(await keysOf('name = ""'), [at(4)])
  t.deepEqual(await keysOf('n != 5'), [at(1)])
  t.deepEqual(await keysOf('n >= -5 or n < -5'), [at(1)])
  t.deepEqual(await keysOf('u != 5'), [at(1)])
  t.deepEqual(await keysOf('prod.price != 5'), [])
})

const asLines = { 'content-type': 'application/x-ndjson' }
const post = (stream: string, body: string | Uint8Array, headers: Record<string, string> = asLines) =>
  client.post(pathOf(stream), body, headers)

test('of a batch the good lines stay and the bad ones are listed with their numbers', async (t) => {
  const stream = await makeStream()
  const answer = await post(
    stream,
    [
      '{"_pk":1209600000000001,"n":1}',
      '{"n":"one"}',
      '',
      '{"_pk":1209600000000002,"n":2}',
      'nonsense',
      '[1]',
      '{"n":1.5,"x":"y"}',
      '{"_pk":1209600000000003}',
    ].join('\n'),
  )
  t.is(answer.status, 200)
  t.deepEqual(Object.keys(answer.body), ['errcode', 'accepted', 'rejected', 'errors'])
  t.deepEqual([answer.body.errcode, answer.body.accepted, answer.body.rejected], [0, 3, 4])
  t.deepEqual(
    answer.body.errors.map(({ line }: { line: number }) => line),
    [2, 5, 6, 7],
  )
  t.is(answer.body.errors[0].error, 'n: expected an integer within 64 bits (LONG), got the string "one"')
  t.regex(answer.body.errors[1].error, /^the line is no JSON: .* \(line 1, column 1\)$/)
  t.is(
    answer.body.errors[3].error,
    'n: expected an integer within 64 bits (LONG), got the number 1.5; x: expected a number (DOUBLE), got the string "y"',
  )
  t.deepEqual(
    (await client.rows(`select * from ${stream}`)).map(({ k }) => k),
    [at(3), at(2), at(1)],
  )
})

test('lines end in LF or CR LF, blank ones are passed over, the last one needs no end', async (t) => {
  const stream = await makeStream()
  const answer = await post(
    stream,
    '\r\n\n{"_pk":1209600000000001}\r\n  \t \r\n{"_pk":1209600000000002}\n\n\n {"_pk":1209600000000003} \r\n{"_pk":1209600000000004}',
  )
  t.deepEqual([answer.body.accepted, answer.body.rejected], [4, 0])
  t.deepEqual(
    (await client.rows(`select * from ${stream}`)).map(({ k }) => k),
    [at(4), at(3), at(2), at(1)],
  )
})

test('an empty batch and one of bad lines alone are answered, and keep nothing', async (t) => {
  const stream = await makeStream()
  for (const body of ['', '\n', '\r\n \n'])
    t.deepEqual((await post(stream, body)).body, { errcode: 0, accepted: 0, rejected: 0, errors: [] })
  const answer = await post(stream, 'bad\n'.repeat(250))
  t.deepEqual(
    [answer.status, answer.body.accepted, answer.body.rejected, answer.body.errors.length],
    [200, 0, 250, 100],
  )
  t.is(await client.count(`select count(*) from ${stream}`), 0)
})

test('a blank line or a line end inside a string stays text and reaches no statement', async (t) => {
  const stream = await makeStream()
  const name = 'a\n\n\nDROP TABLE x;\n\n{"_pk":1209600000000099}\n'
  await client.event(stream, { _pk: at(1), name, u: name })
  await client.lines(stream, [{ _pk: at(2), name, [name]: name }])
  t.deepEqual((await client.documents(`select * from ${stream}`)).toReversed(), [
    { _pk: at(1), _v: 1, name, u: name },
    { _pk: at(2), _v: 1, name, [name]: name },
  ])
})

test('the names by which NDJSON goes are all taken', async (t) => {
  const stream = await makeStream()
  const types = [
    'application/x-ndjson',
    'application/ndjson; charset=utf-8',
    'APPLICATION/X-NDJSON',
    'application/jsonl',
  ]
  for (const type of types) t.is((await post(stream, '{}\n{}', { 'content-type': type })).body.accepted, 2, type)
})

test('bodies packed by gzip are taken, one event and many, in several members too', async (t) => {
  const stream = await makeStream()
  const packed = { 'content-encoding': 'gzip' }
  t.is((await post(stream, gzipSync('{"_pk":1209600000000001,"name":"ü"}'), packed)).body._pk, at(1))
  const lines = Array.from({ length: 5_000 }, (_, index) => `{"_pk":${at(index + 2)}}\n`).join('')
  t.is((await post(stream, gzipSync(lines), { ...asLines, ...packed })).body.accepted, 5_000)
  const members = Buffer.concat([gzipSync('{"_pk":1209600000006000}\n'), gzipSync('{"_pk":1209600000006001}\n')])
  t.is((await post(stream, members, { ...asLines, ...packed })).body.accepted, 2)
  t.is(await client.count(`select count(*) from ${stream}`), 5_003)
})

test('a byte order mark in front is passed over', async (t) => {
  const stream = await makeStream()
  t.is((await client.post(pathOf(stream), '\ufeff{"_pk":1209600000000001}')).status, 200)
  t.is((await post(stream, '\ufeff{"_pk":1209600000000002}\n{"_pk":1209600000000003}')).body.accepted, 2)
})

test('a batch of 100,000 events is there for the next query', async (t) => {
  const stream = await makeStream()
  const answer = await client.lines(
    stream,
    Array.from({ length: 100_000 }, (_, n) => ({ _pk: at(n), n, name: `name ${n}` })),
  )
  t.is(answer.accepted, 100_000)
  t.is(await client.count(`select count(*) from ${stream}`), 100_000)
  t.is((await client.rows(`select aggr(n) from ${stream} where et <= ${at(1_000_000)}`)).at(-1)?.v, 100_000)
})

test('names that mean something to SQL are attributes like any other', async (t) => {
  const words = [
    'select',
    'count',
    'document',
    'start',
    'k',
    's',
    'v',
    't',
    'n',
    'p',
    'date',
    'true',
    'values',
    'limit',
    'st2',
    'Count',
  ]
  const stream = await makeStream(
    words.map((name, index) => ({ name, type: 'LONG', stat: index % 2 ? 'RSTAT' : 'UCOUNT' })),
  )
  await client.event(stream, { _pk: at(1), ...Object.fromEntries(words.map((name, index) => [name, index])) })
  const [document] = await client.documents(`select * from ${stream}`)
  t.deepEqual(document, { _pk: at(1), _v: 1, ...Object.fromEntries(words.map((name, index) => [name, index])) })
  for (const [index, name] of words.entries()) {
    t.is(await client.count(`select count(*) from ${stream} where ${name} = ${index}`), 1, name)
    t.is((await client.rows(`select * from ${stream} where ${name} >= ${index}`)).length, 1, name)
    t.is((await client.rows(`select aggr(${name}) from ${stream} rollup 1`)).length, 1, name)
  }
})

test('schemas and streams have names that mean something to SQL too', async (t) => {
  for (const [schema, stream] of [
    ['select', 'from'],
    ['values', 'format'],
    ['database', 'settings'],
    ['view', 'into'],
    ['null', 'where'],
  ] as const) {
    await client.register({
      schema,
      streams: [{ name: stream, type: 1, swsz: 0, attr: [{ name: 'a', type: 5, stat: 1 }] }],
    })
    await client.event(`${schema}.${stream}`, { _pk: at(1), a: 'x' })
    t.is(await client.count(`select count(*) from ${schema}.${stream} where a = "x"`), 1)
    t.is((await client.rows(`select aggr(a) from ${schema}.${stream} where et <= ${at(9)}`)).at(-1)?.v, 1)
  }
  for (const schema of ['table', 'Function']) {
    const streams = [{ name: 'st', type: 1, attr: [{ name: 'a', type: 5 }] }]
    t.is((await client.post('/stream', { schema, streams })).status, 400)
  }
})

test('a stream without attributes keeps events all the same', async (t) => {
  const stream = await makeStream([])
  await client.event(stream, { _pk: at(1), a: 5 })
  t.deepEqual(await onlyDocument(stream), { _pk: at(1), _v: 1, a: 5 })
  t.is(await client.count(`select count(*) from ${stream} where a = 5`), 1)
})

test('what is posted over many connections at once is all there, each event once', async (t) => {
  const stream = await makeStream()
  const keys = await Promise.all(Array.from({ length: 500 }, (_, n) => client.event(stream, { n })))
  t.is(new Set(keys).size, 500)
  const rows: Row[] = await client.rows(`select * from ${stream}`)
  t.deepEqual(
    rows.map(({ k }) => k),
    keys.map(Number).toSorted((a, b) => b - a),
  )
})
