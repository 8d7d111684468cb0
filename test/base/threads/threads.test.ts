import test from 'ava'
import { openThreads, type ThreadOptions, threadFile } from '../../../base/threads.ts'
import { until } from '../../support/until.ts'
import type { Task } from './task.ts'

const open = (options: ThreadOptions) => openThreads<Task, number>(threadFile('task', import.meta.url), options)
const short = (answer: number): Task => ({ takes_ms: 1, answer })
const endless: Task = { takes_ms: 1_000_000, answer: 0 }

test('threads that are closed while one loads its file end behind that: ended inside of it, it takes the process along', async (t) => {
  const load = new Int32Array(new SharedArrayBuffer(4))
  const threads = open({ threads: 1, workerData: load })
  const answer = t.throwsAsync(threads.run(endless))
  await until('the thread loads its file', () => Atomics.load(load, 0) === 1)
  await threads.close()
  t.is(load[0], 2)
  await answer
})

test('tasks that wait are run also where all that ran before them were aborted', async (t) => {
  const threads = open({ threads: 2 })
  t.teardown(() => threads.close())
  await Promise.all([threads.run(short(0)), threads.run(short(0))])
  const stop = new AbortController()
  const stopped = [1, 2].map(() => t.throwsAsync(threads.run(endless, stop)))
  const waiting = [3, 4, 5].map((answer) => threads.run(short(answer)))
  stop.abort()
  await Promise.all(stopped)
  t.deepEqual(await Promise.all(waiting), [3, 4, 5])
})

test('no more tasks run at a time than there are threads; the others wait, in their order', async (t) => {
  const threads = open({ threads: 2 })
  t.teardown(() => threads.close())
  await Promise.all([threads.run(short(0)), threads.run(short(0))])
  const stop = new AbortController()
  const running = t.throwsAsync(threads.run(endless, stop))
  const ended: number[] = []
  const tasks = [40, 1, 1, 1].map(async (takes_ms, answer) => {
    ended.push(await threads.run({ takes_ms, answer }))
  })
  t.is(threads.waiting(), 3)
  await Promise.all(tasks)
  t.is(threads.waiting(), 0)
  t.deepEqual(ended, [0, 1, 2, 3])
  stop.abort()
  await running
})

test('a task that is aborted while it waits leaves the line, and those behind it move up', async (t) => {
  const threads = open({ threads: 1 })
  t.teardown(() => threads.close())
  const [first, second] = [new AbortController(), new AbortController()]
  const running = t.throwsAsync(threads.run(endless, first))
  const left = t.throwsAsync(threads.run(short(1), second), { message: 'gone' })
  const behind = threads.run(short(2))
  t.is(threads.waiting(), 2)
  second.abort(new Error('gone'))
  await left
  t.is(threads.waiting(), 1)
  await t.throwsAsync(threads.run(short(3), { signal: AbortSignal.abort(new Error('too late')) }), {
    message: 'too late',
  })
  first.abort()
  await running
  t.is(await behind, 2)
})

test('closed threads end what runs and refuse what waits and what comes later', async (t) => {
  const threads = open({ threads: 1 })
  await threads.run(short(0))
  const tasks = [threads.run(endless), threads.run(short(1))].map((task) => t.throwsAsync(task))
  await threads.close()
  await Promise.all(tasks)
  for (const late of [2, 3]) await t.throwsAsync(threads.run(short(late)), { message: 'the threads are closed' })
})

test('threads that are closed kindly wait for what runs, and refuse what waits', async (t) => {
  const threads = open({ threads: 1 })
  await threads.run(short(0))
  const running = threads.run({ takes_ms: 50, answer: 1 })
  const waiting = t.throwsAsync(threads.run(short(2)), { message: 'the threads are closed' })
  await threads.close({ letsEnd: true })
  t.is(await running, 1)
  await waiting
})
