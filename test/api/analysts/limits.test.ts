import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createAnalysts } from '../../../infra/clickhouse/analysts/analysts.ts'
import type { SqlQuery } from '../../../infra/clickhouse/analysts/sql-runner.ts'
import { type Analysts, startAnalysts } from '../../support/analysts.ts'
import { until } from '../../support/until.ts'

let analysts: Analysts
test.before(async () => {
  analysts = await startAnalysts()
})
test.after.always(() => analysts?.close())

/** Takes longer than any test waits. */
const endless = 'SELECT count() FROM numbers(1900000000) WHERE sipHash64(number, 1, 2, 3) = sipHash64(number, 3, 2, 1)'

const running = async (part: string): Promise<number> => {
  const text = `SELECT count() AS n FROM system.processes WHERE position(query, '${part}') > 0 AND position(query, 'processes') = 0`
  const [row] = await analysts.clickhouse.rows<{ n: number }>({ text, params: {} })
  return Number(row?.n)
}

const request = async (statement: string): Promise<IncomingMessage> => {
  const asked = get(`${analysts.url}/?query=${encodeURIComponent(statement)}`)
  asked.on('error', () => {})
  const [response] = await once(asked, 'response')
  return response
}

test.serial('time, memory and rows have limits', async (t) => {
  const cases: [statement: string, settings: Record<string, string>, answer: RegExp][] = [
    [endless, { max_execution_time: '1' }, /^Code: 159\. DB::Exception: Timeout exceeded/],
    ['SELECT count() FROM numbers(1000000000000000000)', {}, /^Code: 158\. /],
    ['SELECT count() FROM numbers(1000000000000000000)', { max_rows_to_read: '0' }, /^Code: 158\. /],
    ['SELECT count() FROM numbers(1000000000000000000) SETTINGS max_rows_to_read = 0', {}, /^Code: 158\. /],
    ['SELECT count() FROM numbers(3000000000) SETTINGS use_query_cache, max_rows_to_read = 0', {}, /^Code: 158\. /],
    ['SELECT count() AS AS FROM numbers(3000000000) AS AS SETTINGS max_rows_to_read = 0', {}, /^Code: 158\. /],
    [
      'SELECT (SELECT count() FROM numbers(3000000000) SETTINGS use_query_cache, max_rows_to_read = 0)',
      {},
      /^Code: 158\. /,
    ],
    [
      'SELECT groupArray(toString(number)) FROM numbers(500000000) FORMAT Null',
      {},
      /^Code: 241\. .*MEMORY_LIMIT_EXCEEDED/,
    ],
    [
      'SELECT groupArray(number) FROM numbers(100000000) FORMAT Null',
      { max_memory_usage: '10000000' },
      /^Code: 241\. /,
    ],
    ['SELECT number FROM numbers(100)', { max_result_rows: '10' }, /^Code: 396\. /],
    ['SELECT number FROM numbers(100) SETTINGS max_result_rows = 10', { max_result_rows: '50' }, /^Code: 396\. /],
    ["SELECT length(repeat('x', 1000000000)) FORMAT Null", { max_memory_usage: '100000000' }, /^Code: (241|131)\. /],
    ['WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT count() FROM t', {}, /^Code: \d+\. /],
    [`SELECT ${'('.repeat(600)}1${')'.repeat(600)}`, {}, /^Code: 497\. .*levels of parentheses/],
    [`SELECT ${'1 + '.repeat(60_000)}1`, {}, /^Code: \d+\. /],
    [`SELECT '${'x'.repeat(2_000_000)}'`, {}, /^Code: 62\. .*longer than/],
    ['x'.repeat(5_000_000), {}, /^Code: 307\. /],
  ]
  for (const [statement, settings, answer] of cases) {
    const { text, status } = await analysts.ask(statement, settings)
    t.regex(text, answer, statement.slice(0, 100))
    t.true(status >= 400)
  }
  t.is((await analysts.ask('SELECT 1')).text, '1\n')
})

