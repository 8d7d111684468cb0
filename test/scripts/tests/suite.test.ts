import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { describe } from '../../../scripts/tests/plan.js'
import { runSuite } from '../../../scripts/tests/suite.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a file that failed is not run again, also where it would pass', async (t) => {
  t.timeout(300_000)
  const runs = join(temporaryFolder(), 'runs')
  const said: string[] = []
  const outcomes = await runSuite({
    files: ['passes-again.js', 'passes.js'].map((name) => describe(name, {})),
    mirror: 'test/scripts/tests/fixtures',
    env: { ...process.env, WEIR_TEST_RUNS: runs },
    lanes: { sure: 1, most: 1, maxHeavy: 1 },
    signal: new AbortController().signal,
    say: (line) => said.push(line),
  })
  t.deepEqual(
    [...outcomes.values()].map(({ file, passed, failed }) => [file, passed, failed]),
    [
      ['passes-again.js', 0, ['passes in its second run']],
      ['passes.js', 2, []],
    ],
  )
  t.is(readFileSync(runs, 'utf8'), 'run\n')
  t.is(said.filter((line) => /^(?:ok|FAILED)/.test(line)).length, 2)
})
