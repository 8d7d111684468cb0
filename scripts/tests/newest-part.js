// The tests that run on the newest Node as well, in `npm run newest` and in the gate: faults with a newer Node show there.

/** Each native module, threads, child processes and a kill, by the shortest files that have them: chDB, LMDB, ONNX Runtime,
 * Temporal's core. */
export const newestPart = [
  'test/activities/training/threads',
  'test/infra/clickhouse/embedded',
  'test/infra/log/embedded/kill.promise.process.test.ts',
  'test/infra/log/embedded/log.test.ts',
  'test/infra/orchestration/orchestrator.temporal.test.ts',
  'test/infra/subprocess/cage.process.test.ts',
  'test/learn/onnx',
  'test/workflows',
]
