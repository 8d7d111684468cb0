import { once } from 'node:events'
import { get } from 'node:http'
import test from 'ava'
import { frame } from '../../../infra/clickhouse/wire/frames.ts'
import { type Analysts, startAnalysts } from '../../support/analysts.ts'
import { rawRequest } from '../../support/requests/raw-request.ts'

let analysts: Analysts
test.before(async () => {
  analysts = await startAnalysts()
})
test.after.always(() => analysts?.close())

/** Takes longer than any test waits. */
const endless = 'SELECT count() FROM numbers(1900000000) WHERE sipHash64(number, 1, 2, 3) = sipHash64(number, 3, 2, 1)'
const half = { max_execution_time: '1', timeout_overflow_mode: 'break' }

const many = 'SELECT number FROM numbers(1000000)'

/** All of a short answer, the end of a long one, also where its connection is cut. */
async function lastOf(query: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const [response] = await once(get(`${analysts.url}/?${new URLSearchParams({ ...settings, query })}`), 'response')
  let end = ''
  response.on('data', (data: Buffer) => {
    end = (end + data.toString('latin1')).slice(-1_000_000)
  })
  response.on('error', () => {})
  await new Promise((resolve) => response.once('close', resolve))
  return end
}

test('a client lets its own limits end an answer early, and the limits of the service refuse all the same', async (t) => {
  const rows = { max_result_rows: '10', result_overflow_mode: 'break' }
  const bytes = { max_result_bytes: '1000', result_overflow_mode: 'break' }
  const read = { read_overflow_mode: 'break' }
  const cases: [statement: string, settings: Record<string, string>, lines: number | RegExp][] = [
    [many, rows, 10],
    [many, { ...rows, limit: '7' }, 7],
    [many, { ...rows, limit: '70' }, 10],
    [`${many} SETTINGS max_result_rows = 10, result_overflow_mode = 'break'`, {}, 10],
    [many, { ...rows, max_result_bytes: '10000000' }, 10],
    ['SELECT number % 7 AS k, count() FROM numbers(100) GROUP BY k', rows, 7],
    ['SELECT count() FROM air.flights', rows, 1],
    // Whole blocks, as in ClickHouse.
    [`${many} LIMIT 100000`, rows, 65_409],
    [`${many} UNION ALL SELECT number FROM numbers(10)`, { ...rows, max_block_size: '100' }, 100],
    [many, bytes, 65_409],
    [many, { ...bytes, max_block_size: '100' }, 200],
    [
      'SELECT count() FROM numbers(1000000)',
      { ...read, max_rows_to_read: '1000', max_block_size: '100' },
      /^1[01]00\n$/,
    ],
    [many, { max_result_rows: '10' }, /^Code: 396\. /],
    // ClickHouse itself looks at no limit of such an answer.
    [`${many} LIMIT 11 UNION ALL SELECT 1`, { max_result_rows: '10' }, /Code: 396\. .*max rows: 10,/],
    [`${many} LIMIT 9 UNION ALL SELECT 1`, { max_result_rows: '10' }, 10],
    ['SELECT arrayJoin(range(11))', { max_result_rows: '10' }, /Code: 396\. .*max rows: 10,/],
    ['SELECT 1 FROM numbers(60000000) UNION ALL SELECT 1 FORMAT RowBinary', rows, /Code: 396\. .*max rows: 50000000,/],
    [many, { ...rows, result_overflow_mode: 'throw' }, /^Code: 396\. /],
    // Larger than the service's own, or none: the service's holds, and refuses.
    ['SELECT 1 FROM numbers(60000000) FORMAT RowBinary', { ...rows, max_result_rows: '90000000' }, /Code: 396\. /],
    ['SELECT 1 FROM numbers(60000000) FORMAT RowBinary', { result_overflow_mode: 'break' }, /Code: 396\. /],
    ['SELECT 1 FROM numbers(60000000) FORMAT RowBinary', { ...bytes, max_result_bytes: '9000000000' }, /Code: 396\. /],
    ['SELECT count() FROM numbers(3000000000)', read, /^Code: 158\. /],
    ['SELECT count() FROM numbers(3000000000)', { ...read, max_rows_to_read: '9000000000' }, /^Code: 158\. /],
    ['SELECT count() FROM numbers(3000000000)', { ...read, max_bytes_to_read: '100000000000' }, /^Code: 158\. /],
    [many, { result_overflow_mode: 'any' }, /^Code: 36\. .*result_overflow_mode is 'throw' or 'break'/],
  ]
  for (const [statement, settings, expected] of cases) {
    const text = await lastOf(statement, settings)
    const title = `${statement} ${JSON.stringify(settings)}`
    if (typeof expected === 'number') t.is(text.split('\n').length - 1, expected, title)
    else t.regex(text, expected, title)
  }
})

