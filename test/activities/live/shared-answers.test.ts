import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createSharedAnswers } from '../../../activities/live/shared-answers.ts'
import { Fault } from '../../../base/faults.ts'

const fresh_ms = 200
/** Counts what it is asked. */
function counted(answer: () => Promise<string> = async () => 'answer') {
  const question = () => {
    question.asked++
    return answer()
  }
  question.asked = 0
  return question
}

test('300 readers of one question ask once in the time for which an answer is fresh', async (t) => {
  const shared = createSharedAnswers(fresh_ms)
  const question = counted(async () => sleep(20, 'answer'))
  const answers = await Promise.all(Array.from({ length: 300 }, () => shared.again('a', question)))
  t.deepEqual(new Set(answers), new Set(['answer']))
  t.is(question.asked, 1)
  t.is(await shared.again('a', question), 'answer')
  t.is(question.asked, 1)
  await sleep(fresh_ms + 50)
  await shared.again('a', question)
  t.is(question.asked, 2)
})

test('a question that takes longer than its answer would be fresh is asked once, however many wait for it', async (t) => {
  const shared = createSharedAnswers(fresh_ms)
  const slow = counted(async () => sleep(3 * fresh_ms, 'slow'))
  const first = shared.again('a', slow)
  await sleep(2 * fresh_ms)
  t.deepEqual(
    await Promise.all([first, ...Array.from({ length: 40 }, () => shared.again('a', slow))]),
    Array(41).fill('slow'),
  )
  t.is(slow.asked, 1)
})

test('a reader that comes asks by itself, since it may have sent an event just before, and others have its answer', async (t) => {
  const shared = createSharedAnswers(fresh_ms)
  const [before, after] = [counted(async () => 'before'), counted(async () => 'after')]
  t.is(await shared.again('a', before), 'before')
  t.is(await shared.ask('a', after), 'after')
  t.is(await shared.again('a', before), 'after')
  t.deepEqual([before.asked, after.asked], [1, 1])
})

test('other questions, and the same one with other rights, are asked apart', async (t) => {
  const shared = createSharedAnswers(fresh_ms)
  const [one, two] = [counted(async () => '1'), counted(async () => '2')]
  t.deepEqual(await Promise.all([shared.again('a', one), shared.again('b', two)]), ['1', '2'])
})

test('where the client goes away that asked, the next reader asks for all others; another failure is theirs as well', async (t) => {
  const shared = createSharedAnswers(fresh_ms)
  const gone = counted(() => Promise.reject(new Fault('abandoned', 'the client has gone')))
  const stays = counted()
  const owner = shared.again('a', gone)
  const others = Array.from({ length: 20 }, () => shared.again('a', stays))
  await t.throwsAsync(owner, { message: 'the client has gone' })
  t.deepEqual(new Set(await Promise.all(others)), new Set(['answer']))
  t.deepEqual([gone.asked, stays.asked], [1, 1])

  const late = counted(() => Promise.reject(new Fault('late', 'too late')))
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => shared.again('b', late)))
  t.true(all.every(({ status }) => status === 'rejected'))
  t.is(late.asked, 1)
})
