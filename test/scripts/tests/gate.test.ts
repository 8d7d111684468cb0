import test from 'ava'
import { root } from '../../../scripts/processes/run.js'
import { chooseGate, shares } from '../../../scripts/tests/gate.js'
import { describe, testFiles } from '../../../scripts/tests/plan.js'
import { readTimes } from '../../../scripts/tests/times.js'

const file = (name: string, seconds = 20) =>
  describe(`test/${name}.test.ts`, { [`test/${name}.test.ts`]: { seconds, processor_s: seconds / 2 } })
const choose = (options: Partial<Parameters<typeof chooseGate>[0]>) =>
  chooseGate({ files: [], changed: [], distances: new Map(), seed: '0', ...options })
const names = (files: readonly { file: string }[]) =>
  files.map(({ file }) => file.replace(/^test\//, '').replace(/\.test\.ts$/, '')).toSorted()

test('lower floors without programs, short files and promises are always taken', (t) => {
  const always = ['sql/a', 'infra/log/b', 'activities/c', 'learn/d', 'api/x.promise.process', 'api/y.promise']
  const files = [...always.map((name) => file(name)), file('api/short', 3), file('docs/short', 1)]
  // As many others that the seed has a choice.
  const others = Array.from({ length: 40 }, (_, n) => file(`api/long${n}`))
  for (const seed of ['0', '7', 'of letters']) {
    const taken = names(choose({ files: [...files, ...others], seed }).taken)
    for (const name of names(files)) t.true(taken.includes(name), `${name} at ${seed}`)
    t.is(taken.length, files.length + others.length / shares)
  }
})

test('a file that runs programs is not taken for its floor', (t) => {
  const files = ['infra/a.process', 'activities/b.kafka', 'infra/c.temporal'].map((name) => file(name))
  t.is(Array.from({ length: 10 }, (_, n) => choose({ files, seed: `${n}` }).taken).flat().length, files.length)
})

test('ten seeds in a row take everything that may be taken, each other file once', (t) => {
  const files = Array.from({ length: 57 }, (_, n) => file(`api/f${n}`, 5 + n))
  const runs = Array.from({ length: 10 }, (_, n) => names(choose({ files, seed: `${120 + n}` }).taken))
  t.deepEqual(runs.flat().toSorted(), names(files))
  for (const run of runs) t.true(run.length >= 4 && run.length <= 8, `${run.length}`)
})

test('files near to the change come as far as their time goes, the nearest first, a changed one too', (t) => {
  const files = [file('api/changed', 50), file('api/near', 50), file('api/far', 50), file('api/keys', 15)]
  const distances = new Map([
    ['test/api/changed.test.ts', 0],
    ['test/api/near.test.ts', 1],
    ['test/api/far.test.ts', 7],
    ['test/api/keys.test.ts', 8],
  ])
  const changed = ['api/x.ts', 'test/api/changed.test.ts']
  const bySeed = (why: string) => why.startsWith('by the seed')
  const { taken } = choose({ files, changed, distances })
  t.deepEqual(names(taken.filter(({ why }) => !bySeed(why))), ['api/changed', 'api/keys', 'api/near'])
})

const conditions: [string, string, string[]][] = [
  ['console/streams.chromium', 'console/chart.ts', ['infra/log/embedded/log.ts', 'README.md']],
  ['console/streams.chromium', 'api/streams/calls.ts', ['api/streams/routes.ts']],
  ['console/streams.chromium', 'docs/openapi.json', ['docs/streams.md']],
  ['bench/parts/events.process', 'bench/events/ingest.ts', ['scripts/bench.ts', 'activities/bench/x.ts']],
]
for (const [name, by, others] of conditions) {
  test(`${name} waits for a change such as ${by}`, (t) => {
    const files = [file(name)]
    const taken = (changed: string[]) =>
      Array.from({ length: 10 }, (_, n) => choose({ files, changed, seed: `${n}` }).taken).flat().length
    t.is(taken([by]), 1)
    for (const other of others) t.is(taken([other]), 0, other)
  })
}

test('every file of this repository is taken by one of ten seeds, unless it waits for a change', (t) => {
  const times = readTimes()
  const files = testFiles(root).map((name) => describe(name, times))
  const taken = new Set(Array.from({ length: 10 }, (_, n) => names(choose({ files, seed: `${n}` }).taken)).flat())
  const left = names(files).filter((name) => !taken.has(name))
  t.deepEqual(
    left.filter((name) => !/\.chromium$|^bench\//.test(name)),
    [],
  )
})
