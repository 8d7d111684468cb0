import test from 'ava'
import { chooseTests, explained } from '../../../scripts/tests/choose.js'

const file = (name: string, seconds = 10) => ({
  file: `test/${name}.test.ts`,
  seconds,
  processor_s: seconds / 2,
  isHeavy: false,
  needsKafka: false,
})
const byName = (found: Record<string, number>) =>
  new Map(Object.entries(found).map(([name, distance]) => [`test/${name}.test.ts`, distance]))
const names = (files: readonly { file: string }[]) =>
  files.map(({ file }) => file.replace(/^test\//, '').replace(/\.test\.ts$/, ''))
const choose = (options: Partial<Parameters<typeof chooseTests>[0]>) =>
  chooseTests({ files: [], changed: [], distances: new Map(), seed: '1', all_s: 300, ...options })

const orders: [string, string[], Record<string, number>, string[]][] = [
  [
    'a service reaches all: tests in folders of the changed name come before others',
    ['activities/notifications/collect.ts'],
    {
      'api/graphs/drop': 5,
      'api/notifications/sends': 6,
      'activities/notifications/gather': 1,
      'activities/keys/engine': 2,
    },
    ['activities/notifications/gather', 'api/notifications/sends', 'activities/keys/engine', 'api/graphs/drop'],
  ],
  [
    'a test that was changed comes first, whatever else it is near to',
    ['activities/keys/ring.ts', 'test/sql/walks.test.ts'],
    { 'activities/keys/keys': 1, 'sql/walks': 0, 'api/keys/keys': 2 },
    ['sql/walks', 'activities/keys/keys', 'api/keys/keys'],
  ],
  [
    'the more folders are shared the nearer, and of one folder the nearer by imports, then the shorter',
    ['infra/log/kafka/produce/send.ts'],
    { 'api/kafka/again': 4, 'infra/log/kafka/b': 4, 'infra/log/kafka/a': 3, 'infra/log/embedded/log': 2 },
    ['infra/log/kafka/a', 'infra/log/kafka/b', 'infra/log/embedded/log', 'api/kafka/again'],
  ],
  [
    'graphs are the same noun as graph',
    ['sql/graph/print.ts'],
    { 'api/tables/tables': 3, 'api/graphs/graphs': 4 },
    ['api/graphs/graphs', 'api/tables/tables'],
  ],
]

for (const [title, changed, found, expected] of orders) {
  test(title, (t) => {
    const files = Object.keys(found).map((name) => file(name, 1))
    t.deepEqual(names(choose({ files, changed, distances: byName(found) }).taken), expected)
  })
}

test('what is near takes two thirds of the time at most, and the seed a third', (t) => {
  const files = [...'abcdefghi'].map((name) => file(name, 50))
  const distances = byName({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 })
  const { taken, left } = choose({ files, changed: ['sql/x.ts'], distances, all_s: 300 })
  t.deepEqual(names(taken.slice(0, 4)), ['a', 'b', 'c', 'd'])
  t.is(taken.filter(({ why }) => why === 'by the seed').length, 2)
  t.deepEqual(names([...taken, ...left]).toSorted(), [...'abcdefghi'])
})

test('a file that does not fit leaves its time to the next, but a changed test is run whatever it takes', (t) => {
  const files = [file('a', 500), file('b', 250), file('c', 20)]
  const distances = byName({ a: 0, b: 1, c: 2 })
  t.deepEqual(names(choose({ files, changed: ['test/a.test.ts'], distances }).taken), ['a', 'c'])
  t.deepEqual(names(choose({ files: files.slice(1), changed: ['sql/x.ts'], distances }).taken), ['c'])
})

test('where nothing is touched the seed has all the time: its choice is its own, and each file is chosen by some seed', (t) => {
  const files = Array.from({ length: 30 }, (_, n) => file(`f${n}`))
  const runs = Array.from({ length: 60 }, (_, seed) => names(choose({ files, seed: `${seed}`, all_s: 60 }).taken))
  for (const run of runs) t.is(run.length, 6)
  t.is(new Set(runs.flat()).size, 30)
  t.deepEqual(names(choose({ files: files.toReversed(), seed: '3', all_s: 60 }).taken), runs[3])
})

test('a run says what it takes for which reason, what it leaves, and how all are run', (t) => {
  const files = [...'abcdef'].map((name) => file(name, 100))
  const changed = ['sql/x.ts', 'test/a.test.ts']
  const chosen = choose({ files, changed, distances: byName({ a: 0, b: 1, c: 3 }) })
  t.deepEqual(explained(chosen, { files: changed, since: '1a2b3c4d' }).slice(0, 5), [
    '2 files changed since 1a2b3c4d',
    'run since it changed:',
    '  test/a.test.ts',
    'run since it names a changed file:',
    '  test/b.test.ts',
  ])
  const lines = explained(chosen, undefined)
  t.is(lines[0], 'no git says what changed')
  t.deepEqual(lines.slice(-1), ['left in all: 3 files, 300 s; npm test -- test runs every file'])
})
