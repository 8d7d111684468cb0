/** Parts of the JavaScript client that need no Weir: tries, errors, numbers, webhooks, size. */
import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import { build } from 'esbuild'
import { connect, type Sent, verify, type Weir, WeirError } from '../../../clients/node/src/index.ts'
import { readJson, writeJson } from '../../../clients/node/src/json.ts'
import { until } from '../../support/until.ts'

/** A server that answers as it is told, one answer after the other, and what it was asked. */
async function answering(t: ExecutionContext, answers: ((response: ServerResponse) => void)[]) {
  const asked: { headers: IncomingMessage['headers']; url: string | undefined; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (data: string) => {
      body += data
    })
    request.on('end', () => {
      asked.push({ headers: request.headers, url: request.url, body })
      answers[Math.min(asked.length, answers.length) - 1]?.(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))

test('an event is sent again under the same key until it is taken', async (t) => {
  const { url, asked } = await answering(t, [
    (response) => response.destroy(),
    answer(503, { errcode: -6, error: ['later'] }, { 'retry-after': '0.1' }),
    answer(200, { errcode: 0, _pk: 5 }),
  ])
  t.is((await connect({ url }).stream('s', 'e').send({ a: 1 }))._pk, 5)
  t.is(asked.length, 3)
  t.is(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size, 1)
  t.is(new Set(asked.map(({ body }) => body)).size, 1)
})

test('a wait is as long as Retry-After says', async (t) => {
  const { url } = await answering(t, [
    answer(503, { errcode: -6, error: ['later'] }, { 'retry-after': '1' }),
    answer(200, {}),
  ])
  const began = performance.now()
  await connect({ url }).health()
  t.true(performance.now() - began >= 1_000)
})

test('what changes something is not tried again after a cut, and what is at fault never', async (t) => {
  const cut = await answering(t, [(response) => response.destroy()])
  const made = connect({ url: cut.url }).keys.make({ name: 'k', scopes: ['read'] })
  t.is((await t.throwsAsync(made, { instanceOf: WeirError })).kind, 'network')
  t.is(cut.asked.length, 1)
  const refusing = await answering(t, [answer(400, { errcode: -1, error: ['no', 'not so'] })])
  const error = await t.throwsAsync(connect({ url: refusing.url }).health(), { instanceOf: WeirError })
  t.like(error, { kind: 'refused', status: 400, errcode: -1, message: 'no; not so' })
  t.is(refusing.asked.length, 1)
})

for (const [status, kind] of [
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'missing'],
  [409, 'conflict'],
  [413, 'limit'],
  [422, 'refused'],
  [429, 'limit'],
  [503, 'unavailable'],
  [504, 'late'],
] as const) {
  test(`an answer of ${status} is an error of the kind ${kind}`, async (t) => {
    const { url } = await answering(t, [answer(status, { errcode: -1, error: ['so'] })])
    const error = await t.throwsAsync(connect({ url, patience_ms: 0 }).health(), { instanceOf: WeirError })
    t.like(error, { kind, status, message: 'so' })
  })
}

test('what is no Weir is told as that', async (t) => {
  const page = await answering(t, [answer(404, '<html>nothing here</html>')])
  t.regex((await t.throwsAsync(connect({ url: page.url }).health())).message, /is no Weir: <html>nothing here/)
  const fine = await answering(t, [answer(200, '<html>hello</html>')])
  t.is((await t.throwsAsync(connect({ url: fine.url }).health(), { instanceOf: WeirError })).kind, 'foreign')
})

for (const [title, ask] of [
  ['a question', (weir: Weir) => weir.query('select * from s.e').all()],
  ['SQL', (weir: Weir) => weir.sql('SELECT 1').all()],
  ['a saved question', (weir: Weir) => weir.saved('q').rows().all()],
  ['a list', (weir: Weir) => weir.schemas.list().all()],
  ['live events', (weir: Weir) => weir.stream('s', 'e').live().next()],
  ['an answer that is followed', (weir: Weir) => weir.follow('select * from s.e').next()],
] as const) {
  test(`a page of another server with 200 is told as that, and once: ${title}`, async (t) => {
    t.timeout(20_000)
    const { url, asked } = await answering(t, [answer(200, '<html>hello</html>\n', { 'content-type': 'text/html' })])
    t.like(await t.throwsAsync(ask(connect({ url })), { instanceOf: WeirError }), { kind: 'foreign', status: 200 })
    t.is(asked.length, 1)
    const other = await answering(t, [answer(200, '{}')])
    t.is((await t.throwsAsync(ask(connect({ url: other.url })), { instanceOf: WeirError })).kind, 'foreign')
  })
}

const lines = (text: string, headers: Record<string, string> = {}) =>
  answer(200, text, { 'content-type': 'application/x-ndjson', ...headers })
const messages = (text: string) => answer(200, text, { 'content-type': 'text/event-stream; charset=utf-8' })

test('a line that is no JSON is an answer that is broken, data of an event that is none is foreign', async (t) => {
  const { url } = await answering(t, [lines('{"n":1}\n{"n":')])
  t.is((await t.throwsAsync(connect({ url }).sql('SELECT 1').all(), { instanceOf: WeirError })).kind, 'broken')
  const live = await answering(t, [messages('event: event\ndata: {\n\n')])
  const reading = connect({ url: live.url }).stream('s', 'e').live().next()
  t.is((await t.throwsAsync(reading, { instanceOf: WeirError })).kind, 'foreign')
})

for (const [errcode, kind] of [
  [-1, 'refused'],
  [-2, 'unauthorized'],
  [-3, 'missing'],
  [-4, 'conflict'],
  [-5, 'limit'],
  [-6, 'unavailable'],
  [-7, 'late'],
] as const) {
  test(`a refusal with ${errcode} amid an answer is ${kind}, and has no status`, async (t) => {
    const refusal = JSON.stringify({ errcode, error: ['so', 'and so'] })
    const rows = await answering(t, [lines(`{"n":1}\n${refusal}\n`)])
    const live = await answering(t, [messages(`event: error\ndata: ${refusal}\n\n`)])
    for (const failing of [
      () => connect({ url: rows.url }).query('select * from s.e').all(),
      () => connect({ url: live.url }).stream('s', 'e').live().next(),
    ]) {
      const error = await t.throwsAsync(failing(), { instanceOf: WeirError })
      t.like(error, { kind, status: undefined, errcode, message: 'so; and so' })
    }
  })
}

test('SQL with a FORMAT of its own is told as that', async (t) => {
  const { url } = await answering(t, [answer(200, '1\n', { 'content-type': 'text/csv; charset=UTF-8' })])
  await t.throwsAsync(connect({ url }).sql('SELECT 1 FORMAT CSV').all(), {
    message: /got text\/csv.*FORMAT of its own/,
  })
})

test('the answer to a statement that erases is one row, and its notes are told', async (t) => {
  const erased = { retval: 2, error: ['so', 'and so'] }
  const { url } = await answering(t, [answer(200, erased)])
  const notes: string[] = []
  const rows = connect({ url }).query('delete from s.e where n = 1', { onNote: (note) => notes.push(note) })
  t.deepEqual(await rows.all(), [erased])
  t.deepEqual(notes, erased.error)
})

test('SQL with FORMAT Null has no rows, and one that cannot be read is refused by name', async (t) => {
  const of = (format: string, type: string, text: string) =>
    answer(200, text, { 'content-type': type, 'x-clickhouse-format': format })
  const { url } = await answering(t, [of('Null', 'application/octet-stream', ''), of('JSON', 'application/json', '{}')])
  t.deepEqual(await connect({ url }).sql('SELECT 1 FORMAT Null').all(), [])
  const refused = await t.throwsAsync(connect({ url }).sql('SELECT 1 FORMAT JSON').all(), { instanceOf: WeirError })
  t.like(refused, { kind: 'refused', message: 'rows cannot be read of FORMAT JSON: leave the FORMAT out' })
})

test('a row whose only column is cursor is a row', async (t) => {
  const row = await answering(t, [lines('{"cursor":"c"}\n')])
  t.deepEqual(await connect({ url: row.url }).query('select cursor from s.e').all(), [{ cursor: 'c' }])
  const { url } = await answering(t, [lines('{"n":1}\n{"more_data_to_come":1,"cursor":"c"}\n')])
  t.deepEqual(await connect({ url }).query('select * from s.e limit 1').all(), [{ n: 1 }])
  t.deepEqual(await connect({ url }).saved('q').rows().all(), [{ n: 1 }])
  t.is((await connect({ url }).sql('SELECT 1').all()).length, 2)
  const likeRefusal = await answering(t, [lines('{"errcode":-1,"error":["a row of SQL"]}\n')])
  t.is((await connect({ url: likeRefusal.url }).sql('SELECT 1').all()).length, 1)
})

test('notes beside rows are told', async (t) => {
  const { url } = await answering(t, [lines('{"n":1}\n', { 'x-weir-note': 'a; b' })])
  const notes: string[] = []
  const onNote = (note: string): void => void notes.push(note)
  const weir = connect({ url })
  for (const rows of [weir.query('q', { onNote }), weir.sql('q', {}, { onNote }), weir.saved('q').rows({}, { onNote })])
    t.deepEqual(await rows.all(), [{ n: 1 }])
  t.deepEqual(notes, ['a; b', 'a; b', 'a; b'])
})

test('an id or a key that no header takes is refused at once, and no request is sent', async (t) => {
  t.timeout(20_000)
  const { url, asked } = await answering(t, [answer(200, { errcode: 0, _pk: 5 })])
  for (const id of ['заказ 1', 'a\nb']) {
    const error = await t.throwsAsync(connect({ url }).stream('s', 'e').send({ a: 1 }, { id }), {
      instanceOf: WeirError,
    })
    t.is(error.kind, 'refused')
    t.regex(error.message, /^the id of an event has a letter .*_id/)
  }
  const wrong = await t.throwsAsync(connect({ url, key: 'ключ' }).health(), { instanceOf: WeirError })
  t.is(wrong.kind, 'refused')
  t.regex(wrong.message, /^the key has a letter/)
  t.notRegex(wrong.message, /ключ/)
  const names = connect({ url: url.replace('//', '//user:word@') }).health()
  t.is((await t.throwsAsync(names, { instanceOf: WeirError })).kind, 'refused')
  t.is(asked.length, 0)
  t.is((await connect({ url }).stream('s', 'e').send({ a: 1 }, { id: 'größe' }))._pk, 5)
})

test('a port that fetch blocks is tried once', async (t) => {
  t.timeout(20_000)
  let tries = 0
  const counting: typeof fetch = (...args) => {
    tries++
    return fetch(...args)
  }
  const error = await t.throwsAsync(connect({ url: 'http://127.0.0.1:6000', fetch: counting }).health(), {
    instanceOf: WeirError,
  })
  t.is(error.kind, 'network')
  t.regex(error.message, /fetch blocks this port/)
  t.is(tries, 1)
})

test('a stream as a body is sent once, also where the answer is 429', async (t) => {
  const { url, asked } = await answering(t, [answer(429, { errcode: -6, error: ['too often'] }), answer(200, {})])
  const body = new Blob(['hello']).stream()
  const error = await t.throwsAsync(connect({ url }).bucket('b').put('k', body), { instanceOf: WeirError })
  t.like(error, { kind: 'limit', status: 429, message: 'too often' })
  t.is(asked.length, 1)
})

test('a redirect is told and not followed: a POST stays one, and the key goes nowhere else', async (t) => {
  const other = await answering(t, [answer(200, { errcode: 0, _pk: 5 })])
  for (const status of [301, 302, 307, 308]) {
    const { url } = await answering(t, [answer(status, '', { location: `${other.url}/weir/stream/s/e` })])
    const sending = connect({ url, key: 'secret' }).stream('s', 'e').send({ a: 1 })
    const error = await t.throwsAsync(sending, { instanceOf: WeirError })
    t.like(error, { kind: 'foreign', status, message: `${url} redirects to ${other.url}/weir: give that url` })
  }
  t.is(other.asked.length, 0)
})

test('a request ends with its signal, and after its time', async (t) => {
  const { url } = await answering(t, [() => {}])
  const stop = new AbortController()
  setTimeout(() => stop.abort(new Error('enough')), 50)
  await t.throwsAsync(connect({ url }).health({ signal: stop.signal }), { message: 'enough' })
  const late = connect({ url, timeout_ms: 50, patience_ms: 0 }).health()
  t.is((await t.throwsAsync(late, { instanceOf: WeirError })).kind, 'timeout')
})

test('a service that is slow presses back: no more is taken from the events than the next batch', async (t) => {
  let answerIt = () => {}
  const { url, asked } = await answering(t, [
    (response) => {
      answerIt = () => answer(200, { errcode: 0, accepted: 10, rejected: 0, errors: [] })(response)
    },
    answer(200, { errcode: 0, accepted: 10, rejected: 0, errors: [] }),
  ])
  let taken = 0
  function* events() {
    for (; taken < 100; ) yield { n: taken++ }
  }
  const sending = connect({ url }).stream('s', 'e').sendMany(events(), { maxBytes: 70 })
  await until('a batch has come', () => asked.length > 0)
  await new Promise((resolve) => setTimeout(resolve, 200))
  t.true(taken > 0 && taken <= 25, `${taken} taken`)
  answerIt()
  await sending
  t.is(taken, 100)
})

test('an error of the events that comes while a batch is on its way is that of the call', async (t) => {
  const { url } = await answering(t, [
    (response) => setTimeout(() => answer(200, { errcode: 0, accepted: 2 })(response), 200),
  ])
  const uncaught: unknown[] = []
  const note = (error: unknown): void => void uncaught.push(error)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  async function* events() {
    for (let n = 0; n < 4; n++) yield { n }
    throw new Error('the source broke')
  }
  await t.throwsAsync(connect({ url }).stream('s', 'e').sendMany(events(), { maxBytes: 10 }), {
    message: 'the source broke',
  })
  t.deepEqual(uncaught, [])
})

/** Events that wait for more behind the second one, until they are told to go on; and how many were taken of them. */
function waitingEvents() {
  let goOn = () => {}
  const more = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const state = { taken: 0, isClosed: false }
  async function* events() {
    try {
      for (; state.taken < 100; ) {
        if (state.taken === 2) await more
        yield { n: state.taken++ }
      }
    } finally {
      state.isClosed = true
    }
  }
  return { events: events(), state, goOn }
}

for (const [title, options] of [
  ['that is full', { maxBytes: 10 }],
  ['that has waited', { flushMs: 5 }],
] as const)
  test(`the refusal of a batch ${title} is told while the events wait for more, of which no further one is taken`, async (t) => {
    t.timeout(20_000)
    const { url, asked } = await answering(t, [answer(404, { errcode: -3, error: ['there is no stream e'] })])
    const { events, state, goOn } = waitingEvents()
    await t.throwsAsync(connect({ url }).stream('s', 'e').sendMany(events, options), {
      message: 'there is no stream e',
    })
    t.is(asked.length, 1)
    goOn()
    await until('the events are closed', () => state.isClosed)
    t.is(state.taken, 3)
  })

test('what a batch came to is told while the events wait for more, and a signal ends the call there', async (t) => {
  t.timeout(20_000)
  const refused = { errcode: 0, accepted: 1, rejected: 1, errors: [{ line: 2, error: 'no' }] }
  const { url } = await answering(t, [answer(200, refused)])
  const { events } = waitingEvents()
  const stop = new AbortController()
  const onProgress = (sent: Sent): void => {
    t.deepEqual(sent.refused, [{ index: 1, error: 'no', event: { n: 1 } }])
    stop.abort(new Error('enough'))
  }
  const sending = connect({ url }).stream('s', 'e').sendMany(events, { maxBytes: 16, signal: stop.signal, onProgress })
  await t.throwsAsync(sending, { message: 'enough' })
})

test('a batch that is larger than the service takes goes as two; refused events keep their numbers', async (t) => {
  const tooLarge = answer(413, { errcode: -5, error: ['the body exceeds 1 MB'] })
  const { url, asked } = await answering(t, [
    tooLarge,
    answer(200, { errcode: 0, accepted: 2, rejected: 0, errors: [] }),
    answer(200, { errcode: 0, accepted: 1, rejected: 1, errors: [{ line: 2, error: 'no' }] }),
    tooLarge,
  ])
  const stream = connect({ url }).stream('s', 'e')
  const sent = await stream.sendMany([0, 1, 2, 3].map((n) => ({ n })))
  t.like(sent, { accepted: 3, rejected: 1, batches: 2, refused: [{ index: 3, error: 'no', event: { n: 3 } }] })
  t.deepEqual(
    asked.map(({ body }) => body),
    ['{"n":0}\n{"n":1}\n{"n":2}\n{"n":3}', '{"n":0}\n{"n":1}', '{"n":2}\n{"n":3}'],
  )
  t.is(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size, 3)
  await t.throwsAsync(stream.sendMany([{ n: 4 }]), { message: /exceeds 1 MB/ })
})

test('of refused events the first 1,000 are named, and all are counted', async (t) => {
  const errors = Array.from({ length: 100 }, (_, at) => ({ line: at + 1, error: 'no' }))
  const { url, asked } = await answering(t, [answer(200, { errcode: 0, accepted: 0, rejected: 100, errors })])
  const told: Sent[] = []
  // A batch has a hundred lines of eight bytes.
  const sent = await connect({ url })
    .stream('s', 'e')
    .sendMany(
      Array.from({ length: 1_300 }, () => '{"n":1}'),
      {
        maxBytes: 800,
        onProgress: (so) => told.push(so),
      },
    )
  t.is(asked.length, 13)
  t.like(sent, { rejected: 1_300, batches: 13 })
  t.is(sent.refused.length, 1_000)
  t.deepEqual(sent.refused.at(-1), { index: 999, error: 'no', event: '{"n":1}' })
  // Each answer stays as it was told.
  t.deepEqual(
    told.map(({ refused }) => refused.length),
    [100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000, 1_000, 1_000, 1_000],
  )
})

test('a live stream that is cut goes on behind the last event that came, without its beginning', async (t) => {
  const events = (...ids: number[]) => ids.map((id) => `id: ${id}\nevent: event\ndata: {"n":${id}}\n\n`).join('')
  const { url, asked } = await answering(t, [
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`id: 0\nevent: open\ndata: {}\n\n${events(1, 2)}`)
      setTimeout(() => response.destroy(), 50)
    },
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(
        `${events(3)}event: gap\ndata: {"from":3,"to":5}\n\nevent: error\ndata: {"error":["the stream is gone"]}\n\n`,
      )
    },
  ])
  const [seen, notes]: [unknown[], unknown[]] = [[], []]
  const reading = async () => {
    const live = connect({ url })
      .stream('s', 'e')
      .live({ last: 5, where: 'n > 0', onNote: (note, data) => notes.push(note, data) })
    for await (const event of live) seen.push(event)
  }
  await t.throwsAsync(reading(), { message: 'the stream is gone' })
  t.deepEqual(seen, [{ n: 1 }, { n: 2 }, { n: 3 }])
  t.deepEqual(notes, ['gap', { from: 3, to: 5 }])
  t.is(asked[1]?.headers['last-event-id'], '2')
  t.is(asked[1]?.url, '/stream/s/e/live?where=n+%3E+0')
})