test('a client lets its own time end an answer early', async (t) => {
  const { status, text } = await analysts.ask(endless, half)
  t.deepEqual([status, text], [200, ''])
  t.regex((await analysts.ask(endless, { max_execution_time: '1' })).text, /^Code: 159\. /)
})

test('HEAD is answered without a length and runs nothing', async (t) => {
  const head = await rawRequest(analysts.url, [
    `HEAD /?query=${encodeURIComponent(endless)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  ])
  t.regex(head, /^HTTP\/1\.1 200 OK\r\n/)
  t.notRegex(head, /content-length|transfer-encoding/i)
  t.regex(head, /\r\n\r\n$/)
})

const posted = async (form: FormData, parameters: Record<string, string> = {}) => {
  const answer = await fetch(`${analysts.url}/?${new URLSearchParams(parameters)}`, { method: 'POST', body: form })
  return { status: answer.status, text: await answer.text() }
}

const formOf = (fields: Record<string, string | Blob>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

test('a form of a statement and its parameters is taken', async (t) => {
  const text = 'it\'s "ü" --x 🙂'
  t.deepEqual(
    await posted(formOf({ query: 'SELECT {a:Int64} + 1, {b:String} = {c:String}', param_a: '2', param_b: text }), {
      param_c: text,
    }),
    {
      status: 200,
      text: '3\t1\n',
    },
  )
  t.is((await posted(formOf({ query: '{a:Int64}', param_a: '2' }), { query: 'SELECT 1 +' })).text, '3\n')
  t.is((await posted(formOf({ query: 'SELECT {a:String}', param_a: '' }))).text, '\n')
})

test('a form with other parts is refused in words that say where they go', async (t) => {
  for (const fields of [
    { query: 'SELECT 1', database: 'air' },
    { query: 'SELECT * FROM ids', ids: new Blob(['1\n2\n']) },
    { query: 'SELECT 1', param_a: new Blob(['1']) },
  ]) {
    const { status, text } = await posted(formOf(fields))
    t.is(status, 501)
    t.regex(text, /^Code: 48\. .*a form has query and param_<name> here, not "(database|ids|param_a)".*IN \{ids:Array/)
  }
})

test('a form that cannot be read is refused', async (t) => {
  const broken: [type: string, body: string, why: RegExp][] = [
    ['multipart/form-data', '--b\r\n', /no boundary/],
    ['multipart/mixed; boundary=b', '--b\r\n', /no other multipart/],
    ['multipart/form-data; boundary=b', 'SELECT 1', /its boundary does not come/],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="query"\r\n\r\nSELECT 1',
      /not whole/,
    ],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Type: text/plain\r\n\r\nSELECT 1\r\n--b--', /no name/],
  ]
  for (const [type, body, why] of broken) {
    const answer = await fetch(analysts.url, { method: 'POST', body, headers: { 'Content-Type': type } })
    t.is(answer.status, 400)
    t.regex(await answer.text(), why)
  }
  const good = `--"b"\r\ncontent-disposition: form-data; name=query\r\n\r\nSELECT 7\r\n--"b"--\r\n`
  const headers = { 'Content-Type': 'Multipart/Form-Data; charset=utf-8; Boundary="\\"b\\""' }
  t.not((await fetch(analysts.url, { method: 'POST', body: good, headers })).status, 500)
  const plain = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const body = good.replaceAll('"b"', 'b')
  t.is(await (await fetch(analysts.url, { method: 'POST', body, headers: plain })).text(), '7\n')
})

const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }
const encoded = async (body: string, parameters: Record<string, string> = {}) => {
  const url = `${analysts.url}/?${new URLSearchParams(parameters)}`
  const answer = await fetch(url, { method: 'POST', body, headers: urlencoded })
  return { status: answer.status, text: await answer.text() }
}

test('a body that says it is urlencoded is a statement, as in ClickHouse', async (t) => {
  t.is((await encoded('SELECT 1+1')).text, '2\n')
  t.is((await encoded('SELECT 1 AS query')).text, '1\n')
  t.is((await encoded('WITH a AS (SELECT 1 AS b) SELECT b FROM a')).text, '1\n')
})

test('a body that is urlencoded, and begins as a form does and no statement, is a form', async (t) => {
  const text = 'it\'s "ü" & = % + 🙂'
  t.deepEqual(
    await encoded(
      String(new URLSearchParams({ query: 'SELECT {a:Int64} + 1, {b:String}', param_a: '2', param_b: text })),
    ),
    {
      status: 200,
      text: `3\t${text.replace("'", "\\'")}\n`,
    },
  )
  t.is((await encoded('param_a=2', { query: 'SELECT {a:Int64}' })).text, '2\n')
  for (const body of ['query=SELECT+1&database=air', 'database=air&query=SELECT+1']) {
    const { status, text: refused } = await encoded(body)
    t.is(status, 501)
    t.regex(refused, /a form has query and param_<name> here, not "database"/)
  }
  const broken = await encoded('query=SELECT 100%')
  t.is(broken.status, 400)
  t.regex(broken.text, /SELECT 100% is not urlencoded/)
})

test('an error is framed where the client asked for frames', async (t) => {
  const asked = await fetch(`${analysts.url}/?compress=1&query=SELECT+nope`)
  const plain = await fetch(`${analysts.url}/?query=SELECT+nope`)
  t.deepEqual([asked.status, asked.headers.get('x-clickhouse-exception-code')], [404, '47'])
  t.deepEqual(Buffer.from(await asked.arrayBuffer()), frame(Buffer.from(await plain.arrayBuffer())))
})

test("clickhouse-go's first question has the answer of a server of revision 0", async (t) => {
  const question = 'SELECT displayName(), version(), revision(), timezone()'
  const ask = async (parameters: Record<string, string>) => {
    const address = `${analysts.url}/?${new URLSearchParams({ default_format: 'Native', ...parameters })}`
    return Buffer.from(await (await fetch(address, { method: 'POST', body: question })).arrayBuffer())
  }
  const block = await ask({ client_protocol_version: '54460' })
  t.deepEqual([...block.subarray(0, 10)], [1, 0, 2, 255, 255, 255, 255, 0, 4, 1])
  const [name, version, revision, timezone] = ['displayName()', 'version()', 'revision()', 'timezone()'].map((column) =>
    block.indexOf(`${String.fromCharCode(column.length)}${column}`),
  )
  const text = (value: string) => Buffer.from(`\u0006String\0${String.fromCharCode(value.length)}${value}`)
  t.deepEqual(block.subarray(Number(name) + 14, version), text('weir'))
  t.deepEqual(block.subarray(Number(revision) + 11, timezone), Buffer.from('\u0006UInt32\0\0\0\0\0'))
  t.deepEqual(block.subarray(Number(timezone) + 11), text((await analysts.ask('SELECT timezone()')).text.trim()))
  t.deepEqual(await ask({ client_protocol_version: '54460', compress: '1' }), frame(block))
  t.deepEqual([...(await ask({})).subarray(0, 3)], [4, 1, 13])
  t.regex((await analysts.ask(question)).text, /^Code: /)
})

test('CSV with names says so', async (t) => {
  const typeOf = async (format: string) => (await analysts.ask(`SELECT 1 FORMAT ${format}`)).headers.get('content-type')
  t.is(await typeOf('CSVWithNames'), 'text/csv; charset=UTF-8; header=present')
  t.is(await typeOf('CSV'), 'text/csv; charset=UTF-8; header=absent')
})
