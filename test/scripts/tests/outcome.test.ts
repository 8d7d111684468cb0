import test from 'ava'
import { createOutcomes, type Told } from '../../../scripts/tests/outcome.js'

const clean = { code: 0, signal: null }
const one = (type: string, title = 'a'): Told => ({ type, testFile: 'f', title })
const whole = [one('declared-test'), one('selected-test'), one('test-passed'), one('worker-finished')]

function outcomeOf(told: readonly Told[], exit: { code: number | null; signal: string | null } = clean) {
  const outcomes = createOutcomes(['f'])
  for (const each of told) outcomes.take(each)
  const [outcome] = outcomes.end(exit)
  return outcome
}

test('a file all of whose tests were seen to pass is good', (t) => {
  t.like(outcomeOf([...whole, { type: 'end' }]), { passed: 1, failed: [], skipped: [], faults: [] })
})

const incomplete: [string, Parameters<typeof outcomeOf>, string][] = [
  ['ava never said that it was through', [whole], 'ava ended with code 0'],
  [
    'ava ended with an error of its own',
    [[...whole, { type: 'end' }], { code: 1, signal: null }],
    'ava ended with code 1',
  ],
  ['ava was killed', [whole, { code: null, signal: 'SIGKILL' }], 'ava ended by SIGKILL'],
  ['the file never ended', [[...whole.slice(0, 3), { type: 'end' }]], 'was not run to its end'],
  ['nothing was told of the file', [[{ type: 'end' }]], 'was not run to its end'],
  ['a test began and did not end', [[...whole.slice(0, 2), one('worker-finished'), { type: 'end' }]], 'did not end: a'],
  [
    // Only the name of a case: ava leaves such tests out in silence, and a file that has one must fail.
    'a test was declared and not chosen, as beside one that is run alone',
    [[one('declared-test', 'b'), ...whole, { type: 'end' }]],
    'ran 1 of its 2 tests',
  ],
  [
    'ava failed as a whole',
    [[{ type: 'internal-error', message: 'x' }, ...whole, { type: 'end' }]],
    'internal error of ava: x',
  ],
]
for (const [title, [told, exit], fault] of incomplete) {
  test(`a file is no good where ${title}`, (t) => t.deepEqual(outcomeOf(told, exit)?.faults, [fault]))
}

test('a test that failed has its reason in a line', (t) => {
  const failed = {
    ...one('test-failed'),
    message: 'files that are owed',
    details: 'Difference:\n\n  \u001b[31m- 7\u001b[39m\n  + 8',
  }
  t.deepEqual(outcomeOf([...whole.slice(0, 2), failed, ...whole.slice(3), { type: 'end' }])?.reasons, [
    'files that are owed Difference: - 7 + 8',
  ])
})

test('a file that hangs is at fault, and those that run after it are not', (t) => {
  const outcomes = createOutcomes(['f', 'g'])
  for (const told of whole.slice(0, 2)) outcomes.take(told)
  outcomes.take({ type: 'timeout', period: 180_000 })
  outcomes.take({ type: 'worker-failed', testFile: 'f', signal: 'SIGTERM' })
  for (const told of whole) outcomes.take({ ...told, testFile: 'g' })
  outcomes.take({ type: 'end' })
  t.deepEqual(
    outcomes.end({ code: 1, signal: null }).map(({ faults }) => faults),
    [['no test ended for 180 s', 'its process ended by SIGTERM', 'did not end: a'], []],
  )
})

test('a file is charged from the end of the one before it', (t) => {
  let now = 0
  const outcomes = createOutcomes(['f', 'g'], () => now)
  now = 2000
  for (const told of whole) outcomes.take(told)
  now = 5000
  for (const told of whole) outcomes.take({ ...told, testFile: 'g' })
  outcomes.take({ type: 'end' })
  t.deepEqual(
    outcomes.end(clean).map(({ seconds }) => seconds),
    [2, 3],
  )
})
