/** Copies of events beside the streams: sends of notifications, and lines that ClickHouse refused. */
import test from 'ava'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { createRejectedTable } from '../../../sql/schema/ddl/events.ts'
import { openHook } from '../../support/hook.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const hook = await openHook()
let clickhouse: ClickHouse
const { client, close } = await startService({ NOTIFY_PRIVATE: '1' }, undefined, {
  clickhouse: (part) => {
    clickhouse = part
    return part
  },
})
test.after.always(async () => {
  await close()
  hook.close()
})

const attr = [
  { name: 'who', type: 5 },
  { name: 'n', type: 9 },
]
const erased = async (sql: string): Promise<number> => (await client.ok(client.post('/db/mydb/query', { sql }))).retval

test('a send of an erased event keeps its count and loses the event', async (t) => {
  await client.ok(client.post('/db/notification/register', { notifid: 7, name: 'big', endpoints: [hook.url('/big')] }))
  const fqry = { name: JSON.stringify({ query: [{ key: 'n', cmp_op: 0, val: 0 }], qtype: 1 }), type: 1 }
  await client.register({
    schema: 'sends',
    streams: [{ name: 's', type: 1, swsz: 0, attr, fltr: [{ name: 'f', fqry, notf: 7 }] }],
  })
  const texts = ['ann', 'bob', 'ann said ,"count":9,"dur":1']
  for (const who of texts) await client.event('sends.s', { who, n: 1, more: `"notif_event":{"x":1},"count":5,"dur":` })
  await until('three deliveries', () => hook.at('/big').length >= 3, 60_000)
  const before = await client.documents('select * from notif where notifid = 7')
  t.is(await erased('delete from sends.s where who like "ann*"'), 2)
  const after = await client.documents('select * from notif where notifid = 7')
  t.deepEqual(after.map(({ notif_event }) => notif_event.who).toSorted(), ['bob', undefined, undefined])
  t.deepEqual(
    after,
    before.map((send) => (send.notif_event.who === 'bob' ? send : { ...send, notif_event: {} })),
  )
  const [left] = await clickhouse.rows<{ n: number }>({
    text: "SELECT count() AS n FROM weir.notification_matches WHERE position(_event, 'ann') > 0",
    params: {},
  })
  t.is(Number(left?.n), 0)
})

test('a send of gathered events loses them all where one is erased, and keeps its count', async (t) => {
  await client.ok(
    client.post('/db/notification/register', {
      notifid: 8,
      name: 'gathers',
      freq: 2,
      endpoints: [hook.url('/gathers')],
    }),
  )
  const fqry = { name: JSON.stringify({ query: [{ key: 'n', cmp_op: 0, val: 0 }], qtype: 1 }), type: 1 }
  await client.register({
    schema: 'gathers',
    streams: [{ name: 's', type: 1, swsz: 0, attr, fltr: [{ name: 'f', fqry, notf: 8 }] }],
  })
  for (const who of ['bob', 'dan', 'cid'])
    await client.event('gathers.s', { who, n: 1, more: `"notif_events":[],"count":5,"dur":` })
  await until('two deliveries', () => hook.at('/gathers').length >= 2, 60_000)
  const [second, first] = await client.documents('select * from notif where notifid = 8')
  t.is(second?.notif_event.who, 'cid')
  t.is(await erased('delete from gathers.s where who = "dan"'), 1)
  const { notif_events: _, ...counts } = second ?? {}
  t.deepEqual(await client.documents('select * from notif where notifid = 8'), [{ ...counts, notif_event: {} }, first])
})

test('lines that ClickHouse refused go where they match', async (t) => {
  await client.register({ schema: 'lines', streams: [{ name: 's', type: 1, swsz: 0, attr }] })
  await clickhouse.run(createRejectedTable('lines', 's'))
  const at = (us: number): number => 1_600_000_000_000_000 + us
  const lines = [
    { _pk: at(5), _seq: 1, _rest: '{"more":{"at":"home"}}', who: 'ann', n: 1 },
    { _pk: at(6), _seq: 2, _rest: '', who: 'bob', n: 2 },
    { _pk: at(7), _seq: 3, _rest: '{"more":{"at":"work"}}', who: 'cid', n: 3 },
  ].map((line) => JSON.stringify(line))
  const rows = [...lines, 'no JSON, ann'].map((line) => `${JSON.stringify({ line, reason: 'none' })}\n`).join('')
  await clickhouse.insert({ table: 'lines.s__rejected', rows: Buffer.from(rows) })
  const left = async () =>
    (
      await clickhouse.rows<{ line: string }>({ text: 'SELECT line FROM lines.s__rejected ORDER BY line', params: {} })
    ).map(({ line }) => line)
  t.is(await erased('delete from lines.s where who = "ann"'), 0)
  t.deepEqual(await left(), ['no JSON, ann', ...lines.slice(1)])
  t.is(await erased('delete from lines.s where more.at = "work" and et <= "2020-09-13T12:26:41Z"'), 0)
  t.deepEqual(await left(), ['no JSON, ann', ...lines.slice(1, 2)])
  t.is(await erased(`delete from lines.s where st >= ${at(6)} and n < 3`), 0)
  t.deepEqual(await left(), ['no JSON, ann'])
})
