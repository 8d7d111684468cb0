// `npm test`: installs what is missing, builds what changed, checks, and runs the tests that are near to what changed and
// some of the others. `npm test -- test` runs all of them, as CI does; `npm test -- test/sql` some; `npm test -- --all`
// all, with every case of those that a run else takes a part of; `npm test -- --shard=2/3` the second of three equal shares;
// `npm test -- --gate` those that a landing asks for; `npm test -- streams` those of a noun.

import { runChecks, timed } from '../checks/checks.js'
import { ensureDist } from '../dist.js'
import { mirrorTests } from './mirrored.js'
import { readShard } from './plan.js'
import { runTests } from './run-tests.js'

ensureDist()
await runChecks()
await timed('mirror', mirrorTests)
const words = process.argv.slice(2)
const shard = words.find((word) => word.startsWith('--shard='))?.slice('--shard='.length)
process.exitCode = await runTests(
  words.filter((word) => word !== '--all' && word !== '--gate' && !word.startsWith('--shard=')),
  { isWhole: words.includes('--all'), isGate: words.includes('--gate'), ...(shard && { shard: readShard(shard) }) },
)
