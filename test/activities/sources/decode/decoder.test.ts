/**
 * Messages of other programs' serializers: `messages.ndjson` was made by confluent-kafka 2.16.1 and fastavro 1.13.1 (PyPI), which
 * share no code with Weir. The registry is a server of the test's own: the published ones are Java programs of 100 MB and more.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { createMessageDecoder, type MessageFormat } from '../../../../activities/sources/decode/decoder.ts'
import { Fault } from '../../../../base/faults.ts'
import type { Json } from '../../../../base/json.ts'

type Schema = { readonly schema: string; readonly schemaType?: string; readonly references?: readonly object[] }
type Recorded = { readonly format: MessageFormat; readonly bytes: string; readonly event: Json }
type Random = { readonly schema: object; readonly messages: readonly (readonly [string, Json])[] }

const lines: unknown[] = readFileSync(new URL('messages.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const [registered, ...rest] = lines as [
  { readonly schemas: Record<string, Schema>; readonly versions: Record<string, Schema> },
  ...(Recorded | Random)[],
]
const recorded = rest.filter((line): line is Recorded => 'event' in line)
const random = rest.filter((line): line is Random => 'messages' in line)

/** JSON has no integers beyond 2^53: the file has texts such as `"5n"` in their place. */
function withBigints(value: Json): Json {
  if (typeof value === 'string') return /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value
  if (Array.isArray(value)) return value.map(withBigints)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withBigints(each)]))
}

type Answer = { readonly status?: number; readonly body: string | object }

/** A registry that answers from tables, and counts what it was asked. */
async function openRegistry(t: ExecutionContext, answer: (path: string) => Answer | undefined) {
  const asked: string[] = []
  const headers: unknown[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    headers.push(request.headers.authorization)
    const own = answer(request.url ?? '')
    if (!own) return // It stands still.
    response.statusCode = own.status ?? 200
    response.end(typeof own.body === 'string' ? own.body : JSON.stringify(own.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked, headers }
}

/** A busy machine takes its time. */
const patient = { allowsInternal: true, time_ms: 60_000 }

const missing = { status: 404, body: { error_code: 40403, message: 'Schema not found' } }

const fromTables =
  (schemas: Record<string, Schema>, versions: Record<string, Schema> = {}) =>
  (path: string) => {
    const [, id] = /^\/schemas\/ids\/(\d+)$/.exec(path) ?? []
    const [, subject, version] = /^\/subjects\/([^/]+)\/versions\/(\d+)$/.exec(path) ?? []
    const body = id === undefined ? versions[`${decodeURIComponent(subject ?? '')}/${version}`] : schemas[id]
    return body ? { body } : missing
  }

const framedBy = (id: number, message: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0, id >>> 24, (id >>> 16) & 255, (id >>> 8) & 255, id & 255]), message])

