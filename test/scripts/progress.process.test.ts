/** The line that tells how long work took, as a start shows it. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'

const said = (code: number): string => {
  const script = [
    "import('./scripts/processes/progress.js').then(({ sayProgress }) =>",
    `sayProgress('installing packages', () => ({ done: 0, total: 1 }), async () => ${code}, (ended) => ended === 0))`,
  ].join(' ')
  const cwd = fileURLToPath(new URL('../../', import.meta.url))
  return spawnSync(process.execPath, ['-e', script], { cwd, encoding: 'utf8' }).stderr
}

test('work that fails is never called done', (t) => {
  t.regex(said(0), /installing packages: done in \d+ s/)
  t.regex(said(1), /installing packages: failed after \d+ s/)
  t.notRegex(said(1), /done in/)
})
