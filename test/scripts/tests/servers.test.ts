import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { newest } from '../../../scripts/parts/node.js'
import { root } from '../../../scripts/processes/run.js'
import { readSources } from '../../../scripts/tests/imports.js'
import { sourceFolders } from '../../../scripts/tests/mirrored.js'
import { describe, testFiles } from '../../../scripts/tests/plan.js'
import { modulesOf, programsOf, withPrograms } from '../../../scripts/tests/servers.js'

const sources = readSources(root, sourceFolders)
const fileOf = (name: string): string => `test/${name}.test.ts`
const programs = (name: string) => programsOf({ file: fileOf(name) }, sources)

test('a test file needs the programs that its imports lead to, and no other', (t) => {
  t.deepEqual(programs('sql/literal'), [])
  t.deepEqual(programs('api/crash.promise.process'), [])
  t.deepEqual(programs('api/kafka/crash.promise.kafka'), ['Kafka'])
  t.deepEqual(programs('api/models/trainings.promise.temporal'), ['Temporal'])
  t.deepEqual(programs('api/power-cut.promise.process'), ['strace'])
  t.deepEqual(programs('infra/log/embedded/fsync.promise.process'), ['strace'])
  t.deepEqual(programs('api/operation/fuzz'), ['Schemathesis'])
  t.deepEqual(programs('infra/buckets/full-disk.process'), ['a small disk'])
  t.deepEqual(programsOf({ file: fileOf('sql/literal'), node: newest }, sources), [`Node ${newest.version}`])
})

test('a test file that needs a program of a long build is told so, and no other', (t) => {
  const built = (name: string) => withPrograms(describe(fileOf(name), {}), sources).built
  t.is(built('infra/buckets/s3-store.process'), 'versitygw')
  t.is(built('api/server-mode/models.temporal'), 'versitygw')
  t.is(built('api/models/trainings.promise.temporal'), undefined)
})

test('of each file is told which modules declare its tests: itself, cases, and test files that it asks in another mode', (t) => {
  const declaring = (name: string) => withPrograms(describe(fileOf(name), {}), sources).declaring.toSorted()
  t.deepEqual(declaring('api/kafka/crash.promise.kafka'), [fileOf('api/kafka/crash.promise.kafka')])
  t.deepEqual(declaring('api/cluster-mode/tables-indexes'), [fileOf('api/tables/indexes')])
  t.deepEqual(declaring('api/schemas/editing'), [
    'test/api/schemas/edit-cases.ts',
    'test/api/schemas/edited-service.ts',
    fileOf('api/schemas/editing'),
  ])
})

test('each program is needed by a test, by a module that is there', (t) => {
  const needed = new Set(testFiles(root).flatMap((file) => programsOf({ file }, sources)))
  for (const { name, by } of modulesOf) {
    for (const module of by) t.true(existsSync(join(root, module)), module)
    t.true(needed.has(name), name)
  }
})