test('leaving a loop over rows closes the request', async (t) => {
  let isClosed = false
  const { url } = await answering(t, [
    (response) => {
      response.on('close', () => {
        isClosed = true
      })
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      const timer = setInterval(() => response.write('{"n":1}\n'.repeat(1_000)), 5)
      response.on('close', () => clearInterval(timer))
    },
  ])
  for await (const row of connect({ url }).sql('SELECT 1 AS n')) {
    t.deepEqual(row, { n: 1 })
    break
  }
  for (const end = Date.now() + 5_000; !isClosed && Date.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 10))
  t.true(isClosed)
})

test('an answer that is cut amid its rows is an error, not a shorter answer', async (t) => {
  const { url } = await answering(t, [
    (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write('{"n":1}\n{"n":2}\n')
      setTimeout(() => response.destroy(), 50)
    },
  ])
  const error = await t.throwsAsync(connect({ url }).sql('SELECT 1 AS n').all(), { instanceOf: WeirError })
  t.is(error.kind, 'broken')
})

for (const [text, value] of [
  ['[9007199254740993]', [9_007_199_254_740_993n]],
  [
    '{"a":-9223372036854775808,"b":"9007199254740993","c":1.5}',
    { a: -9_223_372_036_854_775_808n, b: '9007199254740993', c: 1.5 },
  ],
  [
    '["\\"9007199254740993",1000000000000000e15,1234567890123456.5]',
    ['"9007199254740993', 1e30, 1_234_567_890_123_456.5],
  ],
  ['9007199254740991', 9_007_199_254_740_991],
  [
    '[0.12345678901234566,-0.9999999999999999,[-9007199254740993]]',
    [0.12345678901234566, -0.9999999999999999, [-9_007_199_254_740_993n]],
  ],
  ['[1e-00000000000000000001,2.5E+0000000000000000]', [1e-1, 2.5]],
] as const) {
  test(`numbers of ${text} are read and written exactly`, (t) => {
    t.deepEqual(readJson(text, true), value)
    t.deepEqual(readJson(writeJson(value), true), value)
  })
}

