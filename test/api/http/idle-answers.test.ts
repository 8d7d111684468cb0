/** Answers that their clients stop reading are cut, and streams whose next piece takes long show that they live. */
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { endIdleAnswers } from '../../../api/http/app.ts'
import { withBeats } from '../../../api/http/event-stream.ts'
import { idle_ms } from '../../../api/http/stream-body.ts'

for (const [what, body, timers] of [
  ['a short text', 'x'.repeat(1000), []],
  ['a long text', 'x'.repeat(100_000), [idle_ms]],
  ['long bytes', Buffer.alloc(100_000), [idle_ms]],
  ['nothing', undefined, []],
] as const)
  test(`an answer of ${what} has ${timers.length === 0 ? 'no timer' : 'a timer from when it is there'}`, async (t) => {
    const set: number[] = []
    const context = { body: undefined as unknown, res: { setTimeout: (ms: number) => set.push(ms) } }
    await endIdleAnswers(context as never, async () => {
      // A question may take longer than an idle connection lasts.
      t.deepEqual(set, [])
      context.body = body
    })
    t.deepEqual(set, [...timers])
  })

test('beats come while a piece takes long, and the piece once, behind them', async (t) => {
  const waits = [0, 130, 0]
  let asked = 0
  const next = withBeats(async () => {
    const wait_ms = waits[asked++]
    if (wait_ms === undefined) return undefined
    await sleep(wait_ms)
    return Buffer.from(`piece ${asked}`)
  }, 40)
  const pieces: string[] = []
  for (let bytes = await next(); bytes !== undefined; bytes = await next()) pieces.push(String(bytes))
  t.deepEqual(
    pieces.filter((piece) => piece !== ':\n\n'),
    ['piece 1', 'piece 2', 'piece 3'],
  )
  t.true(pieces.indexOf('piece 2') >= 3, pieces.join())
  t.is(asked, 4)
})

test('a piece that fails behind a beat ends the stream with its error', async (t) => {
  const next = withBeats(async () => {
    await sleep(60)
    throw new Error('gone')
  }, 20)
  t.is(String(await next()), ':\n\n')
  await t.throwsAsync(
    async () => {
      for (;;) await next()
    },
    { message: 'gone' },
  )
})