async function decoderOf(t: ExecutionContext, format: MessageFormat, schemas: Record<string, Schema>) {
  const { url } = await openRegistry(t, fromTables(schemas))
  return createMessageDecoder({ format, registry: { url }, ...patient })
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

test('messages of confluent-kafka’s serializers come with every digit, their references and their well-known types', async (t) => {
  const { url } = await openRegistry(t, fromTables(registered.schemas, registered.versions))
  t.is(recorded.length, 7)
  for (const { format, bytes, event } of recorded) {
    const decoder = createMessageDecoder({ format, registry: { url }, ...patient })
    t.deepEqual(await decoder.decode(Buffer.from(bytes, 'base64'), null), withBigints(event) as never)
  }
})

test('sixty random schemas of Avro: each message of fastavro is read as it was written', async (t) => {
  t.is(random.length, 60)
  const schemas = Object.fromEntries(random.map(({ schema }, id) => [id, { schema: JSON.stringify(schema) }]))
  const decoder = await decoderOf(t, 'Avro', schemas)
  for (const [id, { messages }] of random.entries())
    for (const [bytes, event] of messages)
      t.deepEqual(await decoder.decode(framedBy(id, Buffer.from(bytes, 'base64')), null), withBigints(event) as never)
})

test('JSON keeps 64-bit integers, framed for a registry or not, and refuses all that is no object', async (t) => {
  const decoder = createMessageDecoder({ format: 'JSON' })
  const text = Buffer.from('{"id": 9007199254740993, "half": 0.5}')
  const event = { id: 9007199254740993n, half: 0.5 }
  t.deepEqual(await decoder.decode(text, null), event)
  t.deepEqual(await decoder.decode(framedBy(7, text), null), event)
  t.is(await decoder.decode(null, json('key')), undefined)
  for (const [bytes, message] of [
    ['[1]', 'the message is no JSON object'],
    ['{"a":', 'the message is no JSON: Unexpected end of JSON input at position 5 (line 1, column 6)'],
    ['', 'the message is no JSON: Unexpected end of JSON input at position 0 (line 1, column 1)'],
    [`{"a":${'['.repeat(300)}${']'.repeat(300)}}`, 'the message nests deeper than 200'],
  ] as const)
    await t.throwsAsync(decoder.decode(Buffer.from(bytes), null), { instanceOf: Fault, message })
  await t.throwsAsync(decoder.decode(Buffer.from([0x7b, 0xff]), null), { message: 'the message is no UTF-8' })
})

const source = { ts_ms: 1700000000000, table: 'users' }
const created = { before: null, after: { id: 1, name: 'Ann' }, source, op: 'c', ts_ms: 1700000000123 }
const times = { __ts_ms: 1700000000123, __source_ts_ms: 1700000000000 }

test('Debezium: the row of each change, with its operation; tombstones, truncations and messages bring none', async (t) => {
  const decoder = createMessageDecoder({ format: 'Debezium' })
  const read = (value: unknown, key: unknown = null) => decoder.decode(json(value), key === null ? null : json(key))
  const row = { id: 1, name: 'Ann', __op: 'c', __deleted: 'false', ...times }
  t.deepEqual(await read(created), row)
  t.deepEqual(await read({ schema: { type: 'struct', fields: [] }, payload: created }), row)
  t.deepEqual(await read({ ...created, op: 'r' }), { ...row, __op: 'r' })
  t.deepEqual(await read({ ...created, op: 'u', before: { id: 1, name: 'An' } }), { ...row, __op: 'u' })
  const deleted = { ...created, op: 'd', before: { id: 1, name: 'Ann' }, after: null }
  t.deepEqual(await read(deleted), { ...row, __op: 'd', __deleted: 'true' })
  t.deepEqual(
    await read({ ...deleted, before: null }, { schema: {}, payload: { id: 1 } }),
    { id: 1, __op: 'd', __deleted: 'true', ...times },
    'a table without a replica identity tells the key alone',
  )
  t.is(await decoder.decode(null, json({ id: 1 })), undefined)
  t.is(await read({ schema: null, payload: null }), undefined)
  t.is(await read({ op: 't', source, ts_ms: 1 }), undefined)
  t.is(await read({ op: 'm', source, ts_ms: 1 }), undefined)
  t.deepEqual(await read({ op: 'c', after: '{"_id": {"$oid": "6"}, "n": 9007199254740993}' }), {
    ...{ _id: { $oid: '6' }, n: 9007199254740992, __op: 'c', __deleted: 'false' },
    n: 9007199254740993n,
  })
  await t.throwsAsync(read({ id: 1 }), {
    message: /no envelope of Debezium: `op` must be c, u, r, d, t or m, and is missing/,
  })
  await t.throwsAsync(read({ op: 'c', after: null }), { message: 'the message of Debezium has no row in `after`' })
  await t.throwsAsync(decoder.decode(framedBy(1, Buffer.from([2, 2])), null), { message: /needs a `registry`/ })
})

test('Debezium: a decimal beside its schema is a number', async (t) => {
  const fields = [{ field: 'price', name: 'org.apache.kafka.connect.data.Decimal', parameters: { scale: '2' } }]
  const schema = { type: 'struct', fields: [{ field: 'after', fields }] }
  const payload = { op: 'c', after: { price: Buffer.from([0xfb, 0x2e]).toString('base64') } }
  const event = await createMessageDecoder({ format: 'Debezium' }).decode(json({ schema, payload }), null)
  t.is(event?.price, -12.34)
})

for (const [scale, found] of [
  ['301', '301'],
  [-1, '-1'],
  ['two', 'NaN'],
  [undefined, 'missing'],
  [{ valueOf: 1, toString: 1 }, '{"valueOf":1,"toString":1}'],
] as const)
  test(`Debezium, hostile: a decimal of the scale ${JSON.stringify(scale)}`, async (t) => {
    const fields = [{ field: 'price', name: 'org.apache.kafka.connect.data.Decimal', parameters: { scale } }]
    const message = json({
      schema: { type: 'struct', fields: [{ field: 'after', fields }] },
      payload: { op: 'c', after: { price: 'AA==' } },
    })
    const error = await t.throwsAsync(createMessageDecoder({ format: 'Debezium' }).decode(message, null), {
      instanceOf: Fault,
      message: `the scale of a decimal must be a whole number from 0 to 300, and is ${found}`,
    })
    t.is((error as Fault).kind, 'invalid')
  })

test('Debezium over Avro: envelope and key are read by the registry’s schemas', async (t) => {
  const row = { type: 'record', name: 'Value', fields: [{ name: 'id', type: 'long' }] }
  const envelope = {
    type: 'record',
    name: 'Envelope',
    namespace: 'shop.users',
    fields: [
      { name: 'before', type: ['null', row] },
      { name: 'after', type: ['null', 'Value'] },
      { name: 'op', type: 'string' },
      { name: 'ts_ms', type: ['null', 'long'] },
    ],
  }
  const decoder = await decoderOf(t, 'Debezium', {
    1: { schema: JSON.stringify(envelope) },
    2: { schema: JSON.stringify({ ...row, name: 'Key' }) },
  })
  // before null; after {id: 5}; op "c"; ts_ms 1.
  t.deepEqual(
    await decoder.decode(framedBy(1, Buffer.from([0, 2, 10, 2, 0x63, 2, 2])), framedBy(2, Buffer.from([10]))),
    {
      ...{ id: 5, __op: 'c', __deleted: 'false', __ts_ms: 1 },
    },
  )
  t.deepEqual(await decoder.decode(framedBy(1, Buffer.from([0, 0, 2, 0x64, 0])), framedBy(2, Buffer.from([10]))), {
    ...{ id: 5, __op: 'd', __deleted: 'true', __ts_ms: null },
  })
})

/** A zigzag varint, by hand from the specification. */
function long(value: bigint): number[] {
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n))
  const bytes: number[] = []
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return [...bytes, Number(rest)]
}

