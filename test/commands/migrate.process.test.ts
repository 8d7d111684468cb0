import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createClient } from '@clickhouse/client'
import test from 'ava'
import { startTestClickHouse, type TestClickHouse } from '../support/clickhouse/clickhouse-server.ts'
import { programOf } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = readdirSync(`${root}/sql/migrations`).filter((name) => name.endsWith('.sql'))

let server: TestClickHouse
test.before(async () => {
  server = await startTestClickHouse({ folder: temporaryFolder() })
})
test.after.always(() => server?.stop())

async function migrate(environment: Record<string, string>): Promise<{ code: unknown; errors: string }> {
  const child = spawn(process.execPath, programOf('commands/migrate.ts'), {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString('utf8')
  })
  const [code] = await once(child, 'close')
  return { code, errors }
}

async function applied(): Promise<string[]> {
  const client = createClient({ url: server.url })
  const answer = await client.query({
    query: 'SELECT DISTINCT name FROM weir.migrations ORDER BY name',
    format: 'JSONEachRow',
  })
  const rows = await answer.json<{ name: string }>()
  await client.close()
  return rows.map(({ name }) => name)
}

test('several migrations of an empty server at once bring it up to date, and one more changes nothing', async (t) => {
  const environment = { CLICKHOUSE_URL: server.url, DATA_DIR: temporaryFolder(), ROLE: 'worker' }
  const runs = await Promise.all([1, 2, 3].map(() => migrate(environment)))
  t.deepEqual(
    runs,
    runs.map(() => ({ code: 0, errors: '' })),
  )
  t.deepEqual(await applied(), files.sort())
  t.deepEqual(await migrate(environment), { code: 0, errors: '' })
  t.deepEqual(await applied(), files)
})

test('a migration that cannot be says why, and fails', async (t) => {
  const { code, errors } = await migrate({ ROLE: 'worker' })
  t.is(code, 1)
  t.regex(errors, /weir cannot migrate: .*\n.*CLICKHOUSE_URL/)
})