test.serial('a query ends when its client hangs up', async (t) => {
  for (let i = 0; i < 4; i++) {
    const control = new AbortController()
    const asked = fetch(`${analysts.url}/`, { method: 'POST', body: endless, signal: control.signal })
    await until('the query runs', async () => (await running('sipHash64')) > 0, 30_000)
    control.abort()
    t.false(
      await asked.then(
        () => true,
        () => false,
      ),
    )
    await until('the query is gone', async () => (await running('sipHash64')) === 0, 30_000)
  }
  t.is((await analysts.ask('SELECT 1')).text, '1\n')
})

test.serial('a client that hangs up holds no lane, whatever its query was about to do', async (t) => {
  for (const ms of [0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]) {
    const clients = Array.from({ length: 3 }, () => new AbortController())
    const asked = clients.map(({ signal }) =>
      fetch(`${analysts.url}/`, { method: 'POST', body: 'SELECT number FROM numbers(1900000000)', signal }),
    )
    await sleep(ms)
    for (const client of clients) client.abort()
    await Promise.allSettled(asked)
    t.is((await analysts.ask('SELECT 1')).text, '1\n', `after ${ms} ms`)
  }
  await until('the queries are gone', async () => (await running('numbers(1900000000)')) === 0, 30_000)
})

test.serial('an answer that nobody reads waits in a pipe and not in memory, and holds up nobody else', async (t) => {
  const before = process.memoryUsage().rss
  const response = await request('SELECT number, number * 2 FROM numbers(400000000)')
  await once(response, 'readable')
  response.pause()
  for (let i = 0; i < 50; i++) t.is((await analysts.ask('SELECT 1')).text, '1\n')
  t.true((await running('FROM numbers')) > 0)
  t.true(process.memoryUsage().rss - before < 500_000_000)
  response.destroy()
  await until('the query is gone', async () => (await running('FROM numbers')) === 0, 30_000)
})

test.serial('a reader that is too slow is cut off with a timeout', async (t) => {
  const response = await request('SELECT number, number * 2 FROM numbers(400000000) SETTINGS max_execution_time = 1')
  await once(response, 'readable')
  await until('the query is gone', async () => (await running('FROM numbers')) === 0, 60_000)
  let end = ''
  response.on('data', (data: Buffer) => {
    end = (end + data.toString('latin1')).slice(-2000)
  })
  await new Promise((resolve) => response.once('close', resolve))
  t.false(response.complete)
  t.regex(end, /__exception__[\s\S]*Code: 159\. DB::Exception: Timeout exceeded/)
})

test.serial('what fails half-way ends with a marked exception on a connection that is cut', async (t) => {
  const response = await request("SELECT number, throwIf(number = 5000000, 'too far') FROM numbers(10000000)")
  t.is(response.statusCode, 200)
  const tag = String(response.headers['x-clickhouse-exception-tag'])
  let all = 0
  let end = ''
  response.on('data', (data: Buffer) => {
    all += data.length
    end = (end + data.toString('latin1')).slice(-1000)
  })
  response.on('error', () => {})
  await new Promise((resolve) => response.once('close', resolve))
  t.false(response.complete)
  t.true(all > 10_000_000)
  const text = /\r\n__exception__\r\n(\w+)\r\n(Code: 395\. [\s\S]*\n)(\d+) (\w+)\r\n__exception__\r\n$/.exec(end)
  t.deepEqual([text?.[1], text?.[4]], [tag, tag])
  t.is(Number(text?.[3]), text?.[2]?.length ?? 0)
})

