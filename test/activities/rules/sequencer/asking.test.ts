import test from 'ava'
import { createAsking } from '../../../../activities/rules/sequencer/asking.ts'

/** A clock that stands, and a part that fails after ten seconds, or answers. */
function createPart() {
  const part = { now_ms: 5_000, takes_ms: 10_000, isAway: true, asked: 0 }
  const ask = createAsking(() => part.now_ms)
  const question = async (): Promise<string> => {
    part.asked++
    part.now_ms += part.takes_ms
    if (part.isAway) throw new Error(`no answer ${part.asked}`)
    return 'an answer'
  }
  return { part, ask: () => ask(question) }
}

test('of a hundred turns behind a part that hangs the first one waits, and the others are told what it was told', async (t) => {
  const { part, ask } = createPart()
  const all = Array.from({ length: 100 }, () => ask)
  for (const each of all) await t.throwsAsync(each(), { message: 'no answer 1' })
  t.is(part.now_ms, 15_000)
  part.now_ms += 1_500
  Object.assign(part, { isAway: false, takes_ms: 5 })
  t.is(await ask(), 'an answer')
})

test('a failure that comes at once is that of its turn alone', async (t) => {
  const { part, ask } = createPart()
  part.takes_ms = 900
  await t.throwsAsync(ask(), { message: 'no answer 1' })
  part.isAway = false
  t.is(await ask(), 'an answer')
})
