import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const day_us = 86_400 * 1_000_000
let made = 0

async function makeStream(swsz = 0, more: object = {}): Promise<string> {
  const schema = `time${++made}`
  const attr = [
    { name: '_pk', type: 9 },
    { name: 'n', type: 9, stat: 'COUNT' },
  ]
  await client.register({ schema, streams: [{ name: 's', type: 1, swsz, attr, ...more }] })
  return `${schema}.s`
}

const pathOf = (stream: string): string => `/stream/${stream.replace('.', '/')}`
const post = (stream: string, text: string) => client.post(pathOf(stream), text)
const postLines = (stream: string, lines: readonly string[]) =>
  client.post(pathOf(stream), lines.join('\n'), { 'content-type': 'application/x-ndjson' })

const right = 'send a text such as "2026-11-01T00:00:00Z", or a number of microseconds since 1970'
const early = 'expected microseconds since 1970, 100000000000000 (in 1973) or more, got the number'

/** A `_pk` as JSON, and its refusal. */
const refused: readonly (readonly [pk: string, reason: string])[] = [
  ['1795615455000', 'expected microseconds since 1970; 1795615455000 looks like milliseconds: send 1795615455000000'],
  ['100000000000', 'expected microseconds since 1970; 100000000000 looks like milliseconds: send 100000000000000'],
  [
    '99999999999999',
    'expected microseconds since 1970; 99999999999999 looks like milliseconds: send 99999999999999000',
  ],
  ['1795615455', 'expected microseconds since 1970; 1795615455 looks like seconds: send 1795615455000000'],
  ['1795615455.25', 'expected microseconds since 1970; 1795615455.25 looks like seconds: send 1795615455250000'],
  ['99999999999', 'expected microseconds since 1970; 99999999999 looks like seconds: send 99999999999000000'],
  ['99999999', `${early} 99999999`],
  ['0', `${early} 0`],
  ['-0', `${early} 0`],
  ['-1', 'expected a LONG of microseconds since 1970, not negative, got the number -1'],
  ['1795615455000000.5', 'expected a LONG of microseconds since 1970, not negative, got the number 1795615455000000.5'],
  [
    '9223372036854775808',
    'expected a LONG of microseconds since 1970, not negative, got the number 9223372036854775808',
  ],
  ['true', 'expected a LONG of microseconds since 1970, not negative, got true'],
  ['"now"', `the string "now" is no time of ISO 8601: ${right}`],
  ['""', `the string "" is no time of ISO 8601: ${right}`],
  ['"1795615455000000"', `the string "1795615455000000" is no time of ISO 8601: ${right}`],
  ['"2026-02-29T00:00:00Z"', `the string "2026-02-29T00:00:00Z" is no time of ISO 8601: ${right}`],
  ['"2026-11-01T24:00:00Z"', `the string "2026-11-01T24:00:00Z" is no time of ISO 8601: ${right}`],
  ['"01/11/2026"', `the string "01/11/2026" is no time of ISO 8601: ${right}`],
  ['"1969-07-20"', 'the string "1969-07-20" is before 1973-03-03T09:46:40Z, the earliest time of an event'],
]

for (const [pk, reason] of refused) {
  test(`_pk ${pk} is refused, alone, in a batch, and inserted`, async (t) => {
    const stream = await makeStream()
    const event = `{"_pk":${pk},"n":1}`
    const alone = await post(stream, event)
    t.deepEqual([alone.status, alone.body], [400, { errcode: -1, error: [`_pk: ${reason}`] }])
    const { status, body } = await postLines(stream, ['{"n":1}', event])
    t.deepEqual([status, body.errcode, body.accepted], [200, 0, 1])
    t.deepEqual(body.errors, [{ line: 2, error: `_pk: ${reason}` }])
    const inserted = await client.query(`insert into ${stream} values null ${event}`)
    t.deepEqual([inserted.status, inserted.body], [400, { errcode: -1, retval: -1, error: [`_pk: ${reason}`] }])
    t.is(await client.count(`select count(*) from ${stream}`), 1)
  })
}

