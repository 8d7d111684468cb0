import test from 'ava'
import type { Outcome } from '../../../scripts/tests/outcome.js'
import { type Run, verdict } from '../../../scripts/tests/verdict.js'

const outcome = (file: string, rest: Partial<Outcome> = {}): Outcome => ({
  file,
  seconds: 1,
  passed: 2,
  failed: [],
  skipped: [],
  faults: [],
  ...rest,
})
const bad = outcome('a', { passed: 1, failed: ['is bad'] })
const byFile = (...outcomes: Outcome[]) => new Map(outcomes.map((each) => [each.file, each]))
const lax = { isCi: false, mustHave: false }
const run = (rest: Partial<Run> = {}): Run => ({
  files: ['a', 'b'],
  left: [],
  outcomes: byFile(outcome('a'), outcome('b')),
  again: new Map(),
  missing: [],
  seed: '7',
  isInterrupted: false,
  rules: lax,
  ...rest,
})

const cases: [string, Run, number, string, RegExp?][] = [
  ['all passed', run(), 0, '4 passed, 0 failed'],
  ['a test failed', run({ outcomes: byFile(bad, outcome('b')) }), 1, '3 passed, 1 failed', /^ {2}a › is bad$/m],
  ['a file was not run', run({ outcomes: byFile(outcome('a')) }), 1, '2 passed, 1 failed', /^ {2}b: was not run$/m],
  [
    'a share was run',
    run({ left: ['c', 'd'] }),
    0,
    '4 passed, 0 failed',
    /^left to other seeds .*: 2 files:\n {2}c\n {2}d$/m,
  ],
  ['there was nothing to run', run({ files: [] }), 1, '0 passed, 1 failed'],
  [
    'it was interrupted',
    run({ outcomes: byFile(outcome('a')), isInterrupted: true }),
    1,
    '2 passed, 1 failed',
    /^ {2}the run was interrupted: 1 files were not run$/m,
  ],
  [
    'a test was skipped',
    run({ outcomes: byFile(outcome('a', { skipped: ['x'] }), outcome('b')), missing: ['Kafka'] }),
    0,
    '4 passed, 0 failed, 1 skipped',
    /^missing here:\n {2}Kafka$/m,
  ],
  [
    'a test was skipped where all is asked for',
    run({ outcomes: byFile(outcome('a', { skipped: ['x'] }), outcome('b')), rules: { isCi: true, mustHave: true } }),
    1,
    '4 passed, 1 failed, 1 skipped',
    /^ {2}a › x: skipped, though WEIR_REQUIRE asks for all$/m,
  ],
  [
    'something was missing where all is asked for',
    run({ missing: ['Kafka'], rules: { isCi: true, mustHave: true } }),
    1,
    '4 passed, 1 failed',
    /^ {2}Kafka: missing, though WEIR_REQUIRE asks for all$/m,
  ],
  [
    'a file was mended alone',
    run({ outcomes: byFile(bad, outcome('b')), again: byFile(outcome('a')) }),
    0,
    '4 passed, 0 failed',
    /^mended alone: .*\n {2}a\n\nWEIR_SEED=7\n4 passed/m,
  ],
  [
    'a file was mended alone, in CI',
    run({ outcomes: byFile(bad, outcome('b')), again: byFile(outcome('a')), rules: { isCi: true, mustHave: false } }),
    1,
    '4 passed, 1 failed',
    /^ {2}a: failed beside others, passed alone$/m,
  ],
  [
    'a file failed twice',
    run({ outcomes: byFile(bad, outcome('b')), again: byFile(bad) }),
    1,
    '3 passed, 1 failed',
    /^ {2}a › is bad$/m,
  ],
]

for (const [title, given, code, last, said] of cases) {
  test(`the last line is right where ${title}`, (t) => {
    const { code: found, lines } = verdict(given)
    t.deepEqual([found, lines.at(-1)], [code, last])
    if (said) t.regex(lines.join('\n'), said)
  })
}
