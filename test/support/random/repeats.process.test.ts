import { spawnSync } from 'node:child_process'
import test from 'ava'
import { loader, pathOf } from '../program.ts'

/** Asks services of which each answers by a 504 that many times before it answers. */
function asking(...refusals: readonly number[]) {
  const code = `
    const { askAgain } = await import(${JSON.stringify(pathOf('test/support/random/repeats.ts'))})
    for (let left of ${JSON.stringify(refusals)}) {
      const { status } = await askAgain('select it', async () => ({ status: left-- > 0 ? 504 : 200 }))
      console.log(status)
    }
    process.exit()`
  const options = [...loader, '--input-type=module', '-e', code]
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' })
  const told = stderr.split('\n').filter((line) => line === 'select it').length
  return { code: status, answers: stdout.trim().split('\n'), told }
}

test('a test file may ask again fifteen times, not more, and what it asked is told', (t) => {
  t.deepEqual(asking(9, 6), { code: 0, answers: ['200', '200'], told: 0 })
  t.deepEqual(asking(9, 7), { code: 1, answers: ['200', '200'], told: 16 })
})

test('what is refused all the time is answered so in the end', (t) => {
  t.deepEqual(asking(20), { code: 0, answers: ['504'], told: 0 })
})
