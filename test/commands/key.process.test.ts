/** Keys of a service that is killed, stopped, and not yet started. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { freePort } from '../../scripts/processes/ports.js'
import { killServices, NotStarted, spawnService } from '../support/process.ts'
import { programOf } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** `npm run key`, without the build before it. */
const makeKey = async (args: readonly string[], env: Record<string, string>) => {
  const inherited = { PATH: process.env.PATH, HOME: process.env.HOME, CLICKHOUSE_HTTP_PORT: '0' }
  const { stdout } = await run(process.execPath, [...programOf('commands/key.ts'), ...args], {
    cwd: root,
    env: { ...inherited, ...env },
  })
  return stdout.trim()
}

test.after.always(killServices)

test('a service that needs keys and has none says how to go on; a key made for it while it is stopped is one', async (t) => {
  const settings = { DATA_DIR: temporaryFolder(), PORT: String(await freePort()), API_KEYS: 'require' }
  const error = await t.throwsAsync(spawnService(settings), { instanceOf: NotStarted })
  t.regex(error?.said ?? '', /weir cannot start: API_KEYS=require.*ADMIN_KEY[\s\S]*npm run key/)

  const first = await makeKey(['--name', 'first', '--scopes', 'admin'], settings)
  t.regex(first, /^weir_[0-9a-f]{12}_/)
  const service = await spawnService(settings)
  const status = async (key: string) =>
    (await service.client.send('GET', '/db', undefined, { 'x-api-key': key })).status
  t.is(await status(first), 200)

  const running = { PORT: settings.PORT, ADMIN_KEY: first, DATA_DIR: temporaryFolder() }
  const second = await makeKey(['--name', 'second', '--scopes', 'read,write', '--on', 'db:mydb'], running)
  t.is(await status(second), 200)
  const refused = await t.throwsAsync(makeKey(['--name', 'x', '--scopes', 'read'], { ...running, ADMIN_KEY }))
  t.regex(String(refused), /answered 401: .*unknown.*set ADMIN_KEY/)

  await service.client.ok(
    service.client.send('DELETE', `/keys/${second.split('_')[1]}`, undefined, { 'x-api-key': first }),
  )
  await service.end('SIGKILL')
  const again = await spawnService(settings)
  const after = async (key: string) => (await again.client.send('GET', '/db', undefined, { 'x-api-key': key })).status
  t.is(await after(first), 200)
  t.is(await after(second), 401)
  const { changes } = (await again.client.send('GET', '/audit', undefined, { 'x-api-key': first })).body
  t.is(changes[0].detail, 'revoked')
  await again.end('SIGTERM')
})
