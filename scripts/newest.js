// `npm run newest`: a part of the tests on the newest Node that is tried, in which every native module is at work, the
// workers and each kind of process. `-- test` for all files, `-- test/sql` for some. Faults with a newer Node show there.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { ensurePackages } from './packages.js'
import { ensureNewestNode, newest } from './parts/node.js'
import { root, say } from './processes/run.js'

const major = (/** @type {string} */ version) => Number(version.split('.')[0])

await ensurePackages()
if (major(process.versions.node) >= major(newest)) {
  say(`this is Node ${process.versions.node}: npm test runs on it`)
} else {
  const node = await ensureNewestNode()
  if (node) {
    const program = join(root, 'scripts/tests/newest-main.js')
    // A program that looks for Node by its name finds this one.
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
    const child = spawn(node, [program, ...process.argv.slice(2)], { cwd: root, env, stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    process.exitCode = code ?? 1
  } else say(`NOT RUN: Node ${newest} cannot be had on this machine, so no test was run on it`)
}