const record = (type: unknown) => ({
  schema: JSON.stringify({ type: 'record', name: 'R', fields: [{ name: 'f', type }] }),
})

const hostileAvro: readonly (readonly [string, unknown, readonly number[], RegExp])[] = [
  ['a text of 2^60 bytes', 'string', long(2n ** 60n), /ends before/],
  ['a text of -1 bytes', 'string', long(-1n), /ends before/],
  ['bytes that are not there', 'bytes', [...long(5n), 1], /ends before/],
  ['a list of 2^60 longs', { type: 'array', items: 'long' }, long(2n ** 60n), /ends before/],
  ['2^31 nulls', { type: 'array', items: 'null' }, long(2n ** 31n), /more values than it has bytes/],
  ['2^62 nulls in a block with its size', { type: 'array', items: 'null' }, [...long(-(2n ** 62n)), 0], /more values/],
  [
    '2^31 empty records',
    { type: 'array', items: { type: 'record', name: 'E', fields: [] } },
    long(2n ** 31n),
    /more values/,
  ],
  ['a record that is within itself', 'R', [], /nests deeper than 200/],
  [
    '5,000 lists in a row',
    ['null', { type: 'record', name: 'L', fields: [{ name: 'l', type: ['null', 'L'] }] }],
    Array(5_000).fill(2),
    /nests deeper/,
  ],
  ['an integer of 11 bytes', 'long', Array(11).fill(255), /over 64 bits/],
  ['a branch that is not there', ['null', 'long'], long(2n), /a union of 2 types has none at 2/],
  [
    'a symbol that is not there',
    { type: 'enum', name: 'E', symbols: ['A'] },
    long(-1n),
    /an enum of 1 symbols has none at -1/,
  ],
  ['half a character', 'string', [...long(1n), 0xc3], /no UTF-8/],
  ['bytes behind the record', 'null', [1], /1 bytes stand behind/],
  [
    'a decimal of 1 MB',
    { type: 'bytes', logicalType: 'decimal', precision: 9 },
    [...long(1_000_000n), ...Array(1_000_000).fill(1)],
    /a decimal has over 128 bytes/,
  ],
  [
    'a decimal of the scale 1e9',
    { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 1e9 },
    [...long(1n), 1],
    /the scale of a decimal must be a whole number from 0 to 300, and is 1000000000/,
  ],
]

