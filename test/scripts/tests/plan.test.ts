import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { root } from '../../../scripts/processes/run.js'
import { leadsOf, readSources } from '../../../scripts/tests/imports.js'
import { sourceFolders } from '../../../scripts/tests/mirrored.js'
import { endingOf } from '../../../scripts/tests/needs.js'
import {
  built_s,
  describe,
  portions,
  readShard,
  selected,
  shardOf,
  type TestFile,
  testFiles,
} from '../../../scripts/tests/plan.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const file = (name: string, seconds: number, isHeavy = false): TestFile => ({
  file: name,
  seconds,
  // Otherwise than the time: most files wait for something.
  processor_s: (seconds * 13) % 50,
  isHeavy,
  needsKafka: false,
})

test('every test file is found, however deep, and nothing else', (t) => {
  const folder = temporaryFolder()
  for (const name of ['test/b.test.ts', 'test/a/c/d.kafka.test.ts', 'test/a/e.ts', 'api/f.test.ts']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), '')
  }
  t.deepEqual(testFiles(folder), ['test/a/c/d.kafka.test.ts', 'test/b.test.ts'])
})

test('files are chosen by name or folder; a name of nothing is an error, or a slip would pass', (t) => {
  const files = ['test/a/x.test.ts', 'test/a/y.test.ts', 'test/ab.test.ts']
  t.deepEqual(selected(files, []), files)
  t.deepEqual(selected(files, ['./test/a/']), files.slice(0, 2))
  t.deepEqual(selected(files, ['test/ab.test.ts', 'test/a/x.test.ts']), ['test/a/x.test.ts', 'test/ab.test.ts'])
  t.throws(() => selected(files, ['test/a/x.test.ts', 'test/c']), { message: /test\/c/ })
})

test('a noun chooses its tests of every floor, in the singular or the plural', (t) => {
  const graphs = [
    'sql/graph/print',
    'activities/graphs/drop',
    'api/graphs/paths',
    'api/server-mode/graph-changes.process',
  ]
  const streams = ['sql/schema/decode', 'activities/ingest/batch', 'api/streams/pages']
  const queries = ['sql/query/print', 'api/streams/queries/paging', 'api/query-limits']
  const files = [...graphs, ...streams, ...queries].map((name) => `test/${name}.test.ts`)
  const chosen = (noun: string) => selected(files, [noun]).map((name) => name.slice(5, -'.test.ts'.length))
  t.deepEqual(chosen('graphs'), graphs)
  t.deepEqual(chosen('graph'), graphs)
  t.deepEqual(chosen('streams'), [...streams, 'api/streams/queries/paging'])
  t.deepEqual(chosen('queries'), queries)
  t.throws(() => selected(files, ['grahps']), { message: /grahps/ })
})

test('the name of a file says whether it needs Kafka, and whether it runs programs beside its own process', (t) => {
  const names = ['a.kafka', 'a.temporal', 'a.stack', 'a.process', 'a', 'kafka']
  t.deepEqual(
    names.map((name) => describe(`test/${name}.test.ts`, {})).map(({ isHeavy, needsKafka }) => [isHeavy, needsKafka]),
    [
      [true, true],
      [true, false],
      [true, true],
      [true, false],
      [false, false],
      [false, false],
    ],
  )
  const times = { seconds: 3, processor_s: 1.5 }
  t.like(describe('test/a.test.ts', { 'test/a.test.ts': times }), times)
  t.true(describe('test/a.kafka.test.ts', {}).seconds > describe('test/a.test.ts', {}).seconds)
})

test('each file is named by what its imports say that it needs', (t) => {
  const sources = readSources(root, sourceFolders)
  const endings = testFiles(root).map((name) => ({ name, ending: endingOf(name, sources) }))
  t.deepEqual(
    endings.filter(({ name, ending }) => /[^.]*(\..*)$/.exec(name.replace('.promise.', '.'))?.[1] !== ending),
    [],
  )
})

const closures: [string, Record<string, string>, string][] = [
  ['nothing', {}, '.test.ts'],
  ['Kafka, by way of another module', { 'test/cases.ts': "import './support/parts/kafka.ts'" }, '.kafka.test.ts'],
  ['Temporal', { 'test/cases.ts': "import './support/parts/temporal.ts'" }, '.temporal.test.ts'],
  [
    'both',
    { 'test/cases.ts': "import './support/parts/temporal.ts'\nimport './support/parts/kafka.ts'" },
    '.stack.test.ts',
  ],
  ['a program', { 'test/cases.ts': "import { spawn } from 'node:child_process'" }, '.process.test.ts'],
  ['the type of a program', { 'test/cases.ts': "import type { ChildProcess } from 'node:child_process'" }, '.test.ts'],
  ['a server of ClickHouse', { 'test/cases.ts': "import './support/clickhouse/on-server.ts'" }, '.process.test.ts'],
  [
    'a service, which starts one for others',
    {
      'test/cases.ts': "import './support/service.ts'",
      'test/support/service.ts': "import './server.ts'",
      'test/support/server.ts': "import { spawn } from 'node:child_process'",
    },
    '.test.ts',
  ],
]

