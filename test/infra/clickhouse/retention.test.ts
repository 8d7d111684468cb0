import test from 'ava'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { setRetentions } from '../../../infra/clickhouse/retention.ts'
import { readConfig } from '../../../infra/config.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const now_us = Date.now() * 1000
const daysAgo = (days: number): number => now_us - days * 86_400_000_000

const insert = (clickhouse: ClickHouse, table: string, rows: readonly object[]): Promise<void> =>
  clickhouse.insert({ table, rows: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')) })

async function left(clickhouse: ClickHouse, table: string, column: string): Promise<string[]> {
  await clickhouse.run(`OPTIMIZE TABLE ${table} FINAL`)
  const text = `SELECT toString(${column}) AS value FROM ${table} ORDER BY value`
  return (await clickhouse.rows<{ value: string }>({ text, params: {} })).map(({ value }) => value)
}

test('records that only grow are kept for as long as the settings say, and what is not over is kept on', async (t) => {
  const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
  t.teardown(clickhouse.close)
  await migrate(clickhouse)
  await setRetentions(clickhouse, readConfig({ AUDIT_DAYS: '10', NOTIFICATION_DAYS: '20' }), silentLogger())
  const change = (name: string, days: number) => ({ ts: daysAgo(days), author: 'a', what: 'key', name, detail: '' })
  await insert(clickhouse, 'weir.changes', [change('old', 11), change('new', 9)])
  const sent = (kind: string, body: string, days: number) => ({ kind, notifid: 1, ts: daysAgo(days), body })
  await insert(clickhouse, 'weir.notification_log', [
    sent('send', 'old', 21),
    sent('delivery', 'old too', 21),
    sent('retry', 'old as well', 21),
    sent('send', 'new', 19),
    { kind: 'round', body: 'round', version: 7 },
    { kind: 'state', notifid: 1, body: 'state', version: 7 },
  ])
  const merge = (name: string, state: string, days: number) => ({
    graph: 'g',
    secondary_label: 'L',
    secondary_name: name,
    state,
    version: daysAgo(days),
  })
  await insert(clickhouse, 'weir.graph_merges', [
    merge('ended', 'done', 31),
    merge('open', 'begun', 31),
    merge('late', 'done', 29),
  ])
  const found = async () => [
    await left(clickhouse, 'weir.changes', 'name'),
    await left(clickhouse, 'weir.notification_log', 'body'),
    await left(clickhouse, 'weir.graph_merges', 'secondary_name'),
  ]
  t.deepEqual(await found(), [['new'], ['new', 'round', 'state'], ['late', 'open']])

  await setRetentions(clickhouse, readConfig({ AUDIT_DAYS: '5', NOTIFICATION_DAYS: '20' }), silentLogger())
  t.deepEqual(await found(), [[], ['new', 'round', 'state'], ['late', 'open']])
})
