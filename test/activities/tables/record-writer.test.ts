import { join } from 'node:path'
import test from 'ava'
import { createRecordWriter } from '../../../activities/tables/record-writer.ts'
import { type ClickHouse, runAll } from '../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { createClock } from '../../../infra/clock.ts'
import { createTable } from '../../../sql/table/ddl.ts'
import { recordLine } from '../../../sql/table/records.ts'
import { storageOf, type Table } from '../../../sql/table/table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.after.always(() => clickhouse.close())

const table: Table = {
  database: 'd',
  name: 't',
  storage: 'd__t__1',
  kind: 'WIDE',
  keyKind: 'NORMAL_KEY_LONG',
  keyBytes: 24,
  duplicates: false,
  versioned: false,
  words: [],
  indexes: [],
  nextIndex: 1,
}

test('a key is made after a few tries where every tick of the clock is one that is taken', async (t) => {
  await runAll(clickhouse, ['CREATE DATABASE weir_records', ...createTable(table)])
  const [start, tick, ticks] = [1_700_000_000_000_000, 1_000, 5_000]
  const row = { index: 0, text: '', number: 0, seq: 0, document: '{}', v: 1, version: 1, deleted: false }
  const taken = Array.from({ length: 3 * ticks }, (_, n) => String(start + Math.floor(n / 3) * tick + (n % 3)))
  await clickhouse.insert({
    table: storageOf(table),
    rows: Buffer.from(taken.map((key) => recordLine(table, { ...row, key })).join('')),
  })
  let now = start
  const rows: ClickHouse['rows'] = (statement) => {
    now += tick // A question takes its time.
    return clickhouse.rows(statement)
  }
  const writer = createRecordWriter({
    clickhouse: { ...clickhouse, rows },
    clock: createClock(0, () => now),
    table: () => table,
  })
  const { done, key } = await writer.create('{"a":1}')
  t.true(done)
  t.false(taken.includes(key))
  t.true(Number(key) < start + 50 * tick, `${Number(key) - start} us later`)
  await writer.close()
})
