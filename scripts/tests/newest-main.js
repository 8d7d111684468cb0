// The part of the tests that `npm run newest` runs, in the Node that runs this.

import { timed } from '../checks/checks.js'
import { ensureDist } from '../dist.js'
import { mirrorTests } from './mirrored.js'
import { runTests } from './run-tests.js'

/** Each native module, threads, child processes and a kill, by the shortest files that have them: chDB, LMDB, ONNX Runtime,
 * Temporal's core. */
const part = [
  'test/activities/models/threads',
  'test/infra/clickhouse/embedded',
  'test/infra/log/embedded/kill.promise.process.test.ts',
  'test/infra/log/embedded/log.test.ts',
  'test/infra/orchestration/orchestrator.temporal.test.ts',
  'test/infra/subprocess/cage.process.test.ts',
  'test/learn/onnx',
  'test/workflows',
]

ensureDist()
await timed('mirror', mirrorTests)
const wanted = process.argv.slice(2)
process.exitCode = await runTests(wanted.length > 0 ? wanted : part, { isWhole: false })
console.log(`on Node ${process.versions.node}`)