for (const [title, type, bytes, message] of hostileAvro)
  test(`Avro, hostile: ${title}`, async (t) => {
    const decoder = await decoderOf(t, 'Avro', { 1: record(type) })
    const error = await t.throwsAsync(decoder.decode(framedBy(1, Buffer.from(bytes)), null), {
      instanceOf: Fault,
      message,
    })
    t.is((error as Fault).kind, 'invalid')
  })

test('Avro: a date before the year 0 or after 9999 comes whole', async (t) => {
  const decoder = await decoderOf(t, 'Avro', { 1: record({ type: 'int', logicalType: 'date' }) })
  const dates = [2_932_896n, 2_932_897n, -719_529n].map(async (days) =>
    Object.values((await decoder.decode(framedBy(1, Buffer.from(long(days))), null)) ?? {}),
  )
  t.deepEqual((await Promise.all(dates)).flat(), ['9999-12-31', '+010000-01-01', '-000001-12-31'])
})

test('Avro, hostile: thirty types that each have the one before twice stand for a billion values, and are refused', async (t) => {
  let type: unknown = 'null'
  for (let depth = 0; depth < 30; depth++)
    type = {
      type: 'record',
      name: `D${depth}`,
      fields: [
        { name: 'a', type },
        { name: 'b', type: depth === 0 ? 'null' : `D${depth - 1}` },
      ],
    }
  const decoder = await decoderOf(t, 'Avro', { 1: record(type) })
  await t.throwsAsync(decoder.decode(framedBy(1, Buffer.alloc(0)), null), { message: /more values than it has bytes/ })
})

const proto = (text: string) => ({ schemaType: 'PROTOBUF', schema: `syntax = "proto3"; ${text}` })
const nesting =
  'message M { M m = 1; repeated int32 l = 2; string s = 3; map<string, M> by = 4; repeated M ms = 5; double d = 6; }'

const hostileProto: readonly (readonly [string, readonly number[], RegExp])[] = [
  ['a text of 2^60 bytes', [0x1a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10], /ends before/],
  ['a field of the number 0', [0x00, 0x01], /the number 0/],
  ['a group without an end', [0x0b], /ends before/],
  ['groups in groups', Array(5_000).fill(0x7b), /nests deeper/],
  ['a group that another one ends', [0x7b, 0x0c], /ends in another one/],
  ['an unknown way of writing', [0x7e], /unknown way 6/],
  ['an integer of 11 bytes', [0x10, ...Array(11).fill(255)], /over 64 bits/],
  ['half a double', [0x31, 1, 2], /ends before/],
  ['half a character', [0x1a, 1, 0xc3], /no UTF-8/],
]

for (const [title, bytes, message] of hostileProto)
  test(`Protobuf, hostile: ${title}`, async (t) => {
    const decoder = await decoderOf(t, 'Protobuf', { 1: proto(nesting) })
    await t.throwsAsync(decoder.decode(framedBy(1, Buffer.from([0, ...bytes])), null), { instanceOf: Fault, message })
  })

test('Protobuf, hostile: messages within messages, 1,000 deep', async (t) => {
  let bytes = Buffer.alloc(0)
  const size = (length: number) => (length < 128 ? [length] : [(length & 127) | 128, length >> 7])
  for (let depth = 0; depth < 1_000; depth++) bytes = Buffer.concat([Buffer.from([0x0a, ...size(bytes.length)]), bytes])
  const decoder = await decoderOf(t, 'Protobuf', { 1: proto(nesting) })
  await t.throwsAsync(decoder.decode(framedBy(1, Buffer.concat([Buffer.from([0]), bytes])), null), {
    message: /nests deeper than 200/,
  })
})

