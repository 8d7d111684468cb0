import { join } from 'node:path'
import test from 'ava'
import { createMatchReader } from '../../../activities/notifications/match-reader.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { matchesTable } from '../../../sql/schema/ddl/notices.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

test('a match that a repeated batch brought once more, its token lost with the power, is one match', async (t) => {
  const rows = [1, 2, 3].map((seq) =>
    JSON.stringify({
      _source: '7',
      _seq: seq,
      _notifid: 1,
      _schema: 's',
      _event: `{"n":${seq}}`,
      _lane: 0,
      _position: 0,
    }),
  )
  const batch = Buffer.from(rows.map((row) => `${row}\n`).join(''))
  for (const token of ['first', 'again']) await clickhouse.insert({ table: matchesTable, rows: batch, token })
  const matches = createMatchReader(clickhouse)
  const seqs = async (limit: number) => (await matches.next(limit)).map(({ seq }) => seq)
  t.deepEqual(await seqs(10), [1, 2, 3])
  t.deepEqual(await seqs(2), [1, 2])
})
