/** Files of buckets that become events: each row once, and what becomes of rows and files that are not good. */
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const { client, url, close } = await startService()
const attr = [
  { name: 'n', type: 'LONG' },
  { name: 'price', type: 'DOUBLE' },
  { name: 'paid', type: 'BOOL' },
  { name: 'name', type: 'STRING' },
  { name: 'more', type: 'OBJECT' },
]
let streams = 0
/** A stream of its own for each test. */
async function stream(more: Record<string, unknown> = {}): Promise<string> {
  const name = `files${streams++}`
  await client.ok(client.post('/stream', { schema: name, streams: [{ name: 'st', type: 1, swsz: 0, attr, ...more }] }))
  return `${name}.st`
}
await client.ok(client.post('/brs/bucket', { bucket_name: 'files' }))
test.after.always(close)

const put = (key: string, content: string | Uint8Array) =>
  client.ok(client.send('PUT', `/brs/files/object/${encodeURIComponent(key)}`, Buffer.from(content)))
const start = (body: Record<string, unknown>, wait = 30) => client.post(`/import?wait=${wait}`, body)
/** How it ends, however long other tests take beside it. */
async function ended(body: Record<string, unknown>) {
  const { id } = await client.ok(start(body))
  const found = () => client.ok(client.get(`/import/${id}`))
  await until('the import has ended', async () => (await found()).state !== 'running', 120_000)
  return found()
}
async function imported(key: string, content: string | Uint8Array, more: Record<string, unknown>) {
  await put(key, content)
  return ended({ from: { bucket: 'files', key }, ...more })
}
async function rows(into: string): Promise<Record<string, unknown>[]> {
  const answer = await client.ok(client.query(`select * from ${into} limit 10000`))
  return answer.rows
    .map(({ v }: { v: string }) => JSON.parse(v))
    .sort((one: { n: number }, other: { n: number }) => one.n - other.n)
}
const plain = (events: Record<string, unknown>[]) =>
  events.map(({ n, price, paid, name, more }) => ({ n, price, paid, name, more }))

/** Two lines, as the program zstd packs them. */
const zstd = 'KLUv/SQmBQEAwHsibiI6MSwibmFtZSI6ImEifQoyYiJ9CgIAoES7Zhh571+6'

const csv =
  'n,price,paid,name,more\r\n1,1.5,true,"a ""b"", c",\r\n2,-2e3,0,"two\r\nlines","{""x"":[1]}"\r\n9007199254740993,,,,\r\n'
const events = [
  { n: 1, price: 1.5, paid: true, name: 'a "b", c', more: undefined },
  { n: 2, price: -2000, paid: false, name: 'two\nlines', more: { x: [1] } },
]

for (const [what, content] of [
  ['plain', csv],
  ['with a byte order mark', `\ufeff${csv}`],
  ['with bare line feeds', csv.replaceAll('\r\n', '\n')],
  ['packed by gzip', gzipSync(csv)],
  ['with blank lines round it', `\n\n${csv}\n\n`],
] as const)
  test(`a CSV ${what} becomes events of the attributes' types`, async (t) => {
    const into = await stream()
    const answer = await imported(`${what}.csv`, content, { format: 'CSV', into })
    t.like(answer, { state: 'done', accepted: 3, rejected: 0, errors: [], num_files: 1, files_done: 1, progress: 1 })
    t.deepEqual(plain((await rows(into)).slice(0, 2)), events)
    const great = await client.ok(
      client.post('/sql', { sql: `SELECT toString(max(n)) AS n FROM ${into}`, format: 'JSONEachRow' }),
    )
    t.is(great.n, '9007199254740993', 'an integer that no double holds')
  })

/** Imports a CSV into a stream that takes no other types; with the numbers of the rows that were refused. */
async function strictCsv(name: string, content: string) {
  const into = await stream({ strict: 1 })
  const answer = await imported(name, content, { format: 'CSV', into })
  return { into, answer, refusedRows: answer.errors.map(({ row }: { row: number }) => row) }
}

