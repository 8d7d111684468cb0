import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { suspend } from '../../../scripts/processes/suspend.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

/** Eight threads that write without an end, a byte at a time. */
const busy = `
  const { Worker, isMainThread } = require('node:worker_threads')
  const { appendFileSync } = require('node:fs')
  if (isMainThread) for (let each = 0; each < 8; each++) new Worker(__filename, { argv: process.argv.slice(2) })
  else for (;;) appendFileSync(process.argv[2], '.')`

async function start(t: ExecutionContext): Promise<{ readonly child: ChildProcess; readonly written: () => number }> {
  const folder = temporaryFolder()
  const [script, file] = [join(folder, 'busy.cjs'), join(folder, 'written')]
  await writeFile(script, busy)
  const child = spawn(process.execPath, [script, file], { stdio: 'inherit' })
  t.teardown(() => child.kill('SIGKILL'))
  const written = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  await until('it writes', () => written() > 0)
  return { child, written }
}

test('from when a process is suspended none of its threads does anything, until it is told to go on', async (t) => {
  const { child, written } = await start(t)
  for (let round = 0; round < 20; round++) {
    await suspend(child)
    const before = written()
    await sleep(20)
    t.is(written(), before)
    child.kill('SIGCONT')
    await until('it goes on', () => written() > before)
  }
})

test('a process that has ended is not waited for', async (t) => {
  const { child } = await start(t)
  child.kill('SIGKILL')
  await t.notThrowsAsync(suspend(child))
})
