import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { takeSoleWriter } from '../../../infra/log/sole-writer.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a folder has one writer at a time', async (t) => {
  const folder = temporaryFolder()
  const writer = await takeSoleWriter(folder)
  await t.throwsAsync(takeSoleWriter(folder), { message: /another process \(\d+\) uses the data folder .*DATA_DIR/ })
  writer.release()
  t.false(existsSync(join(folder, 'writer.json')))
  const next = await takeSoleWriter(folder)
  next.release()
})

test('what a process that died left behind keeps nobody out', async (t) => {
  const folder = temporaryFolder()
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(join(folder, 'writer.json'), JSON.stringify({ pid, host: hostname() }))
  const writer = await takeSoleWriter(folder)
  writer.release()
  t.pass()
})

test('a writer on another machine that is silent is dead', async (t) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'writer.json'), JSON.stringify({ pid: 1, host: 'elsewhere' }))
  const writer = await takeSoleWriter(folder)
  writer.release()
  t.pass()
})
