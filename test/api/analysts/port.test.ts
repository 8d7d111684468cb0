import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import test from 'ava'
import { openAnalysts } from '../../../api/analysts/serve.ts'
import { readConfig } from '../../../infra/config.ts'
import { createBodyBudget } from '../../../infra/limits/body-budget.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { freePort } from '../../../scripts/processes/ports.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const bodies = createBodyBudget(64 * 1024 * 1024)
// A process has one data folder.
const DATA_DIR = temporaryFolder()
const open = (settings: Record<string, string>) =>
  openAnalysts(readConfig({ DATA_DIR, ...settings }), { logger: silentLogger(), bodies }, (runner) => runner)

test('the port is where the setting says, and is free again after the end', async (t) => {
  const port = String(await freePort())
  for (let i = 0; i < 2; i++) {
    const opened = await open({ CLICKHOUSE_HTTP_PORT: port })
    t.is(opened?.url, `http://127.0.0.1:${port}`)
    t.is(await (await fetch(`${opened?.url}/ping`)).text(), 'Ok.\n')
    await opened?.close()
  }
})

test('a port that was asked for and is taken fails the start', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  t.teardown(() => holder.close())
  const { port } = holder.address() as AddressInfo
  await t.throwsAsync(open({ CLICKHOUSE_HTTP_PORT: String(port) }), {
    message: `CLICKHOUSE_HTTP_PORT: cannot listen on ${port}`,
  })
})

test('0 turns it off, and a ClickHouse server has its own', async (t) => {
  t.is((await open({ CLICKHOUSE_HTTP_PORT: '0' }))?.url, undefined)
  t.is(await open({ CLICKHOUSE_URL: 'http://127.0.0.1:8123' }), undefined)
})
