/** Processes of two releases of Weir on one ClickHouse server. */
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { ensureDist } from '../../../scripts/dist.js'
import { root } from '../../../scripts/processes/run.js'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

/** The program as it stands, under another version's name. */
function ofVersion(version: string): string {
  const folder = temporaryFolder()
  ensureDist()
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, dereference: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'weir', version, type: 'module' }))
  return folder
}

const schema = { schema: 'shop', streams: [{ name: 'orders', type: 1, swsz: 0, attr: [{ name: 'n', type: 'LONG' }] }] }
const count = 'select count(*) from shop.orders'

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`a process of a new version changes no table until the one of the old version has ended (${signal})`, async (t) => {
    const folder = temporaryFolder()
    const server = await startTestClickHouse({ folder: join(folder, 'server') })
    t.teardown(server.kill)
    const clickhouse = async (body: string) => (await fetch(server.url, { method: 'POST', body })).text()
    const settings = (name: string) => ({ DATA_DIR: join(folder, name), CLICKHOUSE_URL: server.url })
    const before = await spawnService(settings('before'), { folder: ofVersion('0.0.9') })
    await before.client.register(schema)
    await before.client.event('shop.orders', { n: 1 })
    t.is(await before.client.count(count), 1)
    // The new version brings this file along.
    const latest = (await clickhouse('SELECT max(name) FROM weir.migrations')).trim()
    await clickhouse(`DELETE FROM weir.migrations WHERE name = '${latest}'`)
    const applied = () => clickhouse(`SELECT count() FROM weir.migrations WHERE name = '${latest}'`)

    let said = ''
    const starting = spawnService(settings('after'), {
      heard: (text) => {
        said = text
      },
    })
    await until('the new one waits', () => said.includes('waiting for their end'))
    t.regex(said, /"others":\[\{"id":"[^"]+","release":"0\.0\.9[^"]*"\}\]/)
    await before.client.event('shop.orders', { n: 2 })
    t.is(await before.client.count(count), 2, 'the old one serves')
    t.is((await applied()).trim(), '0')
    await before.end(signal)
    const after = await starting
    t.is((await applied()).trim(), '1')
    t.is(await after.client.count(count), 2)
    t.is((await after.end('SIGTERM')).code, 0)
  })
}
