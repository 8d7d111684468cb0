/** The stand-in against ClickHouse's documentation of its HTTP interface, by a client of Node's own. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, gunzipSync, gzipSync } from 'node:zlib'
import test from 'ava'
import { temporaryFolder } from '../temporary-folder.ts'
import { until as untilWithin } from '../until.ts'
import { startTestClickHouse, type TestClickHouse } from './clickhouse-server.ts'

let server: TestClickHouse
test.before(async () => {
  server = await startTestClickHouse({
    folder: temporaryFolder(),
    user: 'u',
    password: 'p:w',
    keepAlive_ms: 500,
    maxQueries: 1,
  })
})
test.afterEach.always(() => server.clearFaults())
test.after.always(() => server?.kill())

type Sent = {
  readonly query?: string
  readonly body?: string | Buffer
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly parameters?: Record<string, string>
}
type Answer = {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly text: string
  readonly isCut: boolean
}

const until = (what: string, ask: () => Promise<boolean>) => untilWithin(what, ask, 60_000)

const account = { 'X-ClickHouse-User': 'u', 'X-ClickHouse-Key': 'p:w' }

async function ask({ query, body = '', method = 'POST', headers = account, parameters = {} }: Sent): Promise<Answer> {
  const url = new URL(server.url)
  url.username = ''
  url.password = ''
  for (const [name, value] of Object.entries({ ...(query !== undefined && { query }), ...parameters }))
    url.searchParams.set(name, value)
  const sent = request(url, {
    method,
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
    agent: false,
  })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const pieces: Buffer[] = []
  let isCut = false
  answer.on('data', (piece: Buffer) => pieces.push(piece))
  answer.on('error', () => {
    isCut = true
  })
  await new Promise((resolve) => answer.on('close', resolve))
  const whole = Buffer.concat(pieces)
  return { status: answer.statusCode, headers: answer.headers, body: whole, text: whole.toString('utf8'), isCut }
}

const outcome = ({ headers, text }: Answer): string => String(headers['x-clickhouse-exception-code'] ?? text)

test.serial('a statement stands in the URL, in the body or in both, and format and database beside it', async (t) => {
  const asked: readonly [Sent, string][] = [
    [{ body: 'SELECT 1' }, '1\n'],
    [{ query: 'SELECT', body: '1' }, '1\n'],
    [{ query: 'SELECT 1, 2', method: 'GET' }, '1\t2\n'],
    [{ body: 'SELECT 1 AS a', parameters: { default_format: 'JSONEachRow' } }, '{"a":1}\n'],
    [{ body: 'SELECT 1 AS a', headers: { ...account, 'X-ClickHouse-Format': 'CSV' } }, '1\n'],
    [{ body: 'SELECT 1 AS a FORMAT JSONEachRow' }, '{"a":1}\n'],
    [{ body: 'SELECT name FROM one_more', parameters: { database: 'system' } }, '60'],
    [{ body: 'SELECT dummy FROM one', headers: { ...account, 'X-ClickHouse-Database': 'system' } }, '0\n'],
    [{ body: "SELECT {a:String} = 'x\\ty'", parameters: { param_a: 'x\\ty' } }, '1\n'],
    [{ body: 'SELECT {a:String}' }, '456'],
    [{ body: 'SELECT {b:UInt8}', parameters: { param_b: '2' } }, '2\n'],
    [{ body: 'SELECT {b:UInt8}, {a:String}', parameters: { param_a: 'z', param_b: '3' } }, '3\tz\n'],
    [{ body: 'SELECT {b:UInt8}, {a:String}', parameters: { param_a: 'z' } }, '456'],
    [{ body: '/* a\n*/ -- b\n USE system' }, ''],
    [{ body: 'SELECT dummy FROM one' }, '60'],
    [{ body: 'SELECT 1;' }, '1\n'],
    [{ body: "SELECT ';' -- ; \n" }, ';\n'],
    [{ body: 'SELECT 1; SELECT 2' }, '62'],
    [{ body: 'SELECT 1', parameters: { no_such_setting: '1' } }, '115'],
  ]
  for (const [sent, expected] of asked) t.is(outcome(await ask(sent)), expected, JSON.stringify(sent))
})

