import { join } from 'node:path'
import test from 'ava'
import { createAnalysts } from '../../../infra/clickhouse/analysts/analysts.ts'
import type { SqlAnswer, SqlQuery, SqlRunner } from '../../../infra/clickhouse/analysts/sql-runner.ts'
import { type Analysts, startAnalysts } from '../../support/analysts.ts'
import { until } from '../../support/until.ts'

let analysts: Analysts
test.before(async () => {
  analysts = await startAnalysts()
})
test.after.always(() => analysts?.close())

/** Takes longer than any test waits. */
const endless = 'SELECT count() FROM numbers(1900000000) WHERE sipHash64(number, 1, 2, 3) = sipHash64(number, 3, 2, 1)'

const query = (text: string, own: Partial<SqlQuery> = {}): SqlQuery => ({
  id: 'another',
  text,
  body: Buffer.alloc(0),
  format: 'TSV',
  params: {},
  settings: {},
  ...own,
})

async function textOf(answer: SqlAnswer): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of answer.output) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

let count = 0
async function open(
  connections: number,
): Promise<SqlRunner & { ask(text: string, own?: Partial<SqlQuery>): Promise<string> }> {
  const runner = await createAnalysts({
    path: analysts.path,
    pipes: join(analysts.path, `kill-${count++}`),
    connections,
  })
  return { ...runner, ask: async (text, own) => textOf(await runner.query(query(text, own))) }
}

/** The statement itself, and not the questions about it that come first. */
const isRunning = async (): Promise<boolean> => {
  const text =
    "SELECT count() AS n FROM system.processes WHERE startsWith(query, 'SELECT count() FROM numbers(1900000000)')"
  const [row] = await analysts.clickhouse.rows<{ n: number }>({ text, params: {} })
  return Number(row?.n) > 0
}

test.serial('a client ends its own query, and no other one', async (t) => {
  const runner = await open(2)
  t.teardown(runner.close)
  const ended = t.throwsAsync(runner.ask(endless, { id: 'mine', owner: 'ann' }), { message: /^Code: 394\. / })
  await until('it runs', isRunning)
  const row = (status: string) => `${status}\tmine\tann\t${endless}\n`
  t.is(await runner.ask("KILL QUERY WHERE query_id = 'mine' SYNC", { owner: 'bob' }), '')
  t.is(await runner.ask("KILL QUERY WHERE query_id = 'other'", { owner: 'ann' }), '')
  t.is(await runner.ask("KILL QUERY WHERE query_id = 'mine' TEST", { owner: 'ann' }), row('unknown_status'))
  t.true(await isRunning())
  const kill = { owner: 'ann', params: { id: 'mine' } }
  t.is(await runner.ask('kill query where `query_id` == {id:String} sync;', kill), row('finished'))
  t.false(await isRunning())
  await ended
  t.is(await runner.ask("KILL QUERY WHERE query_id = 'mine'", { owner: 'ann' }), '')
})

test.serial('where keys are off anybody ends a query, also one that waits, though all places are taken', async (t) => {
  const runner = await open(1)
  t.teardown(runner.close)
  const first = t.throwsAsync(runner.ask(endless, { id: 'first', caller: 'a' }), { message: /^Code: 394\. / })
  await until('it runs', isRunning)
  const second = t.throwsAsync(runner.ask(endless, { id: 'second', caller: 'a' }), {
    message: 'Code: 394. DB::Exception: Query was cancelled. (QUERY_WAS_CANCELLED)',
  })
  t.regex(
    await runner.ask("/* x */ KILL QUERY WHERE query_id='second' ASYNC FORMAT JSONEachRow", { caller: 'b' }),
    /^\{"kill_status":"waiting","query_id":"second","user":"default",/,
  )
  await second
  t.regex(await runner.ask("KILL QUERY WHERE query_id='first'", { caller: 'b' }), /^waiting\tfirst\t/)
  await first
  t.is(await runner.ask('SELECT 1'), '1\n')
})

test('other forms of KILL are refused in words that say which is taken', async (t) => {
  for (const text of [
    'KILL QUERY WHERE 1',
    "KILL QUERY WHERE user = 'ann'",
    "KILL QUERY WHERE query_id = 'a' OR 1",
    "KILL QUERY WHERE query_id = 'a' SYNC TEST",
    'KILL QUERY',
    "KILL MUTATION WHERE mutation_id = 'a'",
    "KILL QUERY ON CLUSTER c WHERE query_id = 'a'",
    'KILL QUERY WHERE query_id = {id:UInt8}',
  ]) {
    const { status, text: said } = await analysts.ask(text, { param_id: '1' })
    t.is(status, 403, text)
    t.regex(said, /^Code: 497\. .*KILL QUERY WHERE query_id = '<id>' \[ASYNC \| SYNC \| TEST\]/, text)
  }
  t.regex((await analysts.ask("KILL QUERY WHERE query_id = 'a'; SELECT 1")).text, /^Code: 62\. /)
  t.regex((await analysts.ask("KILL QUERY WHERE query_id = 'a' FORMAT Template")).text, /^Code: 73\. /)
  t.regex((await analysts.ask('KILL QUERY WHERE query_id = {id:String}')).text, /^Code: 456\. /)
})
