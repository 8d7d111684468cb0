// The part of the tests that `npm run newest` runs, in the Node that runs this.

import { timed } from '../checks/checks.js'
import { ensureDist } from '../dist.js'
import { mirrorTests } from './mirrored.js'
import { runTests } from './run-tests.js'

/** Each native module, threads, child processes and a kill: chDB, LMDB, ONNX Runtime, Temporal's core. */
const part = [
  'test/activities/models/predict',
  'test/activities/models/python',
  'test/activities/models/threads',
  'test/api/crash.process.test.ts',
  'test/api/kafka/again.kafka.test.ts',
  'test/api/models/trainings.temporal.test.ts',
  'test/api/streams/queries/paging.test.ts',
  'test/infra/clickhouse',
  'test/infra/log/embedded',
  'test/infra/orchestration',
  'test/infra/subprocess',
  'test/learn/onnx',
  'test/workflows',
]

ensureDist()
await timed('mirror', mirrorTests)
const wanted = process.argv.slice(2)
process.exitCode = await runTests(wanted.length > 0 ? wanted : part, { isWhole: false })
console.log(`on Node ${process.versions.node}`)