test.serial('errors have their status, their code and their text', async (t) => {
  const asked: readonly [Sent, number, string][] = [
    [{ body: 'SELEC 1' }, 400, '62'],
    [{ body: 'SELECT * FROM nowhere' }, 404, '60'],
    [{ body: 'SELECT throwIf(1)' }, 500, '395'],
    [
      { body: 'SELECT sleepEachRow(0.01) FROM numbers(1000) SETTINGS max_block_size = 1, max_execution_time = 0.2' },
      408,
      '159',
    ],
    [{ query: 'CREATE TABLE no (a Int8) ENGINE = Memory', method: 'GET' }, 500, '164'],
    [{ body: 'SELECT 1', headers: { 'X-ClickHouse-User': 'u', 'X-ClickHouse-Key': 'no' } }, 403, '516'],
    [{ body: 'SELECT 1', headers: { ...account, Authorization: 'Basic dTpwOnc=' } }, 403, '516'],
    [{ body: 'SELECT 1', headers: {} }, 403, '516'],
  ]
  for (const [sent, status, code] of asked) {
    const answer = await ask(sent)
    t.deepEqual([answer.status, answer.headers['x-clickhouse-exception-code']], [status, code], JSON.stringify(sent))
    t.regex(answer.text, new RegExp(`^Code: ${code}\\. DB::Exception: `))
  }
  t.is((await ask({ body: 'SELECT 1', headers: { Authorization: 'Basic dTpwOnc=' } })).text, '1\n')
  t.is((await ask({ body: 'SELECT 1', headers: {}, parameters: { user: 'u', password: 'p:w' } })).text, '1\n')
})

test.serial('bodies and answers may be compressed', async (t) => {
  const { text } = await ask({ body: gzipSync('SELECT 1'), headers: { ...account, 'Content-Encoding': 'gzip' } })
  t.is(text, '1\n')
  const headers = { ...account, 'Accept-Encoding': 'gzip' }
  const packed = await ask({ body: 'SELECT 2', headers, parameters: { enable_http_compression: '1' } })
  t.is(gunzipSync(packed.body).toString(), '2\n')
  t.is((await ask({ body: 'SELECT 2', headers })).text, '2\n')
})

test.serial(
  'an error is packed as an answer would be, and one amid a packed answer is lost with the connection',
  async (t) => {
    const asked = {
      headers: { ...account, 'Accept-Encoding': 'gzip' },
      parameters: { enable_http_compression: '1' },
    }
    const refused = await ask({ ...asked, body: 'SELECT * FROM nowhere' })
    t.deepEqual([refused.status, refused.headers['content-encoding']], [404, 'gzip'])
    t.regex(gunzipSync(refused.body).toString(), /^Code: 60\. /)
    await server.fault({ does: 'break', code: 241, name: 'MEMORY_LIMIT_EXCEEDED' })
    const broken = await ask({ ...asked, body: 'SELECT number FROM numbers(1000)' })
    t.deepEqual([broken.status, broken.headers['content-encoding'], broken.isCut], [200, 'gzip', true])
    t.throws(() => gunzipSync(broken.body), { message: /unexpected end of file/ })
    const kept = gunzipSync(broken.body, { finishFlush: constants.Z_SYNC_FLUSH }).toString()
    t.notRegex(kept, /__exception__/)
  },
)

test.serial(
  'statements beyond a quota are refused until its interval is over, and each counts as what it is',
  async (t) => {
    t.teardown(() => server.quota())
    const say = (body: string): Promise<string> => ask({ body }).then(outcome)
    await server.quota({ seconds: 3600, query_selects: 2, queries: 4 })
    t.deepEqual([await say('SELECT 1'), await say(' SELECT 2'), await say('SELECT 3')], ['1\n', '2\n', '201'])
    t.deepEqual([await say('EXISTS nowhere'), await say('SET max_threads = 1')], ['201', ''])
    const drop = () => ask({ body: 'DROP TABLE IF EXISTS nowhere' })
    t.deepEqual([outcome(await drop()), outcome(await drop())], ['', ''])
    const { status, headers, text } = await drop()
    t.deepEqual([status, headers['x-clickhouse-exception-code']], [500, '201'])
    const end = String.raw`\d{4}-\d\d-\d\d \d\d:00:00`
    const said = `Quota for user \`u\` for 3600s has been exceeded: queries = 5/4. Interval will end at ${end}.`
    t.regex(text, new RegExp(`^Code: 201\\. DB::Exception: ${said} [^\\n]+ \\(QUOTA_EXCEEDED\\)\n$`))

    await server.quota({ seconds: 1, query_inserts: 1 })
    const insert = () => say("INSERT INTO FUNCTION null('a Int8') VALUES (1)")
    await until('the quota', async () => (await insert()) === '201')
    await until('the next interval', async () => (await insert()) === '')
    t.is(await say('SELECT 4'), '4\n')
  },
)

