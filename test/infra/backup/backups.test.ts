/** Objects that come and go while a copy of a data folder is taken. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createBackups } from '../../../infra/backup/backups.ts'
import { restoreBackup } from '../../../infra/backup/restore-backup.ts'
import { saveBackup } from '../../../infra/backup/save-backup.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { createLmdbLog } from '../../../infra/log/embedded/log.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('objects and buckets that are deleted while a backup begins are not back after a restore', async (t) => {
  const folder = temporaryFolder()
  const buckets = join(folder, 'buckets')
  for (const bucket of ['aside', 'kept', '.kept']) mkdirSync(join(buckets, bucket), { recursive: true })
  for (const name of ['aside/one', 'kept/one', 'kept/two']) writeFileSync(join(buckets, name), name)
  const clickhouse = createEmbeddedClickHouse({ path: join(folder, 'clickhouse') })
  const log = createLmdbLog({ path: join(folder, 'log'), maxBytes: 2 ** 20 })
  t.teardown(async () => {
    await log.log.close()
    await clickhouse.close()
  })
  await clickhouse.run('CREATE DATABASE db')
  let isFirst = true
  const backups = createBackups({
    config: { DATA_DIR: folder, S3_ENDPOINT: undefined },
    clickhouse: {
      // The backup has linked the objects once, and asks for the tables.
      rows(question) {
        if (isFirst) {
          rmSync(join(buckets, 'kept/two'))
          renameSync(join(buckets, 'aside'), join(buckets, '.kept/7'))
          writeFileSync(join(buckets, 'kept/three'), 'three')
        }
        isFirst = false
        return clickhouse.rows(question)
      },
    },
    still: clickhouse.still,
    copyLog: log.copy,
    now_us: () => Date.now() * 1000,
    logger: silentLogger(),
  })
  const [saved, to] = [join(folder, 'saved'), join(folder, 'restored')]
  await saveBackup(saved, () => backups.take())
  await restoreBackup(saved, to)
  const names = readdirSync(join(to, 'buckets'), { recursive: true, encoding: 'utf8' }).sort()
  t.deepEqual(names, ['.kept', '.kept/7', '.kept/7/one', 'kept', 'kept/one', 'kept/three'])
})

test('a backup that is asked for while the service stops is refused at once', async (t) => {
  const folder = temporaryFolder()
  const unused = async (): Promise<never> => t.fail() as never
  const backups = createBackups({
    config: { DATA_DIR: folder, S3_ENDPOINT: undefined },
    clickhouse: { rows: unused },
    still: unused,
    copyLog: unused,
    now_us: () => Date.now() * 1000,
    logger: silentLogger(),
  })
  await backups.close()
  await t.throwsAsync(backups.take(), { message: /the service stops/ })
  await t.throwsAsync(backups.copy({ name: '', known: new Map() }), { message: /the service stops/ })
  t.deepEqual(readdirSync(folder), [])
})
