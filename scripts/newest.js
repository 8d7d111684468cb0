// `npm run newest`: the part of the tests that the gate runs on the newest Node that is tried. `-- test` for all files,
// `-- test/sql` for some. Faults with a newer Node show there.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { ensurePackages } from './packages.js'
import { ensureNewestNode, isNewest, newest } from './parts/node.js'
import { root, say } from './processes/run.js'

await ensurePackages()
if (isNewest()) {
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
  } else say(`NOT RUN: Node ${newest.version} cannot be had on this machine, so no test was run on it`)
}