test('a whole number that is written with zeros behind the point is an integer', async (t) => {
  const content = 'n,name\n1.0,a\n,b\n-9007199254740993.00,c\n1.5,d\n2.,e\n'
  const { into, answer, refusedRows } = await strictCsv('points.csv', content)
  t.like(answer, { state: 'done', accepted: 3, rejected: 2 })
  t.deepEqual(refusedRows, [5, 6])
  const sql = `SELECT groupArray((toString(n), name)) AS all FROM (SELECT n, name FROM ${into} ORDER BY name)`
  const { all } = await client.ok(client.post('/sql', { sql, format: 'JSONEachRow' }))
  t.deepEqual(all, [
    ['1', 'a'],
    [null, 'b'],
    ['-9007199254740993', 'c'],
  ])
})

test('a quoted cell of many lines comes whole, also one of millions of characters', async (t) => {
  const into = await stream()
  const long = '7,x\n'.repeat(4_000_000)
  const answer = await imported('lines.csv', gzipSync(`n,name\n1,"${long}"\n2,a\n`, { level: 1 }), {
    format: 'CSV',
    into,
  })
  t.like(answer, { state: 'done', accepted: 2, rejected: 0 })
  const sql = `SELECT n, length(name) AS l, countSubstrings(name, '7,x\\n') AS c FROM ${into} ORDER BY n LIMIT 1`
  t.like(await client.ok(client.post('/sql', { sql, format: 'JSONEachRow' })), { n: 1, l: 16_000_000, c: 4_000_000 })
})

test('rows that are not good are refused with their line and reason, and the others come', async (t) => {
  const content = 'n,price,name\n1,2,a\nx,2,b\n3,y,c\n4,5\n5,6,"d\n6,7,e\n'
  const { answer, refusedRows } = await strictCsv('bad.csv', content)
  t.like(answer, { state: 'done', accepted: 1, rejected: 4 })
  t.deepEqual(refusedRows, [3, 4, 5, 6])
  t.regex(answer.errors[0].error, /^n: .*integer/)
  t.is(answer.errors[2].error, 'the row has 2 cells, and the header has 3')
  t.is(answer.errors[3].error, 'a quoted cell of the row has no closing quote')
})

test('a row that the stream refuses stands among its refused events under its number in the file', async (t) => {
  const into = await stream({ strict: 1 })
  const answer = await imported('refused.ndjson', '{"n":1}\n\n?\n{"n":"x"}\n{"n":2}\n', { format: 'NDJSON', into })
  t.like(answer, { state: 'done', accepted: 2, rejected: 2 })
  const { refused } = await client.ok(client.get(`/stream/${into.replace('.', '/')}/refused`))
  t.deepEqual(
    refused.map(({ line, text, error }: { line: number; text: string; error: string }) => ({ line, text, error })),
    [
      { line: 4, text: '{"n":"x"}', error: answer.errors[1].error },
      { line: 3, text: '?', error: answer.errors[0].error },
    ],
  )
})

test('a row of forty megabytes is refused, and the rows round it come', async (t) => {
  const into = await stream()
  const content = `{"n":1}\n{"n":2,"name":"${'x'.repeat(40_000_000)}"}\n{"n":3}\n`
  const answer = await imported('long.ndjson', gzipSync(content, { level: 1 }), { format: 'NDJSON', into })
  t.like(answer, { state: 'done', accepted: 2, rejected: 1 })
  t.like(answer.errors[0], { row: 2 })
  t.regex(answer.errors[0].error, /16 Mi characters/)
})

