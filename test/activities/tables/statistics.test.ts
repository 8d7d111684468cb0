import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createTableStatistics } from '../../../activities/tables/statistics.ts'
import type { QueryClickHouse } from '../../../infra/clickhouse/queries.ts'
import { storedTable } from '../../../sql/table/table.ts'

const table = storedTable.parse({
  database: 'd',
  name: 't',
  storage: 'd__t__1',
  kind: 'NORMAL',
  keyKind: 'NORMAL_KEY',
  keyBytes: 128,
  duplicates: false,
  versioned: false,
  words: [],
  indexes: [],
  nextIndex: 1,
})

/** Two replicas behind one address: parts are those of one, and the count that of another. */
function replicas(records: () => number) {
  let counted = 0
  const rows = async ({ text }: { readonly text: string }): Promise<unknown[]> => {
    if (text.includes('system.parts')) return [{ table: table.storage, files: ['all_1_1_0'], bytes: 1, rows: 2 }]
    counted += 1
    return [{ storage: table.storage, records: records() }]
  }
  return { clickhouse: { rows } as unknown as QueryClickHouse, counted: () => counted }
}

async function countsWith(believed_ms: number) {
  let records = 1
  const { clickhouse, counted } = replicas(() => records)
  const none = async () => 0
  const statistics = createTableStatistics({ countBuckets: none, countKeys: none, believed_ms })
  const count = async () => (await statistics.items([table], false, clickhouse))[0]?.num_records
  const first = await count()
  const again = await count()
  records = 2 // The replica that lagged has caught up.
  await sleep(40)
  return { found: [first, again, await count()], counted: counted() }
}

test('a count that a replica behind the others gave is corrected after a while, though no part changes', async (t) => {
  t.deepEqual(await countsWith(30), { found: [1, 1, 2], counted: 2 })
})

test('with one ClickHouse a table whose parts stay the same is counted once', async (t) => {
  t.deepEqual(await countsWith(Number.POSITIVE_INFINITY), { found: [1, 1, 1], counted: 1 })
})
