import { readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const greatest = { text: 'SELECT max(b) AS b FROM d.t', params: {} }

test('a projection whose checksums a power cut took is not read: the rows of its part are', async (t) => {
  const path = temporaryFolder()
  const first = createEmbeddedClickHouse({ path })
  await first.run('CREATE DATABASE d')
  await first.run(
    'CREATE TABLE d.t (a Int64, b Int64, PROJECTION _watermark (SELECT max(b))) ENGINE = MergeTree ORDER BY a',
  )
  await first.run('INSERT INTO d.t VALUES (1, 7), (2, 5)')
  await first.close()

  const store = join(path, 'store')
  const names = readdirSync(store, { recursive: true, encoding: 'utf8' })
  const [torn = ''] = names.filter((name) => name.endsWith('/_watermark.proj'))
  rmSync(join(store, torn, 'checksums.txt'))
  truncateSync(join(store, torn, 'data.bin'), 0)
  const again = createEmbeddedClickHouse({ path })
  t.deepEqual(await again.rows(greatest), [{ b: 7 }])

  await again.run('INSERT INTO d.t VALUES (3, 9)')
  await again.run('OPTIMIZE TABLE d.t FINAL')
  t.deepEqual(await again.rows(greatest), [{ b: 9 }])
  await again.close()
})