test.serial('a stop waits for no reader that stands still', async (t) => {
  const closing = await createAnalysts({ path: analysts.path, pipes: `${analysts.path}/closing`, connections: 1 })
  const [text, format] = ['SELECT number FROM numbers(400000000)', 'TSV']
  const { output } = await closing.query({ id: 'x', text, body: Buffer.alloc(0), format, params: {}, settings: {} })
  const answer = output[Symbol.asyncIterator]()
  t.false((await answer.next()).done)
  const closed = closing.close().then(() => 'closed')
  t.is(await Promise.race([closed, sleep(40_000, 'not closed', { ref: false })]), 'closed')
  const rest = async (): Promise<void> => {
    while (!(await answer.next()).done);
  }
  await t.throwsAsync(rest, { message: /^Code: 210\. .*the service is stopping/ })
})

test.serial('a stop does not wait on for a query that does not end', async (t) => {
  const closing = await createAnalysts({
    path: analysts.path,
    pipes: `${analysts.path}/stuck`,
    connections: 1,
    longestClose_ms: 1,
  })
  await closing.query({ id: 'x', text: endless, body: Buffer.alloc(0), format: 'TSV', params: {}, settings: {} })
  const closed = closing.close().then(() => 'closed')
  t.is(await Promise.race([closed, sleep(20_000, 'not closed', { ref: false })]), 'closed')
  await until('the query is gone', async () => (await running('sipHash64')) === 0, 80_000)
})

test.serial('a key whose queries keep both places leaves one to another', async (t) => {
  const shared = await createAnalysts({ path: analysts.path, pipes: `${analysts.path}/shared` })
  t.teardown(shared.close)
  const ask = (text: string, caller: string, signal?: AbortSignal) =>
    shared.query({ id: 'x', text, body: Buffer.alloc(0), format: 'TSV', params: {}, settings: {}, caller }, signal)
  const clients = Array.from({ length: 4 }, () => new AbortController())
  const [first, second] = await Promise.all(clients.slice(0, 2).map(({ signal }) => ask(endless, 'greedy', signal)))
  t.truthy(first && second)
  const more = clients.slice(2).map(({ signal }) => ask(endless, 'greedy', signal))
  const modest = ask('SELECT 1', 'modest')
  clients[0]?.abort()
  for await (const chunk of (await modest).output) t.is(Buffer.from(chunk).toString(), '1\n')
  for (let i = 0; i < 3; i++) {
    const { output } = await ask('SELECT 1', 'modest')
    for await (const chunk of output) t.is(Buffer.from(chunk).toString(), '1\n')
  }
  for (const client of clients) client.abort()
  await Promise.allSettled(more)
})

test.serial('more queries than run at a time wait in line, and past its end are refused', async (t) => {
  const query = (text: string): SqlQuery => ({
    id: 'x',
    text,
    body: Buffer.alloc(0),
    format: 'TSV',
    params: {},
    settings: {},
  })
  const narrow = await createAnalysts({
    path: analysts.path,
    pipes: `${analysts.path}/narrow`,
    connections: 1,
    maxWaiting: 1,
    patience_ms: 300,
  })
  t.teardown(narrow.close)
  const client = new AbortController()
  await narrow.query(query(endless), client.signal)
  const second = narrow.query(query('SELECT 2'))
  await t.throwsAsync(narrow.query(query('SELECT 3')), { message: /^Code: 202\. .*1 queries run and 1 wait/ })
  await t.throwsAsync(second, { message: /^Code: 202\. .*none ended within 0\.3 s/ })
  client.abort()
  await until(
    'the lane is free again',
    async () => {
      try {
        const answer = await narrow.query(query('SELECT 4'))
        for await (const chunk of answer.output) t.is(Buffer.from(chunk).toString(), '4\n')
        return true
      } catch {
        return false
      }
    },
    30_000,
  )
})

test.serial('many at once are all answered', async (t) => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => analysts.ask(`SELECT ${i}, sum(a) FROM air.flights`)),
  )
  t.deepEqual(
    answers.map(({ text }) => text),
    answers.map((_, i) => `${i}\t499500\n`),
  )
})