for (const [title, modules, ending] of closures) {
  test(`a file that needs ${title} ends with ${ending}`, (t) => {
    const parts = ['parts/kafka', 'parts/temporal', 'clickhouse/on-server'].map((name) => `test/support/${name}.ts`)
    const texts = new Map([
      ...parts.map((name): [string, string] => [name, '']),
      ['test/a.test.ts', "import './cases.ts'"],
      ['test/cases.ts', ''],
      ...Object.entries(modules),
    ])
    t.is(endingOf('test/a.test.ts', { texts, leads: leadsOf(texts) }), ending)
  })
}

test('the longest begin first, short ones share a process up to a minute, and each file is in one portion', (t) => {
  const files = [file('a', 1), file('b', 60), file('c', 2, true), file('d', 21), file('e', 20), file('f', 20)]
  const made = portions([...files, file('g', 19), file('h', 3)]).map((portion) => portion.map((each) => each.file))
  t.deepEqual(made, [['b'], ['e', 'f', 'g', 'a'], ['d'], ['h'], ['c']])
})

test('files that need other programs are in other portions: one must not wait for the programs of the other', (t) => {
  const of = (name: string, programs: string[]) => ({ ...file(name, 1, true), programs })
  const made = portions([of('a', ['Kafka']), of('b', ['Temporal']), of('c', ['Kafka']), of('d', [])])
  t.deepEqual(
    made.map((portion) => portion.map((each) => each.file)),
    [['a', 'c'], ['b'], ['d']],
  )
})

test('files whose tests the same module declares are in other portions: it would declare none for the second', (t) => {
  const of = (name: string, declaring?: string[]) => ({ ...file(name, 1), ...(declaring && { declaring }) })
  const made = portions([of('a', ['m', 'n']), of('b', ['n']), of('c', ['o']), of('d')])
  t.deepEqual(
    made.map((portion) => portion.map((each) => each.file)),
    [['a', 'c', 'd'], ['b']],
  )
})

test('shards hold every file once, take a processor about as long, and are the same on each machine', (t) => {
  const files = testFiles(root).map((name, at) => file(name, (at * 7919) % 60))
  const shards = [1, 2, 3].map((index) => shardOf(files, { index, count: 3 }))
  t.deepEqual(
    shards
      .flat()
      .map(({ file }) => file)
      .sort(),
    files.map(({ file }) => file),
  )
  const times = shards.map((shard) => shard.reduce((sum, { processor_s }) => sum + processor_s, 0))
  t.true(Math.max(...times) - Math.min(...times) <= 60, times.join(' '))
  t.deepEqual(shardOf(files.toReversed(), { index: 2, count: 3 }), shards[1])
})

test('files that need the same program built are in one shard, or each machine would build it', (t) => {
  const files = Array.from({ length: 40 }, (_, at) => file(`f${at}`, 10 + at))
  const built = ['a', 'b', 'c'].map((name, at) => ({ ...file(name, 5 + 30 * at), built: 'versitygw' }))
  const shards = [1, 2, 3].map((index) => shardOf([...built, ...files], { index, count: 3 }))
  t.deepEqual(shards.map((shard) => shard.filter((each) => 'built' in each).length).toSorted(), [0, 0, 3])
  t.is(shards.flat().length, 43)
  const times = shards.map((shard) => shard.reduce((sum, { processor_s }) => sum + processor_s, 0))
  const building = shards.findIndex((shard) => shard.some((each) => 'built' in each))
  // The machine that builds runs so much less meanwhile.
  t.true(
    times.every((seconds, at) => at === building || Math.abs(seconds - (times[building] ?? 0) - built_s) < 50),
    times.join(' '),
  )
})

test('a shard that is none is an error, or a machine of CI would run nothing', (t) => {
  t.deepEqual(readShard('2/3'), { index: 2, count: 3 })
  for (const text of ['0/3', '4/3', '3', '', 'a/b', '1/0'])
    t.throws(() => readShard(text), { message: /--shard/ }, text)
})
