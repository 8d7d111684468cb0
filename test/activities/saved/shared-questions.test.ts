import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createSharedQuestions } from '../../../activities/saved/shared-questions.ts'
import { deferred } from '../../../base/deferred.ts'

type Answer =
  | { readonly kind: 'whole'; readonly bytes: number; readonly text: string }
  | { readonly kind: 'stream'; readonly text: string }

const whole = (text: string, bytes = text.length): Answer => ({ kind: 'whole', bytes, text })

/** A shop of questions that are answered when the test says so. */
function createAsked() {
  const questions: {
    readonly answer: (value: Answer) => void
    readonly fail: (error: Error) => void
    readonly signal: AbortSignal
  }[] = []
  const ask = (signal: AbortSignal): Promise<Answer> => {
    const { promise, resolve, reject } = deferred<Answer>()
    questions.push({ answer: resolve, fail: reject, signal })
    return promise
  }
  return { questions, ask }
}

const here = (): AbortSignal => new AbortController().signal

test('a request joins a question only while nothing was acknowledged since that was asked', async (t) => {
  const shared = createSharedQuestions<Answer>(1_000)
  const { questions, ask } = createAsked()
  const get = (mark: string) => shared.ask({ subject: 'a', mark, fresh_ms: 0, client: here(), ask })
  const [one, two, three] = [get('1'), get('1'), get('2')]
  t.is(questions.length, 2)
  questions[0]?.answer(whole('old'))
  questions[1]?.answer(whole('new'))
  t.deepEqual(
    (await Promise.all([one, two, three])).map(({ answer }) => answer.text),
    ['old', 'old', 'new'],
  )
  const four = get('2')
  t.is(questions.length, 3, 'an answer that was given serves nobody afterwards')
  questions[2]?.answer(whole('newest'))
  t.is((await four).answer.text, 'newest')
  t.is(shared.bytes(), 0)
})

test('an answer serves as long as the question says, and the oldest go where there is no room', async (t) => {
  let now_ms = 0
  const shared = createSharedQuestions<Answer>(25, () => now_ms)
  let asked = 0
  const get = (subject: string) =>
    shared.ask({
      subject,
      mark: String(++asked),
      fresh_ms: 60_000,
      client: here(),
      ask: async () => whole(`${subject} ${asked}`, 10),
    })
  const texts = async (subject: string) => (await get(subject)).answer.text
  t.is(await texts('a'), 'a 1')
  now_ms = 59_999
  t.deepEqual(await get('a').then(({ answer, age_ms }) => [answer.text, age_ms]), ['a 1', 59_999])
  now_ms = 60_001
  t.is(await texts('a'), 'a 3')
  t.is(await texts('b'), 'b 4')
  t.is(await texts('a'), 'a 3')
  t.is(await texts('c'), 'c 6')
  t.true(shared.bytes() <= 25)
  t.is(await texts('a'), 'a 3', 'the one that was asked for lately stays')
  t.is(await texts('b'), 'b 8')
})

test('a question ends when nobody waits for it any more, and not before', async (t) => {
  const shared = createSharedQuestions<Answer>(1_000)
  const { questions, ask } = createAsked()
  const [first, second] = [new AbortController(), new AbortController()]
  const get = (client: AbortSignal) => shared.ask({ subject: 'a', mark: '1', fresh_ms: 0, client, ask })
  const answers = [get(first.signal), get(second.signal)]
  first.abort()
  t.false(questions[0]?.signal.aborted)
  second.abort()
  t.true(questions[0]?.signal.aborted)
  const third = get(here())
  t.is(questions.length, 2, 'a question that ends is joined by nobody')
  questions[0]?.fail(new Error('ended'))
  questions[1]?.answer(whole('own'))
  t.is((await third).answer.text, 'own')
  for (const answer of answers) await t.throwsAsync(answer)
})

test('an answer that is read once goes to one request, and the others ask by themselves', async (t) => {
  const shared = createSharedQuestions<Answer>(1_000)
  const { questions, ask } = createAsked()
  const get = () => shared.ask({ subject: 'a', mark: '1', fresh_ms: 1_000, client: here(), ask })
  const [one, two] = [get(), get()]
  questions[0]?.answer({ kind: 'stream', text: 'first' })
  await sleep(1)
  questions[1]?.answer({ kind: 'stream', text: 'second' })
  t.deepEqual([(await one).answer.text, (await two).answer.text], ['first', 'second'])
  t.false(questions[0]?.signal.aborted, 'the one that reads goes on')
})

test('a failure is told to all who wait, and the next request asks anew', async (t) => {
  const shared = createSharedQuestions<Answer>(1_000)
  const { questions, ask } = createAsked()
  const get = () => shared.ask({ subject: 'a', mark: '1', fresh_ms: 1_000, client: here(), ask })
  const waiting = [get(), get()]
  questions[0]?.fail(new Error('broken'))
  for (const each of waiting) await t.throwsAsync(each, { message: 'broken' })
  const next = get()
  questions[1]?.answer(whole('fine'))
  t.is((await next).answer.text, 'fine')
})
