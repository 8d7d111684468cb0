import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const module = new URL('../../../scripts/tests/fast-folder.js', import.meta.url).href

/** A run of its own: what it was given, and whether that was there. */
function run(memory: string, ending: string, env: Readonly<Record<string, string>> = {}): string {
  const program = `
    import { existsSync } from 'node:fs'
    import { makeFastFolder } from ${JSON.stringify(module)}
    const { TMPDIR } = makeFastFolder(${JSON.stringify({ memory, env })})
    console.log(TMPDIR === undefined ? 'none' : existsSync(TMPDIR))
    ${ending}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).stdout.trim()
}

test('a folder is gone with its run; one that a killed run has left goes with the next', (t) => {
  const memory = temporaryFolder()
  const others = join(memory, 'weir-tests-of-another-kind')
  mkdirSync(others)
  const given = run(memory, '')
  if (given === 'none') {
    t.log('this machine has less than 8 GB of memory free: nothing is kept there')
    t.pass()
    return
  }
  t.is(given, 'true')
  t.deepEqual(readdirSync(memory), ['weir-tests-of-another-kind'])
  t.is(run(memory, "process.kill(process.pid, 'SIGKILL')"), 'true')
  t.is(readdirSync(memory).length, 2)
  t.is(run(memory, ''), 'true')
  t.deepEqual(readdirSync(memory), ['weir-tests-of-another-kind'])
  t.true(existsSync(others))
})

test('the folder that TMPDIR names is kept', (t) => {
  const memory = temporaryFolder()
  t.is(run(memory, '', { TMPDIR: '/somewhere' }), 'none')
  t.deepEqual(readdirSync(memory), [])
})

test('where there is no such file system there is no such folder', (t) => {
  t.is(run('/no/such/place', ''), 'none')
})