test('Protobuf, hostile: few bytes that stand for millions of fields without a value', async (t) => {
  const fields = Array.from({ length: 1_000 }, (_, at) => `int32 f${at} = ${at + 2};`).join(' ')
  const decoder = await decoderOf(t, 'Protobuf', {
    1: proto(`message M { repeated W w = 1; } message W { ${fields} }`),
  })
  const bytes = Buffer.from([0, ...Array.from({ length: 10_000 }, () => [0x0a, 0]).flat()])
  await t.throwsAsync(decoder.decode(framedBy(1, bytes), null), { message: /more values than it has bytes/ })
})

test('Protobuf: parts of a message are one, the last member of a oneof counts, packed and single numbers are one list', async (t) => {
  const text =
    'message M { In in = 1; oneof o { int32 a = 2; In b = 3; } repeated sint32 l = 4; optional double d = 5; message In { int32 x = 1; int32 y = 2; } }'
  const decoder = await decoderOf(t, 'Protobuf', { 1: proto(text) })
  const read = (...bytes: number[]) => decoder.decode(framedBy(1, Buffer.from([0, ...bytes])), null)
  t.deepEqual(await read(0x0a, 2, 8, 1, 0x0a, 2, 16, 2), { in: { x: 1, y: 2 }, l: [] })
  t.deepEqual(await read(0x10, 5, 0x1a, 0), { b: { x: 0, y: 0 }, l: [] })
  t.deepEqual(await read(0x1a, 0, 0x10, 5), { a: 5, l: [] })
  t.deepEqual(await read(0x22, 2, 1, 2, 0x20, 3), { l: [-1, 1, -2] })
  t.deepEqual(await read(0x29, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f), { l: [], d: null }, 'NaN is no value of JSON')
})

test('a schema of another kind, one that cannot be read and a number that the registry does not have are faults of the message', async (t) => {
  const { url, asked } = await openRegistry(
    t,
    fromTables({ 1: proto(nesting), 2: { schema: '{"type": "record"}' }, 3: { schema: '["nul"]' } }),
  )
  const decoder = createMessageDecoder({ format: 'Avro', registry: { url }, ...patient })
  for (const [id, message] of [
    [1, /schema 1 of the registry is of the type PROTOBUF, and the format is Avro/],
    [2, /a name is missing in the schema/],
    [3, /the schema has no type "nul"/],
    [4, /has no \/schemas\/ids\/4/],
    [4, /has no \/schemas\/ids\/4/],
  ] as const) {
    const error = await t.throwsAsync(decoder.decode(framedBy(id, Buffer.alloc(1)), null), {
      instanceOf: Fault,
      message,
    })
    t.is((error as Fault).kind, 'invalid')
  }
  t.is(asked.length, 4, 'a fault of a schema is kept for some seconds')
  await t.throwsAsync(decoder.decode(json({ a: 1 }), null), { message: /the message has no number of a schema/ })
})

test('forty messages of one schema ask the registry once, with the source’s credentials', async (t) => {
  const { url, asked, headers } = await openRegistry(t, fromTables({ 1: record('long') }))
  const registry = { url: `${url}/`, user: 'ann', password: 'secret:1' }
  const decoder = createMessageDecoder({ format: 'Avro', registry, ...patient })
  const events = await Promise.all(
    Array.from({ length: 40 }, (_, at) => decoder.decode(framedBy(1, Buffer.from([2 * at])), null)),
  )
  t.deepEqual(
    events,
    Array.from({ length: 40 }, (_, at) => ({ f: at })),
  )
  t.deepEqual(asked, ['/schemas/ids/1'])
  t.deepEqual(headers, [`Basic ${Buffer.from('ann:secret:1').toString('base64')}`])
})

