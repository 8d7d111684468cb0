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
const run = (rest: Partial<Run> = {}): Run => ({
  files: ['a', 'b'],
  outcomes: byFile(outcome('a'), outcome('b')),
  missing: [],
  seed: '7',
  isInterrupted: false,
  mustHave: false,
  ...rest,
})

const cases: [string, Run, number, string, RegExp?][] = [
  ['all passed', run(), 0, '4 passed, 0 failed'],
  ['a test failed', run({ outcomes: byFile(bad, outcome('b')) }), 1, '3 passed, 1 failed', /^ {2}a › is bad$/m],
  [
    'a test failed for a reason',
    run({ outcomes: byFile({ ...bad, reasons: ['7 is not 8'] }, outcome('b')) }),
    1,
    '3 passed, 1 failed',
    /^ {2}a › is bad: 7 is not 8$/m,
  ],
  ['a file was not run', run({ outcomes: byFile(outcome('a')) }), 1, '2 passed, 1 failed', /^ {2}b: was not run$/m],
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
    run({ outcomes: byFile(outcome('a', { skipped: ['x'] }), outcome('b')), mustHave: true }),
    1,
    '4 passed, 1 failed, 1 skipped',
    /^ {2}a › x: skipped, though WEIR_REQUIRE asks for all$/m,
  ],
  [
    'something was missing where all is asked for',
    run({ missing: ['Kafka'], mustHave: true }),
    1,
    '4 passed, 1 failed',
    /^ {2}Kafka: missing, though WEIR_REQUIRE asks for all$/m,
  ],
]

for (const [title, given, code, last, said] of cases) {
  test(`the last line is right where ${title}`, (t) => {
    const { code: found, lines } = verdict(given)
    t.deepEqual([found, lines.at(-1)], [code, last])
    if (said) t.regex(lines.join('\n'), said)
  })
}