test('map takes columns and paths, and time the time of the event', async (t) => {
  const into = await stream()
  const map = { n: 'order.id', name: 'customer.names.0', more: 'order' }
  const line =
    '{"order":{"id":7},"customer":{"names":["Ann"]},"at":"2026-11-01T00:00:00Z","_id":"ours"}\n{"order":{"id":8},"at":1700000000}\n{"order":{"id":9},"at":true}\n'
  const answer = await imported('map.ndjson', line, { format: 'NDJSON', into, map, time: 'at' })
  t.like(answer, { accepted: 2, rejected: 1 })
  t.regex(answer.errors[0].error, /the time is no time/)
  const found = await rows(into)
  t.like(found[0], { n: 7, name: 'Ann', more: { id: 7 } })
  t.is(Number(found[0]?._pk), Date.parse('2026-11-01T00:00:00Z') * 1000)
  t.is(Number(found[1]?._pk), 1_700_000_000_000_000)
  const cells = await imported('map.csv', 'No;when;word\n1;1700000001;a\n', {
    ...{ format: 'CSV', separator: ';', into, map: { n: 'No', name: 'word' }, time: 'when' },
  })
  t.like(cells, { accepted: 1, rejected: 0 })
  t.true((await rows(into)).some(({ _pk, n }) => n === 1 && Number(_pk) === 1_700_000_001_000_000))
  const absent = await imported('absent.csv', 'a\n1\n', { format: 'CSV', into, map: { n: 'No' } })
  t.regex(absent.errors[0].error, /no column "No"/)
})

test('JSON is an array of objects, or objects one a line', async (t) => {
  const into = await stream()
  const array = await imported('a.json', '[{"n":1},{"n":2}, 5,\n {"n":3}]', { format: 'JSON', into })
  t.like(array, { accepted: 3, rejected: 1 })
  t.is(array.errors[0].row, 3)
  const cut = await imported('cut.json', '[{"n":4},{"n":', { format: 'JSON', into })
  t.like(cut, { accepted: 1, rejected: 1 })
  t.regex(cut.errors[0].error, /no closing bracket/)
})

test('a name of the definition that no row has is told, with what is missing by it', async (t) => {
  const into = await stream()
  const ndjson = '{"a":1,"t":"2026-01-01T00:00:00Z"}\n{"a":2,"b":{"c":"x"}}\n'
  const definition = { format: 'NDJSON', into, map: { n: 'a', name: 'b.c', price: 'prise' }, time: 'tt' }
  t.deepEqual((await imported('unseen.ndjson', ndjson, definition)).error, [
    'no row has a value of "tt", which time names: the events have the time at which they came',
    'no row has a value of "prise", which map names: price is missing in all events',
  ])
  const good = { ...definition, map: { n: 'a', name: 'b.c' }, time: 't' }
  t.deepEqual((await imported('seen.ndjson', ndjson, good)).error, undefined)
})

test('a Parquet without the column of the times is refused at once, with the columns that it has', async (t) => {
  const into = await stream()
  const asked = { sql: 'SELECT 1 AS n, now() AS at', format: 'Parquet' }
  const parquet = await fetch(`${url}/sql`, { method: 'POST', body: JSON.stringify(asked) })
  const answer = await imported('times.parquet', new Uint8Array(await parquet.arrayBuffer()), {
    format: 'Parquet',
    into,
    time: 'ts',
  })
  t.like(answer, { state: 'failed', accepted: 0 })
  t.regex(answer.reason, /the file has no column "ts", which time names; its columns are "n", "at"$/)
})