/** Texts, and the microseconds for which they stand. */
const texts: readonly (readonly [text: string, us: string])[] = [
  ['2026-11-01T00:00:00Z', '1793491200000000'],
  ['2026-11-01T00:00:00.1Z', '1793491200100000'],
  ['2026-11-01T01:00:00.123456+01:00', '1793491200123456'],
  ['2026-10-31T18:30:00.1234567-0530', '1793491200123456'],
  ['2026-11-01 00:00:00', '1793491200000000'],
  ['2026-11-01T00:00', '1793491200000000'],
  ['2026-11-01', '1793491200000000'],
  ['1973-03-03T09:46:40Z', '100000000000000'],
  ['9999-12-31T23:59:59.999999Z', '253402300799999999'],
]

test('a text of ISO 8601 is taken as _pk, to the microsecond', async (t) => {
  for (const [text, us] of texts) {
    const stream = await makeStream()
    t.true((await post(stream, `{"_pk":"${text}","n":1}`)).text.startsWith(`{"errcode":0,"_pk":${us}`), text)
    t.is((await postLines(stream, [`{"_pk":"${text}","n":1}`])).body.accepted, 1)
    t.deepEqual((await client.query(`insert into ${stream} values null {"_pk":"${text}","n":1}`)).body.retval, 0)
    const rows = await client.rows(`select * from ${stream}`)
    t.deepEqual(
      rows.map(({ v }) => v),
      Array(3).fill(`{"_pk":${us},"_v":1,"n":1}`),
    )
  }
})

test('an attribute is computed from a _pk that came as a text', async (t) => {
  const stream = await makeStream(0, { catr: [{ name: 'h', type: 9, opnm: 'HOUR', iatr: ['_pk'] }] })
  await post(stream, '{"_pk":"2026-11-01T05:00:00Z"}')
  await postLines(stream, ['{"_pk":"2026-11-01T06:00:00Z"}'])
  t.deepEqual(
    (await client.documents(`select * from ${stream}`)).map(({ h }) => h),
    [6, 5],
  )
})

test('texts bound a query, quoted, dates alone as their midnight', async (t) => {
  const stream = await makeStream()
  await postLines(
    stream,
    ['2026-10-31T23:59:59.999999Z', '2026-11-01', '2026-11-01T12:00:00Z', '2026-11-02'].map(
      (pk, n) => `{"_pk":"${pk}","n":${n}}`,
    ),
  )
  const found = async (where: string) =>
    (await client.documents(`select * from ${stream} where ${where}`)).map(({ n }) => n).toReversed()
  t.deepEqual(await found('st >= "2026-11-01T00:00:00Z"'), [1, 2, 3])
  t.deepEqual(await found("st > '2026-11-01' and et < '2026-11-02'"), [2])
  t.deepEqual(await found('st >= "2026-11-01T01:00:00+01:00" and ET <= "2026-11-02"'), [1, 2, 3])
  t.deepEqual(await found('_pk = "2026-11-01T12:00:00Z" or _pk < "2026-11-01"'), [0, 2])
  t.is(await client.count(`select count(*) from ${stream} where et < "2026-11-01"`), 1)
  const rows = await client.rows(
    `select aggr(n) from ${stream} where st >= "2026-11-01" and et < "2026-11-01T12:01:00Z" rollup 1`,
  )
  t.is(rows[0]?.v, '{"fromts":1793491200000000,"tots":1793534459999999,"aggr_val":{"cnt":2}}')
})

test('a bound that is no time is refused with the right form', async (t) => {
  const stream = await makeStream()
  const wanted = 'microseconds since 1970, or a text such as "2026-11-01T00:00:00Z"'
  for (const [select, where, problem] of [
    ['*', 'st >= "yesterday"', `st is a time: ${wanted}`],
    ['count(*)', 'n = 1 and et <= "2026-13-01"', `et is a time: ${wanted}`],
    ['aggr(n)', 'et <= "01.11.2026"', `et is a time: ${wanted}`],
    ['aggr(n)', 'st >= 200000000000000.5', `st is a time: ${wanted}`],
    ['*', 'st = "2026-11-01"', 'st bounds the time of events: write st >= <microseconds> or "2026-11-01T00:00:00Z"'],
  ] as const) {
    const { status, body } = await client.query(`select ${select} from ${stream} where ${where}`)
    t.is(status, 400)
    t.true(body.error[0].includes(problem), body.error[0])
  }
})

