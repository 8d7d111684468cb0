/** The states of watches in ClickHouse. */
import { join } from 'node:path'
import test from 'ava'
import { createWatchStore, type Kept } from '../../../../activities/saved/watch/store.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

const kept: Kept = {
  ...{ at: 1_795_000_000_000_000, took_ms: 5, skipped: 0, alerts: new Map() },
  receivers: { version: 1, format: 'weir', labels: {} },
}

test('watches that go together are forgotten by one statement, with their silences, and no others', async (t) => {
  let statements = 0
  const store = createWatchStore({
    ...clickhouse,
    run: (statement) => {
      statements++
      return clickhouse.run(statement)
    },
  })
  const gone = ["it's", 'a"b', 'grün', ...Array.from({ length: 200 }, (_, n) => `gone${n}`)]
  const all = [...gone, 'stays']
  const turn = { holder: 'h', at: kept.at, changes: [], runs: [], sends: [] }
  await store.commit({ ...turn, number: 1, states: new Map(all.map((name) => [name, kept])) })
  const until = kept.at + 1_000_000
  for (const name of ["it's", 'gone7', 'stays']) await store.putSilence({ name, key: {}, until, why: 'planned' }, 1)
  await store.commit({ ...turn, number: 2, states: new Map(gone.map((name) => [name, undefined])) })
  await store.forget(gone)
  t.is(statements, 1)
  await store.forget([])
  t.is(statements, 1)
  t.deepEqual([...(await store.load()).keys()], ['stays'])
  t.deepEqual(
    (await store.silences(kept.at)).map(({ name }) => name),
    ['stays'],
  )
  const left = await clickhouse.rows<{ name: string }>({
    text: "SELECT DISTINCT name FROM weir.saved_log WHERE kind IN ('state', 'silence')",
    params: {},
  })
  t.deepEqual(left, [{ name: 'stays' }])
})