test('Parquet as ClickHouse writes it becomes events, with times to the microsecond', async (t) => {
  const into = await stream()
  const sql = `SELECT toInt64(number) AS n, number / 4 AS price, toBool(number % 2 = 0) AS paid, if(number = 3, NULL, concat('é', toString(number))) AS name,
    fromUnixTimestamp64Micro(toInt64(1700000000000001 + number), 'UTC') AS at, [number] AS list FROM numbers(25000)`
  for (const codec of ['none', 'snappy', 'zstd', 'gzip', 'lz4', 'brotli']) {
    const asked = { sql: `${sql} SETTINGS output_format_parquet_compression_method = '${codec}'`, format: 'Parquet' }
    const parquet = await fetch(`${url}/sql`, { method: 'POST', body: JSON.stringify(asked) })
    t.is(parquet.status, 200)
    const answer = await imported(`${codec}.parquet`, new Uint8Array(await parquet.arrayBuffer()), {
      ...{
        format: 'Parquet',
        into,
        map: { n: 'n', price: 'price', paid: 'paid', name: 'name', more: 'list' },
        time: 'at',
      },
    })
    t.like(answer, { state: 'done', accepted: 25_000, rejected: 0 }, codec)
  }
  const { retval } = await client.ok(client.query(`select count(*) from ${into}`))
  t.is(retval, 150_000)
  const [found] = await rows(`${into} where n = 3`)
  t.like(found, { n: 3, price: 0.75, paid: false, more: [3] })
  t.is(found?.name, undefined)
  t.is(Number(found?._pk), 1_700_000_000_000_004)
})

test('zstd is unpacked, also where frames follow each other; a file that is cut tells so, and what came before stays', async (t) => {
  const into = await stream()
  const packed = Buffer.from(zstd, 'base64')
  t.like(await imported('a.zst', Buffer.concat([packed, packed]), { format: 'NDJSON', into }), {
    ...{ state: 'done', accepted: 4 },
  })
  const content = Array.from({ length: 100_000 }, (_, n) => JSON.stringify({ n })).join('\n')
  for (const [name, bytes] of [
    ['cut.zst', packed.subarray(0, -5)],
    ['cut.gz', gzipSync(content).subarray(0, 100_000)],
  ] as const) {
    const answer = await imported(name, bytes, { format: 'NDJSON', into })
    t.is(answer.state, 'failed')
    t.regex(answer.reason, /^cut\.\w+: its (gzip|zstd) is cut or broken/)
  }
  t.true((await rows(into)).length > 1_000, 'rows before the cut came')
})

test('files that are none of their format fail with what they are', async (t) => {
  const into = await stream()
  for (const [name, content, format, reason] of [
    ['no.parquet', 'n,m\n1,2\n', 'Parquet', /Parquet cannot be read/],
    ['is.csv', Buffer.from('PK\x03\x04rest'), 'CSV', /ZIP/],
    ['twice.csv', 'a,a\n1,2\n', 'CSV', /two columns of the header are called "a"/],
  ] as const) {
    const answer = await imported(name, content, { format, into })
    t.is(answer.state, 'failed', name)
    t.regex(answer.reason, reason)
  }
  t.like(await imported('empty.csv', '', { format: 'CSV', into }), { state: 'done', accepted: 0, rejected: 0 })
  t.like(await imported('empty.parquet', '', { format: 'Parquet', into }), { state: 'done', accepted: 0 })
})

test('a prefix brings all its files in the order of their keys', async (t) => {
  const into = await stream()
  for (const n of [3, 1, 2]) await put(`day/${n}.ndjson`, `{"n":${n}}\n`)
  await put('days', '{"n":9}\n')
  const answer = await ended({ from: { bucket: 'files', prefix: 'day/' }, format: 'NDJSON', into })
  t.like(answer, { state: 'done', accepted: 3, num_files: 3, files_done: 3 })
  t.deepEqual(
    (await rows(into)).map(({ n }) => n),
    [1, 2, 3],
  )
})

test('a request that comes again under its id begins nothing anew', async (t) => {
  const into = await stream()
  await put('once.ndjson', '{"n":1}\n{"n":2}\n')
  const body = { id: 'once', from: { bucket: 'files', key: 'once.ndjson' }, format: 'NDJSON', into }
  const answers = await Promise.all(Array.from({ length: 40 }, () => ended(body)))
  for (const answer of answers) t.like(answer, { id: 'once', state: 'done', accepted: 2 })
  t.is((await rows(into)).length, 2)
  const other = await start({ ...body, format: 'JSON' })
  t.is(other.status, 409)
  t.regex(other.body.error[0], /there is an import once of something else/)
  t.like(await client.ok(client.send('DELETE', '/import/once')), { errcode: 0 })
  t.is((await client.get('/import/once')).status, 404)
})