test('an event that is older than the window is answered with a note, and a batch with their number', async (t) => {
  const stream = await makeStream(3_600)
  const old = Date.now() * 1000 - day_us
  const lateness = `older than the 3,600 s that ${stream} keeps events (swsz): counted in aggregates, not kept`
  t.deepEqual((await post(stream, `{"_pk":${old},"n":1}`)).body, {
    errcode: 0,
    _pk: old,
    error: [`the event is ${lateness}`],
  })
  t.deepEqual((await client.query(`insert into ${stream} values null {"_pk":${old},"n":1}`)).body, {
    retval: 0,
    error: [`the event is ${lateness}`],
  })
  const batch = (lines: readonly string[]) => postLines(stream, lines).then(({ body }) => body)
  const taken = { errcode: 0, rejected: 0, errors: [] }
  t.deepEqual(await batch([`{"_pk":${old}}`, '{"n":1}']), { ...taken, accepted: 2, error: [`1 line is ${lateness}`] })
  const many = Array.from({ length: 1_234 }, (_, n) => (n % 2 ? `{"_pk":${old + n}}` : `{"_pk":${old + n},"o":{}}`))
  t.deepEqual(await batch([...many, '{"n":1}']), { ...taken, accepted: 1_235, error: [`1,234 lines are ${lateness}`] })
  t.deepEqual(await batch(['{"n":1}', `{"_pk":${Date.now() * 1000}}`]), { ...taken, accepted: 2 })
  t.deepEqual(Object.keys((await post(stream, `{"_pk":${Date.now() * 1000 - 1_800_000_000}}`)).body), [
    'errcode',
    '_pk',
  ])
})

test('the first answer of a late event and of a late batch is repeated under its key', async (t) => {
  const stream = await makeStream(3_600)
  const event = `{"_pk":${Date.now() * 1000 - day_us},"n":1}`
  for (const type of ['application/json', 'application/x-ndjson']) {
    const headers = { 'idempotency-key': `key of ${type}`, 'content-type': type }
    const first = await client.post(pathOf(stream), event, headers)
    t.regex(first.text, /"error":\[".*counted in aggregates, not kept"\]/)
    t.is((await client.post(pathOf(stream), event, headers)).text, first.text)
  }
})

test('an event that lies more than a year ahead is answered with a note', async (t) => {
  const stream = await makeStream()
  const newest = 'the event is the newest until then'
  t.deepEqual((await post(stream, '{"_pk":253402300799999999}')).body.error, [
    `_pk 253402300799999999 is more than a year ahead: ${newest}`,
  ])
  t.deepEqual((await postLines(stream, ['{"_pk":"9999-01-01"}', '{"n":1}'])).body.error, [
    '1 line is more than a year ahead: such events are the newest until then',
  ])
  t.is((await post(stream, `{"_pk":${Date.now() * 1000 + 300 * day_us}}`)).body.error, undefined)
})

test('a time beyond the year 9999 is refused, and one in nanoseconds with the microseconds that it would be', async (t) => {
  const stream = await makeStream()
  const reasons = {
    '9223372036854775807':
      '_pk: expected microseconds since 1970, 253402300799999999 (the end of the year 9999) or less, got 9223372036854775807',
    '253402300800000000':
      '_pk: expected microseconds since 1970, 253402300799999999 (the end of the year 9999) or less, got 253402300800000000',
    '1795615455000000000':
      '_pk: expected microseconds since 1970, 1795615455000000000 looks like nanoseconds: send 1795615455000000',
  }
  for (const [time, reason] of Object.entries(reasons)) {
    const one = await post(stream, `{"_pk":${time},"n":1}`)
    t.deepEqual([one.status, one.body.error], [400, [reason]])
    const lines = await postLines(stream, [`{"_pk":${time},"n":1}`, '{"n":1}'])
    t.deepEqual([lines.body.accepted, lines.body.errors], [1, [{ line: 1, error: reason }]])
  }
})

test('a batch of bad lines alone says so beside its counts', async (t) => {
  const stream = await makeStream()
  const one = await postLines(stream, ['{"n":"x"}'])
  const reason = 'n: expected an integer within 64 bits (LONG), got the string "x"'
  t.deepEqual(
    [one.status, one.body],
    [
      200,
      {
        errcode: -1,
        accepted: 0,
        rejected: 1,
        errors: [{ line: 1, error: reason }],
        error: [`the only line is refused: ${reason}`],
      },
    ],
  )
  const all = await postLines(stream, Array(1_500).fill('{"n":"x"}'))
  t.like(all.body, { errcode: -1, accepted: 0, rejected: 1_500 })
  t.deepEqual(all.body.error, [`all 1,500 lines are refused, the first because: ${reason}`])
  t.deepEqual((await postLines(stream, [''])).body, { errcode: 0, accepted: 0, rejected: 0, errors: [] })
})