test('a registry that is away, stands still, refuses the credentials or is none leaves the message for later', async (t) => {
  const answers: Answer[] = [
    { status: 500, body: '' },
    { status: 401, body: { error_code: 401 } },
    { status: 404, body: '<html>' },
    { status: 302, body: '' },
    { body: '{"no": "schema"}' },
    { body: '<html>' },
  ]
  const { url } = await openRegistry(t, () => answers.shift())
  const decoder = createMessageDecoder({ format: 'Avro', registry: { url }, ...patient })
  for (const said of [/with 500/, /with 401/, /with 404/, /with 302/, /no schema/, /no schema/]) {
    const error = await t.throwsAsync(decoder.decode(framedBy(1, Buffer.alloc(1)), null), {
      instanceOf: Fault,
      message: said,
    })
    t.is((error as Fault).kind, 'unavailable')
  }
  const still = createMessageDecoder({ format: 'Avro', registry: { url }, allowsInternal: true, time_ms: 200 })
  const late = await t.throwsAsync(still.decode(framedBy(1, Buffer.alloc(1)), null), {
    message: /no answer within 0.2 s/,
  })
  t.is((late as Fault).kind, 'unavailable')
  const gone = createMessageDecoder({ format: 'Avro', registry: { url: 'http://127.0.0.1:1' }, ...patient })
  const error = await t.throwsAsync(gone.decode(framedBy(1, Buffer.alloc(1)), null), { message: /ECONNREFUSED/ })
  t.is((error as Fault).kind, 'unavailable')
})

test('an answer of over a megabyte is not read to its end', async (t) => {
  const { url } = await openRegistry(t, () => ({ body: { schema: ' '.repeat(2 * 1024 * 1024) } }))
  const decoder = createMessageDecoder({ format: 'Avro', registry: { url }, ...patient })
  await t.throwsAsync(decoder.decode(framedBy(1, Buffer.alloc(1)), null), { message: /has over 1048576 bytes/ })
})

test('schemas that refer to each other in a circle are asked for once each', async (t) => {
  const circle = {
    schema: '{"type": "record", "name": "A", "fields": []}',
    references: [{ name: 'A', subject: 'a/b', version: 1 }],
  }
  const { url, asked } = await openRegistry(t, fromTables({ 1: circle }, { 'a/b/1': circle }))
  const decoder = createMessageDecoder({ format: 'Avro', registry: { url }, ...patient })
  await t.throwsAsync(decoder.decode(framedBy(1, Buffer.alloc(1)), null), { message: /the schema has two types "A"/ })
  t.deepEqual(asked, ['/schemas/ids/1', '/subjects/a%2Fb/versions/1'])
})

test('an internal address of a registry is asked only where NOTIFY_PRIVATE allows it', async (t) => {
  const { url, asked } = await openRegistry(t, fromTables({ 1: record('long') }))
  for (const internal of [url, url.replace('127.0.0.1', 'localhost')]) {
    const decoder = createMessageDecoder({ format: 'Avro', registry: { url: internal } })
    const error = await t.throwsAsync(decoder.decode(framedBy(1, Buffer.alloc(1)), null), {
      message: /NOTIFY_PRIVATE=1 allows those/,
    })
    t.is((error as Fault).kind, 'unavailable')
  }
  t.deepEqual(asked, [])
})

test('names of .proto that stand for more in JavaScript stay names', async (t) => {
  const text = 'message constructor { string toString = 1; map<string, string> hasOwnProperty = 2; }'
  const decoder = await decoderOf(t, 'Protobuf', { 1: proto(text), 2: proto('message M { string __proto__ = 1; }') })
  const key = [...Buffer.from('__proto__')]
  const event = await decoder.decode(
    framedBy(1, Buffer.from([0, 0x0a, 1, 0x61, 0x12, 14, 0x0a, 9, ...key, 0x12, 1, 0x62])),
    null,
  )
  t.deepEqual(JSON.stringify(event), '{"toString":"a","hasOwnProperty":{"__proto__":"b"}}')
  await decoder.decode(framedBy(2, Buffer.from([0, 0x0a, 1, 0x61])), null)
  t.deepEqual(Object.keys(Object.prototype), [])
})

test('a .proto that would take the square of its length to read is refused', async (t) => {
  const reserved = Array.from({ length: 10_000 }, (_, at) => at + 1).join(', ')
  const decoder = await decoderOf(t, 'Protobuf', {
    1: proto(`message M { reserved ${reserved}; }`),
    2: proto(`/* ${' '.repeat(300_000)} */`),
    3: proto('message M { Missing m = 1; }'),
    4: proto('message M {'.repeat(1_000)),
  })
  for (const [id, message] of [
    [1, /reserves over 300/],
    [2, /over 262144 characters/],
    [3, /cannot be read: no such (?:type|Type or Enum)/i],
    [4, /cannot be read/],
  ] as const)
    await t.throwsAsync(decoder.decode(framedBy(id, Buffer.from([0])), null), { instanceOf: Fault, message })
})
