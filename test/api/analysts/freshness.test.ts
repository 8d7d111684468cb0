/** SQL that sees what was acknowledged before it. */
import test from 'ava'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { freePort } from '../../../scripts/processes/ports.js'
import { startService } from '../../support/service.ts'

/** While it is stuck nothing is inserted into streams. */
const inserts = { stuck: false, slow_ms: 0 }
const slowed = (part: ClickHouse): ClickHouse => ({
  ...part,
  async insert(insertion) {
    if (inserts.stuck) throw new Error('ClickHouse takes nothing')
    await new Promise((resolve) => setTimeout(resolve, inserts.slow_ms))
    return part.insert(insertion)
  },
})
const port = await freePort()
const { client, close } = await startService({ CLICKHOUSE_HTTP_PORT: String(port) }, silentLogger(), {
  clickhouse: slowed,
})
test.after.always(close)

const sql = async (text: string, more: object = {}) => {
  const { status, body } = await client.post('/sql', { sql: text, format: 'JSONCompact', ...more })
  return status === 200 ? Number(body.data[0][0]) : `${status} ${body.error[0]}`
}
const atPort = async (text: string, more = '') => {
  const answer = await fetch(`http://127.0.0.1:${port}/?query=${encodeURIComponent(text)}${more}`)
  return { status: answer.status, text: (await answer.text()).trim() }
}

test.before(async () => {
  for (const schema of ['fresh', 'other']) {
    const attr = [{ name: 'i', type: 9, stat: 1 }]
    await client.register({ schema, streams: [{ name: 's', type: 1, swsz: 0, attr }] })
  }
})

test.serial('each statement has the event that was acknowledged before it, in events and in views', async (t) => {
  inserts.slow_ms = 150
  for (let i = 1; i <= 5; i++) {
    await client.event('fresh.s', { i })
    t.is(await sql('SELECT count() FROM fresh.s'), i)
    await client.event('other.s', { i })
    t.is(await sql('SELECT sum(i_cnt) FROM s_by_60s', { database: 'other' }), i)
  }
  await client.event('fresh.s', { i: 6 })
  t.is((await atPort('SELECT count() FROM fresh.s', '&weir_wait=1')).text, '6')
  await client.event('fresh.s', { i: 6 })
  t.is((await atPort('SELECT count() FROM fresh.s SETTINGS weir_wait = 1')).text, '7')
  await client.event('fresh.s', { i: 6 })
  t.is(
    (await atPort('SELECT count() FROM (SELECT i FROM fresh.s) SETTINGS max_threads = 1, weir_wait FORMAT TSV')).text,
    '8',
  )
  inserts.slow_ms = 0
})

test.serial('eventual does not wait, and neither does the port unless it is asked to', async (t) => {
  const before = await sql('SELECT count() FROM fresh.s')
  inserts.stuck = true
  await client.event('fresh.s', { i: 7 })
  t.is(await sql('SELECT count() FROM fresh.s', { eventual: true }), before)
  t.is(await sql('SELECT count() FROM fresh.s SETTINGS weir_wait = 0'), before)
  t.is(await sql('SELECT count() FROM fresh.s', { settings: { weir_wait: 0 } }), before)
  t.is((await atPort('SELECT count() FROM fresh.s SETTINGS weir_wait = 0', '&weir_wait=1')).text, String(before))
  t.is(Number((await atPort('SELECT count() FROM fresh.s')).text), Number(before))
  const { body } = await client.post('/sql?consistency=eventual', { sql: 'SELECT count() AS n FROM fresh.s' })
  t.is(Number(body.data[0].n), Number(before))
  // Another schema is not waited for.
  t.is(await sql('SELECT count() FROM other.s'), 5)
  const waited = await sql('SELECT count() FROM fresh.s')
  t.regex(String(waited), /^50[34] /)
  const { status, text } = await atPort('SELECT count() FROM fresh.s', '&weir_wait=1')
  t.true(status >= 400)
  t.regex(text, /^Code: \d+\. DB::Exception: /)
  inserts.stuck = false
})

test('a wish that cannot be read is refused', async (t) => {
  t.regex(String(await sql('SELECT 1', { eventual: 'yes' })), /^400 eventual: write true/)
  t.regex((await atPort('SELECT 1', '&weir_wait=soon')).text, /^Code: 36\..*weir_wait: write 1/)
  t.regex((await atPort("SELECT 1 SETTINGS weir_wait = 'soon'")).text, /^Code: 36\..*weir_wait: write 1/)
  t.is((await atPort("SELECT 'SETTINGS weir_wait = soon'")).text, 'SETTINGS weir_wait = soon')
})
