import test from 'ava'
import { createTally } from '../../scripts/tally.js'

const cases: { title: string; code: number; printed: string; line: string }[] = [
  {
    title: 'all passed',
    code: 0,
    printed: '\n  ✔ a\n  ✔ b (1.2s)\n  ─\n\n  2 tests passed\n',
    line: '2 passed, 0 failed',
  },
  {
    title: 'in colour, some skipped, some to do',
    code: 0,
    printed:
      '  \u001b[32m✔\u001b[39m a\n  - [skip] b\n  ─\n\n  \u001b[32m1 test passed\u001b[39m\n  1 test skipped\n  2 tests todo\n',
    line: '1 passed, 0 failed, 3 skipped',
  },
  {
    title: 'a failure, after which ava does not say what passed',
    code: 1,
    printed: '  ✔ a\n  ✘ [fail]: b\n  ─\n\n  b\n\n  Difference\n\n  ─\n\n  1 test failed\n',
    line: '1 passed, 1 failed',
  },
  {
    title: 'a file that could not be loaded',
    code: 1,
    printed: '  ✔ a\n  ─\n\n  1 test passed\n  1 uncaught exception\n',
    line: '1 passed, 1 failed',
  },
  { title: 'no test at all', code: 1, printed: '  ✘ Couldn’t find any files to test\n', line: '0 passed, 1 failed' },
]

test('names the files in which something failed, however ava tells of them', (t) => {
  const tally = createTally()
  const there = ['test/api/crash.test.ts', 'test/api/log.test.ts', 'test/infra/a.test.ts', 'test/infra/b.test.ts']
  for (const line of [
    '  ✔ sql › lexer › a',
    '  ✘ [fail]: api › crash › kept › whole',
    '  ✘ [fail]: api › crash › lost',
    '  ✘ [fail]: nowhere › at all',
    '  1 tests were pending in api/log.test.ts',
    '  Uncaught exception in test/infra/a.test.ts',
    '  ✘ test/infra/b.test.ts exited with a non-zero exit code: 1',
  ])
    tally.read(line)
  t.deepEqual(
    tally.failedFiles((file) => there.includes(file)),
    there,
  )
})

test('what passes in a second run has passed, what fails again has failed', (t) => {
  const [first, second] = [createTally(), createTally()]
  for (const line of ['  ✔ a', '  ✘ [fail]: f › b', '  ✘ [fail]: g › c']) first.read(line)
  for (const line of ['  ✔ b', '  ✘ [fail]: g › c']) second.read(line)
  first.mend(second)
  t.is(first.line(1), '2 passed, 1 failed')
})

for (const { title, code, printed, line } of cases) {
  test(`counts ${title}`, (t) => {
    const tally = createTally()
    for (const one of printed.split('\n')) tally.read(one)
    t.is(tally.line(code), line)
  })
}