test('an id that is forgotten is used anew: for the same rows, and for the same file read otherwise', async (t) => {
  const into = await stream()
  await put('anew.ndjson', '{"n":1}\n{"n":2}\n')
  const body = { id: 'anew', from: { bucket: 'files', key: 'anew.ndjson' }, format: 'NDJSON', into }
  for (const [map, expected] of [
    [{ n: 'n' }, [1, 2]],
    [{ n: 'n' }, [1, 1, 2, 2]],
    [{ price: 'n' }, [1, 1, 2, 2, 'price 1', 'price 2']],
  ] as const) {
    t.like(await ended({ ...body, map }), { state: 'done', accepted: 2, reason: undefined })
    t.like(await client.ok(client.send('DELETE', '/import/anew')), { errcode: 0 })
    t.deepEqual((await rows(into)).map(({ n, price }) => n ?? `price ${price}`).sort(), expected)
  }
})

test('an import waits while its stream is OFF, says so, and is cancelled by DELETE', async (t) => {
  const into = await stream()
  const state = (on: number) => client.ok(client.send('PUT', `/stream/${into.replace('.', '/')}/state`, { state: on }))
  await state(0)
  await put('off.ndjson', '{"n":1}\n')
  const body = { from: { bucket: 'files', key: 'off.ndjson' }, format: 'NDJSON', into }
  const one = await client.ok(start(body, 0))
  const two = await client.ok(start(body, 0))
  const waiting = async () => (await client.ok(client.get(`/import/${two.id}`))).waiting
  await until('it waits', async () => (await waiting()) !== undefined)
  t.regex(await waiting(), /is OFF/)
  t.like(await client.ok(client.send('DELETE', `/import/${two.id}`)), { errcode: 0 })
  t.like(await client.ok(client.get(`/import/${two.id}`)), { state: 'cancelled', accepted: 0 })
  await state(1)
  const ofOne = () => client.ok(client.get(`/import/${one.id}`))
  await until('the other went on', async () => (await ofOne()).state === 'done')
  t.is((await ofOne()).accepted, 1)
  t.is((await rows(into)).length, 1)
  const { imports } = await client.ok(client.get('/import?limit=1000'))
  t.true(imports.some(({ id }: { id: string }) => id === one.id))
})

test('requests that are not good are refused with their place', async (t) => {
  const into = await stream()
  const from = { bucket: 'files', key: 'none' }
  for (const [body, status, error] of [
    [{ from, format: 'CSV', into }, 404, /there is no object none in bucket files/],
    [
      { from: { bucket: 'files', prefix: 'zz' }, format: 'CSV', into },
      404,
      /no object of bucket files begins with "zz"/,
    ],
    [{ from: { bucket: 'nowhere', key: 'a' }, format: 'CSV', into }, 404, /bucket nowhere/],
    [{ from, format: 'XML', into }, 400, /^format: must be one of CSV, JSON, NDJSON, Parquet/],
    [{ from, format: 'JSON', separator: ';', into }, 400, /^separator: goes with the format CSV/],
    [{ from: { bucket: 'files' }, format: 'CSV', into }, 400, /^from\.key: is missing/],
    [{ from: { ...from, prefix: 'a' }, format: 'CSV', into }, 400, /^from\.prefix: goes without/],
    [{ from, format: 'CSV', into: 'nowhere.st' }, 404, /no schema "nowhere"/],
    [{ from, format: 'CSV', into, map: { _pk: 'a' } }, 400, /^map\._pk: is set by `time`/],
    [{ from, format: 'CSV', into, mapp: {} }, 400, /^mapp: is unknown; did you mean map\?/],
  ] as const) {
    const answer = await start(body)
    t.is(answer.status, status, answer.text)
    t.regex(answer.body.error[0], error)
  }
})