test.serial('an error amid an answer stands behind the data between tags, and the connection is cut', async (t) => {
  await server.fault({ does: 'break', code: 241, name: 'MEMORY_LIMIT_EXCEEDED' })
  const { status, headers, text, isCut } = await ask({ body: 'SELECT number FROM numbers(1000)' })
  const tag = headers['x-clickhouse-exception-tag']
  t.deepEqual([status, isCut], [200, true])
  t.regex(
    text,
    new RegExp(
      `^0\n1\n[\\s\\S]*\r\n__exception__\r\n${tag}\r\nCode: 241\\. [\\s\\S]*\n\\d+ ${tag}\r\n__exception__\r\n$`,
    ),
  )
})

test.serial('beyond max_concurrent_queries a statement is refused, but KILL is not', async (t) => {
  const long = ask({
    body: "SELECT sleepEachRow(0.01) FROM numbers(100000) SETTINGS max_block_size = 1, log_comment = 'long'",
  })
  await until(
    'the refusal',
    async () => (await ask({ body: 'SELECT 1' })).headers['x-clickhouse-exception-code'] === '202',
  )
  await until(
    'its end',
    async () => (await ask({ body: "KILL QUERY WHERE Settings['log_comment'] = 'long'" })).text !== '',
  )
  t.is((await long).headers['x-clickhouse-exception-code'], '394')
})

test.serial('an idle connection is closed after its time', async (t) => {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (data: Buffer) => {
    text += data.toString('latin1')
  })
  socket.write('GET /ping HTTP/1.1\r\nHost: here\r\n\r\n')
  await once(socket, 'end')
  t.regex(text, /^HTTP\/1.1 200 OK\r\n[\s\S]*Keep-Alive: timeout=1\r\n[\s\S]*Ok\.\n/)
})

test.serial(
  'a connection that is in use stays open, also where a request came before the last answer was out',
  async (t) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let answers = 0
    let isEnded = false
    socket.on('data', (data: Buffer) => {
      answers += data.toString('latin1').split('Ok.\n').length - 1
    })
    socket.once('end', () => {
      isEnded = true
    })
    const ping = 'GET /ping HTTP/1.1\r\nHost: here\r\n\r\n'
    socket.write(ping + ping)
    for (let sent = 2; sent <= 12; sent++) {
      await until('an answer', async () => isEnded || answers === sent)
      t.false(isEnded)
      await sleep(100)
      socket.write(ping)
    }
    socket.destroy()
  },
)

test.serial('a query ends with its client where it is readonly and was asked to, and else goes on', async (t) => {
  const asked = (parameters: Record<string, string>, marker: string) => {
    const url = new URL(server.url)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    url.username = ''
    url.password = ''
    const sent = request(url, { method: 'POST', headers: account, agent: false })
    sent.on('error', () => {})
    sent.end(`SELECT sleepEachRow(0.01), '${marker}' FROM numbers(100000) SETTINGS max_block_size = 1`)
    return sent
  }
  const busy = async (): Promise<boolean> => (await ask({ body: 'SELECT 1' })).status !== 200
  const cancel = { cancel_http_readonly_queries_on_client_close: '1' }
  const first = asked({ ...cancel, readonly: '2', log_comment: 'ends' }, 'ends')
  await until('its begin', busy)
  first.destroy()
  await until('its end', async () => !(await busy()))

  const second = asked({ ...cancel, log_comment: 'stays' }, 'stays')
  await until('its begin', busy)
  second.destroy()
  for (let i = 0; i < 5; i++) t.true(await busy())
  await until(
    'its end',
    async () => (await ask({ body: "KILL QUERY WHERE Settings['log_comment'] = 'stays'" })).text !== '',
  )
})
