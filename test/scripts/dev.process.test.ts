import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { rooms } from '../../scripts/dist.js'
import { root } from '../../scripts/processes/run.js'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const patience_ms = 60_000

/** A copy of the sources, which the test may change. */
function copyOfSources(): string {
  const folder = temporaryFolder()
  for (const name of [...rooms, 'console', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json']) {
    if (existsSync(join(root, name))) cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

test('npm run dev serves a change of a source, goes on serving where one cannot be built, and ends with its service', async (t) => {
  const folder = copyOfSources()
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', CLICKHOUSE_HTTP_PORT: '0' }
  const dev = spawn(process.execPath, ['scripts/dev.js'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(dev, 'exit')
  t.teardown(() => dev.kill('SIGTERM'))
  let said = ''
  dev.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const url = () => [...said.matchAll(/"url":"([^"]+)"/g)].at(-1)?.[1] ?? ''
  const metrics = async () => (await fetch(`${url()}/metrics`).catch(() => undefined))?.text()
  const shows = (name: string) => async () => (await metrics())?.includes(`# HELP ${name} `)

  await until('the first service', shows('weir_log_bytes'), patience_ms)
  const source = join(folder, 'infra/metrics.ts')
  const text = readFileSync(source, 'utf8')
  writeFileSync(source, text.replace("'weir_log_bytes'", "'weir_log_other_bytes'"))
  await until('the change', shows('weir_log_other_bytes'), patience_ms)

  const started = url()
  writeFileSync(source, `${text}\nconst broken = (\n`)
  await until('the word about it', () => said.includes('not built'), patience_ms)
  t.true(await shows('weir_log_other_bytes')())
  t.is(url(), started)

  dev.kill('SIGTERM')
  t.deepEqual(await ended, [0, null])
  t.is(await metrics(), undefined)
  t.false(existsSync(join(folder, '.dev')))
})
