// The part of the tests that `npm run newest` runs, in the Node that runs this.

import { timed } from '../checks/checks.js'
import { ensureDist } from '../dist.js'
import { mirrorTests } from './mirrored.js'
import { newestPart } from './newest-part.js'
import { runTests } from './run-tests.js'

ensureDist()
await timed('mirror', mirrorTests)
const wanted = process.argv.slice(2)
process.exitCode = await runTests(wanted.length > 0 ? wanted : newestPart, { isWhole: false })
console.log(`on Node ${process.versions.node}`)