for (const text of ['\u0000bigint:5', '\u0000bigint:x', '\u0000'])
  test(`the text ${JSON.stringify(text)} beside a long number stays a text`, (t) => {
    const value = { a: text, b: 9_007_199_254_740_993n }
    t.is(writeJson(value), `{"a":${JSON.stringify(text)},"b":9007199254740993}`)
    t.deepEqual(readJson(writeJson(value), true), value)
  })

test('a webhook is what its secret signed, and not older than five minutes', async (t) => {
  const bytes = randomBytes(32)
  const secret = `whsec_${bytes.toString('base64')}`
  const [id, time, body] = ['ntf_1', String(Math.floor(Date.now() / 1000)), '{"count":1,"name":"größe"}']
  const signature = createHmac('sha256', bytes).update(`${id}.${time}.${body}`).digest('base64')
  const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,AAAA v1,${signature}` }
  t.deepEqual(await verify(headers, body, secret), { count: 1, name: 'größe' })
  t.deepEqual(await verify(new Headers(headers), new TextEncoder().encode(body), secret), { count: 1, name: 'größe' })
  await t.throwsAsync(verify(headers, `${body} `, secret), { message: /no signature by this secret/ })
  await t.throwsAsync(verify({ ...headers, 'webhook-signature': `v1,${signature.slice(4)}` }, body, secret), {
    message: /no signature/,
  })
  await t.throwsAsync(verify(headers, body, secret, Date.now() + 301_000), { message: /more than five minutes away/ })
  await t.throwsAsync(verify({ ...headers, 'webhook-timestamp': 'soon' }, body, secret), { message: /five minutes/ })
})

test('the client for browsers is less than 10 KB packed, and asks for nothing of Node', async (t) => {
  const { outputFiles } = await build({
    entryPoints: ['clients/node/src/index.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  })
  const size = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length
  t.true(size < 10_000, `${size} bytes`)
})
