/** The programs of docs/debug.md. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createLmdbLog } from '../../infra/log/embedded/log.ts'
import { root } from '../../scripts/processes/run.js'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

function run(script: string, args: readonly string[], dataFolder = '') {
  const env = { ...process.env, DATA_DIR: dataFolder }
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'scripts', script), ...args], {
    env,
    encoding: 'utf8',
  })
  return { stdout, stderr, status }
}

test('the log is read while its process has it open: queues, batches under way, lines', async (t) => {
  const folder = temporaryFolder()
  const { log, source } = createLmdbLog({ path: join(folder, 'log'), maxBytes: 1e6 })
  t.teardown(() => log.close())
  const last = await log.append('shop.visits', Buffer.from('{"a":1}\n{"a":2}\n'), 2)
  await log.append('shop.returns', Buffer.from('{"b":1}\n'), 1)
  await source.begin('shop.visits', { first: last, last })

  const { stdout, status } = run('log.js', [], folder)
  t.is(status, 0)
  t.regex(stdout, /2 queues with lines/)
  t.regex(stdout, /'shop\.visits'\W+1\W+2\W+16\W/)
  t.regex(stdout, /batches: 1\n {2}shop\.visits \{"first":/)
  t.regex(stdout, /doubts: 0/)
  t.is(run('log.js', ['shop.returns'], folder).stdout, '{"b":1}\n')
})

test('the shell of ClickHouse reads a data folder, and writes only where it is told to', (t) => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'clickhouse'))
  const made = ['CREATE TABLE default.t (a Int64) ENGINE = MergeTree ORDER BY a', 'INSERT INTO default.t VALUES (7)']
  t.is(run('clickhouse.js', ['--write', ...made], folder).status, 0)
  t.is(run('clickhouse.js', ['--format', 'CSV', 'SELECT a FROM default.t'], folder).stdout, '7\n')
  const refused = run('clickhouse.js', ['DROP TABLE default.t'], folder)
  t.is(refused.status, 1)
  t.regex(refused.stderr, /READONLY/)
})

test('a profile has the main thread and each worker', async (t) => {
  const folder = temporaryFolder()
  const busy = 'setInterval(() => { for (let i = 0; i < 1e6; i++); }, 10)'
  const code = `new (require('node:worker_threads').Worker)(${JSON.stringify(busy)}, { eval: true }); ${busy}`
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', '-e', code], { stdio: ['ignore', 'ignore', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const place = await until('the inspector', () => /ws:\/\/([\d.:]+)\//.exec(said)?.[1])
  const { stderr, status } = run('profile.js', ['--inspector', place, '--seconds', '0.3', '--folder', folder])
  t.is(status, 0, stderr)
  const files = readdirSync(folder).toSorted()
  t.deepEqual(
    files.map((file) => file.replace(/^.*Z-/, '')),
    ['main.cpuprofile', 'worker-1.cpuprofile'],
  )
  for (const file of files) t.true(JSON.parse(readFileSync(join(folder, file), 'utf8')).samples.length > 0, file)
})
