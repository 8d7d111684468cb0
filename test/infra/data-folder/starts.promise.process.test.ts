/** Starts of the service on folders of which a part is missing, or that another version made. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { createLmdbLog } from '../../../infra/log/embedded/log.ts'
import { killServices, NotStarted, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test.after.always(killServices)

const root = fileURLToPath(new URL('../../../', import.meta.url))
const schema = {
  schema: 's',
  streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 9, stat: 3 }] }],
}
const count = 'select count(*) from s.st'

/** Events as a service that was killed leaves them: acknowledged, and not yet in ClickHouse. */
async function leaveInLog(folder: string, rows: number): Promise<void> {
  const { log, clock } = createLmdbLog({ path: join(folder, 'log'), maxBytes: 1e8 })
  const lines = Array.from({ length: rows }, () => `{"_pk":${clock.next()},"_seq":${clock.next()},"n":1}\n`)
  await log.append('s.st', Buffer.from(lines.join('')), rows)
  await log.close()
}

const refusal = async (folder: string, settings = {}): Promise<string> => {
  const service = await spawnService({ DATA_DIR: folder, ...settings }).catch((error: unknown) => error)
  if (service instanceof NotStarted) return service.said
  throw new Error('the service started')
}

const origin = temporaryFolder()
test.serial.before(async () => {
  const { client, end } = await spawnService({ DATA_DIR: origin })
  await client.post('/stream', schema)
  await client.event('s.st', { n: 1 })
  await end('SIGTERM')
})

/** A copy of it, since a start of a service takes far longer. */
function folderWithEvents(): string {
  const folder = join(temporaryFolder(), 'copy')
  cpSync(origin, folder, { recursive: true })
  return folder
}

test.serial('acknowledged events outlive a start that did not find ClickHouse', async (t) => {
  const folder = folderWithEvents()
  await leaveInLog(folder, 240)
  renameSync(join(folder, 'clickhouse'), join(folder, 'elsewhere'))
  t.regex(await refusal(folder), /240 acknowledged events.*START_WITHOUT=clickhouse/)
  t.false(existsSync(join(folder, 'clickhouse')))
  renameSync(join(folder, 'elsewhere'), join(folder, 'clickhouse'))
  const { client, end } = await spawnService({ DATA_DIR: folder })
  t.is(await client.count(count), 241)
  await end('SIGTERM')
})

test.serial('a start that goes on without the log compares what is derived with the events', async (t) => {
  const folder = folderWithEvents()
  // A batch of which the events came into their table and nothing else.
  const half = 'INSERT INTO `s`.`st` (_pk, _seq, n) SELECT 1790000000000000, 17, 5'
  execFileSync(process.execPath, [join(root, 'scripts/clickhouse.js'), '--write', half], {
    env: { ...process.env, DATA_DIR: folder },
  })
  rmSync(join(folder, 'log'), { recursive: true })
  t.regex(await refusal(folder), /the log is not there.*START_WITHOUT=log/)
  const { client, end, errors } = await spawnService({ DATA_DIR: folder, START_WITHOUT: 'log' })
  const counted = async () =>
    JSON.parse(String((await client.rows('select aggr(n) from s.st rollup 1'))[0]?.v)).aggr_val.cnt
  for (let tries = 0; tries < 300 && (await counted()) !== 2; tries++) await new Promise((done) => setTimeout(done, 50))
  t.deepEqual([await client.count(count), await counted()], [2, 2], errors())
  await end('SIGTERM')
})

test.serial('a folder of before 0.1.0 is refused in one sentence, before anything is fed', async (t) => {
  const folder = folderWithEvents()
  await leaveInLog(folder, 3)
  const write = "INSERT INTO weir.migrations (name) VALUES ('0003_usage_watermarks.sql')"
  execFileSync(process.execPath, [join(root, 'scripts/clickhouse.js'), '--write', write], {
    env: { ...process.env, DATA_DIR: folder },
  })
  const log = readFileSync(join(folder, 'log/log.mdb'))
  const said = await refusal(folder)
  t.regex(said, /weir cannot start: .*made by a version of Weir before 0\.1\.0/)
  t.true(said.length < 2000, said)
  t.deepEqual(readFileSync(join(folder, 'log/log.mdb')), log)
})

test.serial('a copy of a folder starts elsewhere', async (t) => {
  const { client, end } = await spawnService({ DATA_DIR: folderWithEvents() })
  t.is(await client.count(count), 1)
  await end('SIGTERM')
})
