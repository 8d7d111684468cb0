import test from 'ava'
import { createKeyStore } from '../../../activities/keys/store.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('of revoked keys the latest stay, those that go are never live again, and live ones are not touched', async (t) => {
  const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
  t.teardown(clickhouse.close)
  await migrate(clickhouse)
  const store = createKeyStore(clickhouse)
  const keyOf = (number: number) => ({
    id: `id${number}`,
    name: `key ${number}`,
    hash: 'h',
    scopes: ['read'],
    places: [],
    fixed: '',
    rate: 0,
    created_us: number,
    expires_us: 0,
    version: number,
  })
  for (let number = 1; number <= 6; number++) await store.put(keyOf(number))
  await store.putUses(new Map([['id1', 5]]))
  for (let number = 1; number <= 5; number++) await store.revoke({ ...keyOf(number), version: 10 + number })
  const ids = async () => {
    const text = 'SELECT DISTINCT id FROM weir.api_keys ORDER BY id'
    return (await clickhouse.rows<{ id: string }>({ text, params: {} })).map(({ id }) => id)
  }
  await store.forgetRevoked(2, 4)
  t.is((await ids()).length, 6, 'too few to be worth it')
  await store.forgetRevoked(2, 3)
  t.deepEqual(await ids(), ['id4', 'id5', 'id6'])
  t.deepEqual(
    (await store.all()).map(({ id }) => id),
    ['id6'],
  )
  t.is((await store.uses()).size, 0)
})
