import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { describe, portions, selected, shareOf, type TestFile, testFiles } from '../../../scripts/tests/plan.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const file = (name: string, seconds: number, isHeavy = false): TestFile => ({
  file: name,
  seconds,
  isHeavy,
  isLarge: isHeavy,
  mayRunAgain: true,
  needsKafka: false,
  needsTemporal: false,
})

function repository(files: Record<string, string>): string {
  const root = temporaryFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

test('every test file is found, however deep, and nothing else', (t) => {
  const root = repository({ 'test/b.test.ts': '', 'test/a/c/d.test.ts': '', 'test/a/e.ts': '', 'api/f.test.ts': '' })
  t.deepEqual(testFiles(root), ['test/a/c/d.test.ts', 'test/b.test.ts'])
})

test('files are chosen by name or folder; a name of nothing is an error, or a slip would pass', (t) => {
  const files = ['test/a/x.test.ts', 'test/a/y.test.ts', 'test/ab.test.ts']
  t.deepEqual(selected(files, []), files)
  t.deepEqual(selected(files, ['./test/a/']), files.slice(0, 2))
  t.deepEqual(selected(files, ['test/ab.test.ts', 'test/a/x.test.ts']), ['test/a/x.test.ts', 'test/ab.test.ts'])
  t.throws(() => selected(files, ['test/a/x.test.ts', 'test/c']), { message: /test\/c/ })
})

test('what hunts for seldom faults gets no second run', (t) => {
  const texts = {
    'test/api/crash.test.ts': '',
    'test/api/reconcile/damage.test.ts': '',
    'test/streams/properties.test.ts': '',
    'test/kafka/broker.test.ts': '',
    'test/sql/literal.test.ts': "import fc from 'fast-check'",
    'test/api/load.test.ts': "import { createRandom } from '../support/random/random.ts'",
    'test/api/paging.test.ts': "import { until } from '../support/until.ts'",
  }
  const root = repository(texts)
  const may = Object.keys(texts).filter((name) => describe(root, name, {}).mayRunAgain)
  t.deepEqual(may, ['test/api/paging.test.ts'])
})

test('what starts servers or kills services is heavy, and says which server it needs', (t) => {
  const root = repository({
    'a.test.ts': "import { withKafka } from '../support/parts/kafka.ts'",
    'b.test.ts': "import { withTemporal } from '../../support/parts/temporal.ts'",
    'c.test.ts': "import { spawnService } from '../support/process.ts'",
    'd.test.ts': '',
  })
  const found = ['a', 'b', 'c', 'd'].map((name) => describe(root, `${name}.test.ts`, { 'd.test.ts': 3 }))
  t.deepEqual(
    found.map(({ isHeavy, needsKafka, needsTemporal }) => [isHeavy, needsKafka, needsTemporal]),
    [
      [true, true, false],
      [true, false, true],
      [true, false, false],
      [false, false, false],
    ],
  )
  t.is(found[3]?.seconds, 3)
})

test('a run takes all small files, and of the large ones a share: five seeds in a row take each once', (t) => {
  const small = [file('s', 9), file('t', 1)]
  const large = [60, 50, 40, 30, 20, 10, 5].map((seconds) => file(`l${seconds}`, seconds, true))
  const shares = [5, 6, 7, 8, 9].map((seed) => shareOf([...small, ...large], seed))
  for (const { taken, left } of shares) {
    t.deepEqual(taken.slice(0, 2), small)
    t.deepEqual(
      [...taken, ...left].map((each) => each.file).sort(),
      [...small, ...large].map((each) => each.file).sort(),
    )
  }
  t.deepEqual(
    shares.map(({ taken }) => taken.slice(2).map((each) => each.file)),
    [['l60'], ['l50'], ['l40'], ['l30', 'l5'], ['l20', 'l10']],
  )
})

test('large is what is heavy, what takes long, what runs a whole program, and what tries again elsewhere', (t) => {
  const root = repository({
    'test/api/crash.test.ts': "import { spawnService } from '../support/process.ts'",
    'test/api/cluster-mode/answers.test.ts': '',
    'test/api/objects/folder.test.ts': '',
    'test/api/objects/s3.test.ts': '',
    'test/bench/parts.test.ts': '',
    'test/sql/literal.test.ts': '',
    'test/sql/walks.test.ts': '',
  })
  const times = { 'test/sql/literal.test.ts': 14.9, 'test/sql/walks.test.ts': 15 }
  const large = testFiles(root).filter((name) => describe(root, name, times).isLarge)
  t.deepEqual(large, [
    'test/api/cluster-mode/answers.test.ts',
    'test/api/crash.test.ts',
    'test/api/objects/s3.test.ts',
    'test/bench/parts.test.ts',
    'test/sql/walks.test.ts',
  ])
})

test('the longest begin first, short ones share an ava, and each file is in one portion', (t) => {
  const files = [file('a', 1), file('b', 60), file('c', 2, true), file('d', 20), file('e', 2), file('f', 14)]
  const made = portions(files).map((portion) => portion.map((each) => each.file))
  t.deepEqual(made, [['b'], ['d', 'e', 'a'], ['f'], ['c']])
})
