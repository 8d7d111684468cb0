/** Starts of the service on a folder from which parts of tables were taken. */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

const schema = {
  schema: 's',
  streams: [{ name: 'st', type: 1, swsz: 0, attr: [{ name: 'n', type: 9, stat: 3 }] }],
}
const gone = 'parts of a table are gone'

const lostParts = async (url: string): Promise<number> =>
  Number(/^weir_lost_parts (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1])

/** The folder of a table of the service, by the note. */
function folderOf(folder: string, table: string): string {
  const noted = JSON.parse(readFileSync(join(folder, 'clickhouse/weir-parts.json'), 'utf8'))
  const [found] = Object.entries<{ name: string }>(noted).find(([, { name }]) => name === table) ?? []
  if (found === undefined) throw new Error(`${table} is not in ${JSON.stringify(noted)}`)
  return join(folder, 'clickhouse', found)
}

test('a start tells which parts of tables are gone, and one after a kill tells of none', async (t) => {
  const folder = temporaryFolder()
  const first = await spawnService({ DATA_DIR: folder })
  await first.client.post('/stream', schema)
  const lines = Array.from({ length: 500 }, (_, n) => `{"n":${n}}\n`).join('')
  await first.client.post('/stream/s/st', lines, { 'content-type': 'application/x-ndjson' })
  t.is(await first.client.count('select count(*) from s.st'), 500)
  await first.end('SIGTERM')

  const killed = await spawnService({ DATA_DIR: folder })
  t.is(await killed.client.count('select count(*) from s.st'), 500)
  await killed.client.event('s.st', { n: 1 })
  await killed.end('SIGKILL')
  t.false(killed.errors().includes(gone), killed.errors())

  const table = folderOf(folder, 's.st')
  for (const part of readdirSync(table).filter((name) => /^\w+_\d+_\d+_\d+/.test(name))) {
    rmSync(join(table, part), { recursive: true })
  }
  const third = await spawnService({ DATA_DIR: folder })
  await until('the parts are told', () => third.errors().includes(gone))
  const [told] = third
    .errors()
    .split('\n')
    .filter((line) => line.includes(gone))
  const { level, table: name, rows } = JSON.parse(told ?? '{}')
  t.deepEqual([level, name], [50, 's.st'])
  t.true(rows === 500 || rows === 501, told)
  t.true((await lostParts(third.url)) >= 1)
  await third.end('SIGTERM')
  const fourth = await spawnService({ DATA_DIR: folder })
  t.is(await lostParts(fourth.url), 0)
  await fourth.end('SIGTERM')
  t.false(fourth.errors().includes(gone), fourth.errors())
})

test('parts of which every row was deleted since the note are not told as gone', async (t) => {
  const folder = temporaryFolder()
  const first = await spawnService({ DATA_DIR: folder })
  await first.client.post('/stream', schema)
  const lines = Array.from({ length: 500 }, (_, n) => `{"n":${n}}\n`).join('')
  await first.client.post('/stream/s/st', lines, { 'content-type': 'application/x-ndjson' })
  t.is(await first.client.count('select count(*) from s.st'), 500)
  await fetch(`${first.url}/stream/s/st/state`, { method: 'PUT', body: '{"state":"OFF"}' })
  await first.end('SIGTERM')
  t.truthy(folderOf(folder, 'weir.stream_states'))

  const clickhouse = createEmbeddedClickHouse({ path: join(folder, 'clickhouse') })
  // The first goes by a mutation, the second by a merge of rows that are masked.
  await clickhouse.run('ALTER TABLE s.st DELETE WHERE 1 SETTINGS mutations_sync = 2')
  await clickhouse.run('DELETE FROM weir.stream_states WHERE 1')
  await clickhouse.run('OPTIMIZE TABLE weir.stream_states FINAL')
  await clickhouse.close()

  const second = await spawnService({ DATA_DIR: folder })
  await second.end('SIGTERM')
  t.false(second.errors().includes(gone), second.errors())
})