test('several objects on one line are told how they are sent', async (t) => {
  const stream = await makeStream()
  const curl = 'curl keeps the line ends of a file with --data-binary, not with -d'
  const { body } = await postLines(stream, ['{"n":1}{"n":2} {"n":3}'])
  t.is(body.errcode, -1)
  t.deepEqual(body.errors, [
    { line: 1, error: `the line holds several objects, and each has a line of its own; ${curl}` },
  ])
  t.deepEqual((await post(stream, '{"n":1}\n{"n":2}')).body.error, [
    `the body holds several objects: send one a line, with the content type application/x-ndjson; ${curl}`,
  ])
  const { errors } = (await postLines(stream, ['{"n":1},{"n":2}', '{"n":1}, {}', '{"n":1},'])).body
  t.deepEqual(
    errors.map(({ error }: { error: string }) => /^the line (holds several objects|is no JSON)/.exec(error)?.[1]),
    ['holds several objects', 'holds several objects', 'is no JSON'],
  )
  t.regex((await post(stream, '{"n":1}]')).body.error[0], /^the event is no JSON: /)
})

test('the latest refused events are shown, newest first, with the reason and the first 4 KB of each', async (t) => {
  const stream = await makeStream()
  const before = Date.now() * 1000
  const shown = async (query = '') => await client.ok(client.get(`${pathOf(stream)}/refused${query}`))
  const { refused, num_refused, since } = await shown()
  t.deepEqual([refused, num_refused], [[], 0])
  t.true(since <= before)
  await post(stream, '{"n":"one"}')
  await postLines(stream, ['{"n":1}', 'bad', `{"n":"${'x'.repeat(10_000)}"}`])
  await client.query(`insert into ${stream} values null {"n":2.5}`)
  const wrong = 'n: expected an integer within 64 bits (LONG), got'
  const told = await shown()
  t.is(told.num_refused, 4)
  t.deepEqual(
    told.refused.map(({ line, error, text }: { line?: number; error: string; text: string }) => [
      line,
      error.slice(0, 70),
      text.slice(0, 20),
      text.length,
    ]),
    [
      [undefined, `${wrong} the number 2.5`.slice(0, 70), '{"n":2.5}', 9],
      [3, `${wrong} the string "xxxxxxxx`.slice(0, 70), '{"n":"xxxxxxxxxxxxxx', 4_096],
      [2, "the line is no JSON: JSON value expected but got 'b' at position 0 (line 1".slice(0, 70), 'bad', 3],
      [undefined, `${wrong} the string "one"`.slice(0, 70), '{"n":"one"}', 11],
    ],
  )
  t.true(told.refused.every(({ ts }: { ts: number }) => ts >= before && ts <= Date.now() * 1000 + 1_000))
  t.deepEqual((await shown('?limit=1')).refused, told.refused.slice(0, 1))
  await postLines(stream, Array(500).fill('bad'))
  const most = await shown()
  t.deepEqual([most.refused.length, most.num_refused, most.refused[0].line], [200, 504, 500])
  for (const limit of ['0', '201', 'many'])
    t.is((await client.get(`${pathOf(stream)}/refused?limit=${limit}`)).status, 400)
  t.is((await client.get('/stream/none/s/refused')).status, 404)
})

test('refused events are shown through an edit, and to no other schema of that name; an erasure forgets them', async (t) => {
  const stream = await makeStream()
  const [schema = ''] = stream.split('.')
  const count = async (): Promise<readonly [shown: number, counted: number]> => {
    const { refused, num_refused } = await client.ok(client.get(`${pathOf(stream)}/refused`))
    return [refused.length, num_refused]
  }
  const streams = [{ name: 's', type: 1, swsz: 0, attr: [{ name: 'n', type: 9, stat: 'COUNT' }] }]
  await post(stream, '{"n":"of a person"}')
  await client.ok(client.send('PUT', '/stream', { schema, streams }))
  t.deepEqual(await count(), [1, 1])
  await client.ok(client.query(`delete from ${stream} where n = 1`))
  t.deepEqual(await count(), [0, 1])
  await post(stream, '{"n":"of a person"}')
  t.deepEqual(await count(), [1, 2])
  await client.ok(client.send('DELETE', `/stream/${schema}`))
  await client.register({ schema, streams })
  t.deepEqual(await count(), [0, 0])
})
