/** The verdicts of a run on files of every fate, with ava's real runner: a change of its reports shows here. */
import { basename } from 'node:path'
import test from 'ava'
import { runGroup } from '../../../scripts/tests/group.js'
import { mirrored } from '../../../scripts/tests/mirrored.js'

const never = new AbortController().signal
const run = (names: readonly string[], options: { signal?: AbortSignal; limit_ms?: number } = {}) =>
  runGroup({
    files: names.map((name) => `test/scripts/tests/fixtures/${name}.js`),
    env: process.env,
    signal: never,
    ...options,
  })

type Fate = { passed: number; failed?: string[]; skipped?: string[]; faults?: RegExp[] }

const fates: Record<string, Fate> = {
  passes: { passed: 2 },
  fails: { passed: 1, failed: ['is bad'] },
  skips: { passed: 1, skipped: ['is left out', 'is to come'] },
  exits: { passed: 1, faults: [/^ended its process itself$/, /^did not end: ends it all$/] },
  dies: { passed: 0, faults: [/^its process ended by SIGKILL$/, /^did not end: dies$/, /^did not end: is good$/] },
  'does-not-load': { passed: 0, faults: [/^uncaught exception: does not load$/] },
  'has-none': { passed: 0, faults: [/^has no tests$/] },
  'no-ava': { passed: 0, faults: [/^has no tests$/] },
  'hook-fails': { passed: 1, faults: [/^tidies up failed$/] },
  rejects: { passed: 1, faults: [/^unhandled rejection: nobody caught it$/] },
  'throws-later': { passed: 0, faults: [/^uncaught exception: thrown later$/] },
  'waits-in-vain': { passed: 1, failed: ['waits for nothing'] },
}

test.serial('each file of a run is told of by itself, whatever becomes of the others', async (t) => {
  t.timeout(300_000)
  const { outcomes } = await run(Object.keys(fates))
  t.deepEqual(
    outcomes.map(({ file }) => basename(file, '.js')),
    Object.keys(fates),
  )
  for (const { file, passed, failed, skipped, faults } of outcomes) {
    const name = basename(file, '.js')
    const fate = fates[name]
    t.log(name, faults)
    t.deepEqual([name, passed, failed, skipped], [name, fate?.passed ?? -1, fate?.failed ?? [], fate?.skipped ?? []])
    const expected = fate?.faults ?? []
    t.is(faults.length === 0, expected.length === 0, `${name}: ${faults.join('; ')}`)
    for (const fault of expected)
      t.true(
        faults.some((each) => fault.test(each)),
        `${name}: ${fault}`,
      )
  }
})

test.serial(
  'a thing that the tests of a file share ends with the file, and the next file of the process has another',
  async (t) => {
    const files = ['ends-first', 'ends-second'].map((name) => `${mirrored}/test/scripts/tests/fixtures/${name}.js`)
    const { outcomes, printed } = await runGroup({ files, env: process.env, signal: never })
    t.deepEqual(
      outcomes.map(({ passed, failed, faults }) => [passed, failed, faults]),
      [
        [1, [], []],
        [1, [], []],
      ],
      printed,
    )
  },
)

for (const name of ['hangs', 'blocks']) {
  test.serial(`a file that ${name} is ended, and the files behind it run in another process`, async (t) => {
    t.timeout(300_000)
    const { outcomes } = await run([name, 'passes'], { limit_ms: 30_000 })
    t.true(outcomes[0]?.faults.some((fault) => /^did not end: (waits for ever|never yields)$/.test(fault)))
    t.true(outcomes[0]?.faults.includes('nothing was heard of it for 30 s'))
    t.is(outcomes[0]?.passed, 1)
    t.like(outcomes[1], { passed: 2, failed: [], faults: [] })
  })
}

test.serial('files share a process until one leaves something running or set', async (t) => {
  t.timeout(300_000)
  const names = ['shares-first', 'shares-second', 'shares-no-timer', 'shares-no-setting']
  const { outcomes } = await run(names)
  for (const outcome of outcomes) t.like(outcome, { passed: 1, failed: [], faults: [] }, outcome.file)
})

test.serial('a run that is ended from outside is no good', async (t) => {
  t.timeout(150_000)
  const ending = new AbortController()
  setTimeout(() => ending.abort(), 1500)
  const { outcomes } = await run(['hangs'], { signal: ending.signal })
  t.not(outcomes[0]?.faults.length, 0)
})
