// The part of the tests that `npm run newest` runs, in the Node that runs this.

import { timed } from '../checks/checks.js'
import { ensureDist } from '../dist.js'
import { mirrorTests } from './mirrored.js'
import { runTests } from './run-tests.js'

/** Each native module (chDB, LMDB, ONNX Runtime, Temporal's core), threads, child processes, and HTTP by every call. */
const part = [
  'test/api/models/temporal.test.ts',
]

ensureDist()
await timed('mirror', mirrorTests)
const wanted = process.argv.slice(2)
process.exitCode = await runTests(wanted.length > 0 ? wanted : part, false)
console.log(`on Node ${process.versions.node}`)
