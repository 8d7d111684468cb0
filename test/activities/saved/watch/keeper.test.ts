/** When watches are evaluated, over a clock that the test turns, with a memory in the place of the tables. */
import test from 'ava'
import { ownClock } from '../../../../activities/saved/agenda.ts'
import type { Saved, Told } from '../../../../activities/saved/saved.ts'
import { partOf, type RunResult } from '../../../../activities/saved/schedule/run.ts'
import type { Evaluate } from '../../../../activities/saved/watch/evaluate.ts'
import { createKeeper } from '../../../../activities/saved/watch/keeper.ts'
import { samplesOf } from '../../../../activities/saved/watch/samples.ts'
import type { Outcome } from '../../../../activities/saved/watch/states.ts'
import { type AskedRun, type Kept, scheduleId, type Turn } from '../../../../activities/saved/watch/store.ts'
import { createTurns } from '../../../../activities/saved/watch/turns.ts'
import { silentLogger } from '../../../../infra/logger.ts'
import { decodeQuestion } from '../../../../sql/saved/definition.ts'
import { createSimulatedTime } from '../../../support/simulated-time.ts'

const began_us = 1_795_000_000 * 1_000_000 - (1_795_000_000 % 3600) * 1_000_000

const askedAs = (name: string, more: object): Told => ({
  name,
  number: 1,
  places: [],
  at: began_us,
  author: '',
  question: decodeQuestion({ sql: 'SELECT 1 AS v', ...more }),
})
const toldOf = (name: string, watch: object = {}): Told =>
  askedAs(name, { watch: { when: 'v > 10', notf: 1, ...watch } })

/** Turns as the table keeps them: of two with one number the first. */
function createMemory() {
  const turns: Turn[] = []
  const asked: AskedRun[] = []
  let isAway = false
  let losesAnswer = false
  const refuseAway = (): void => {
    if (isAway) throw new Error('ClickHouse is away')
  }
  return {
    turns,
    asked,
    setAway: (away: boolean) => {
      isAway = away
    },
    loseNextAnswer: () => {
      losesAnswer = true
    },
    sends: () => turns.flatMap(({ sends }) => sends.map(({ payload }) => payload)),
    state(name: string): Kept | undefined {
      return turns.findLast(({ states }) => states.has(name))?.states.get(name)
    },
    store: {
      async lastTurn() {
        refuseAway()
        const { number, holder } = turns.at(-1) ?? { number: 0, holder: '' }
        return { number, holder }
      },
      async commit(turn: Turn) {
        refuseAway()
        if ((turns.at(-1)?.number ?? 0) < turn.number) turns.push(turn)
        if (!losesAnswer) return
        losesAnswer = false
        throw new Error('the answer is lost')
      },
      async load() {
        refuseAway()
        const states = new Map<string, Kept>()
        for (const turn of turns)
          for (const [name, kept] of turn.states) {
            if (kept) states.set(name, kept)
            else states.delete(name)
          }
        return states
      },
      silences: async () => [],
      lastRuns: async () =>
        new Map(turns.flatMap(({ runs }) => runs.map(({ name, part, due }) => [scheduleId(name, part), due] as const))),
      askedRuns: async () => [],
      asked: async () => asked.splice(0),
      forget: async () => {},
    },
  }
}

type Begun = { readonly name: string; readonly at_s: number; readonly running: number }

/** A keeper over watches whose answers `answer` says: a value, or the reason of a failure, and how long it takes. */
function createTrial(
  watches: readonly Told[],
  answer: (at_s: number, name: string) => { readonly value: number | string; readonly takes_ms?: number },
  answerOfRun: () => RunResult = () => ({ state: 'done', bytes: 1 }),
  since: Saved['since'] = async ({ at }) => at,
) {
  const time = createSimulatedTime()
  const memory = createMemory()
  const begun: Begun[] = []
  let running = 0
  const now_us = () => began_us + Math.round(time.now() * 1000)
  const evaluate: Evaluate = async ({ name }, watch): Promise<Outcome> => {
    const at_s = time.now() / 1000
    begun.push({ name, at_s, running: ++running })
    const { value, takes_ms = 5 } = answer(at_s, name)
    await time.sleep(takes_ms)
    running--
    return typeof value === 'string' ? { kind: 'failed', says: value } : samplesOf([{ v: value }], watch)
  }
  const ran: string[] = []
  const crons: string[] = []
  let skipped = 0
  let stopped = new AbortController()
  let ending: Promise<void> | undefined
  const start = () => {
    stopped = new AbortController()
    const keeper = createKeeper({
      leases: undefined,
      turns: createTurns({
        isShared: false,
        store: memory.store,
        logger: silentLogger(),
        skipped: (times) => {
          skipped += times
        },
      }),
      openAgenda: ownClock,
      evaluate,
      kept: () => watches,
      present: (name) => watches.find((told) => told.name === name),
      since,
      store: memory.store,
      runSchedule: async (told, { cron }, due) => {
        ran.push(`${told.name} ${(due - began_us) / 60_000_000}`)
        crons.push(cron)
        await time.sleep(5)
        return answerOfRun()
      },
      clock: { now_us, sleep: (milliseconds) => time.sleep(milliseconds) },
      logger: silentLogger(),
      metrics: { watchEvaluations: { inc: () => {} }, scheduleRuns: { inc: () => {} } } as unknown as Parameters<
        typeof createKeeper
      >[0]['metrics'],
    })
    ending = keeper.run(stopped.signal)
  }
  start()
  return {
    begun,
    ran,
    crons,
    memory,
    pass: (seconds: number) => time.pass(seconds * 1000),
    skipped: () => skipped,
    async stop() {
      stopped.abort()
      if (ending) await time.passUntil(ending)
    },
    start,
  }
}

const seconds = (at_us: number): number => (at_us - began_us) / 1_000_000
const evaluatedAt = (turns: readonly Turn[], name: string): number[] =>
  turns.flatMap(({ states }) => {
    const kept = states.get(name)
    return kept ? [seconds(kept.at)] : []
  })

test('evaluations come at whole multiples of `every`, the first after the watch was made', async (t) => {
  const trial = createTrial([toldOf('a', { every: 60 }), toldOf('b', { every: 45 })], () => ({ value: 1 }))
  await trial.pass(200)
  t.deepEqual(evaluatedAt(trial.memory.turns, 'a'), [60, 120, 180])
  t.deepEqual(evaluatedAt(trial.memory.turns, 'b'), [45, 90, 135, 180])
  t.true(trial.begun.every(({ at_s }) => at_s % 15 < 1))
  await trial.stop()
})

test('a question that is slower than `every` is never asked twice at once, and the times that it missed are told', async (t) => {
  const trial = createTrial([toldOf('a', { every: 60 })], (at_s) => ({ value: 1, takes_ms: at_s < 70 ? 150_000 : 5 }))
  await trial.pass(320)
  t.true(trial.begun.every(({ running }) => running === 1))
  // Begun at 60 and over at 210: the times 120 and 180 are past, and the one of 180 is made up for once.
  t.deepEqual(evaluatedAt(trial.memory.turns, 'a'), [60, 180, 240, 300])
  t.is(trial.skipped(), 1)
  t.is(trial.memory.state('a')?.skipped, 1)
  await trial.stop()
})

for (const [what, after] of [
  ['deleted', []],
  ['changed', [{ ...toldOf('a', { every: 60, when: 'v > 20' }), number: 2 }]],
] as const)
  test(`a watch that is ${what} amid an evaluation does not fire by it`, async (t) => {
    const watches = [toldOf('a', { every: 60 })]
    const trial = createTrial(watches, (at_s) => ({ value: 11, takes_ms: at_s < 70 ? 10_000 : 5 }))
    await trial.pass(65)
    t.is(trial.begun.length, 1)
    watches.splice(0, 1, ...after)
    await trial.pass(200)
    t.deepEqual(trial.memory.sends(), [])
    // The changed one is evaluated anew for the time that the dropped evaluation was of.
    t.deepEqual(evaluatedAt(trial.memory.turns, 'a'), after.length === 0 ? [] : [60, 120, 180, 240])
    await trial.stop()
  })

test('after a pause one evaluation stands for all that were missed', async (t) => {
  const trial = createTrial([toldOf('a', { every: 60 })], () => ({ value: 11 }))
  await trial.pass(125)
  await trial.stop()
  const before = trial.begun.length
  await trial.pass(600)
  trial.start()
  await trial.pass(3)
  t.is(trial.begun.length, before + 1)
  t.deepEqual(evaluatedAt(trial.memory.turns, 'a').slice(0, 2), [60, 120])
  t.is((evaluatedAt(trial.memory.turns, 'a').at(-1) ?? 0) % 60, 0)
  t.is(trial.memory.sends().length, 1)
  await trial.stop()
})

test('1,000 watches of one minute are evaluated once a minute each, spread over half of it, four at once at most', async (t) => {
  const watches = Array.from({ length: 1_000 }, (_, n) => toldOf(`w${n}`, { every: 60 }))
  const trial = createTrial(watches, () => ({ value: 1 }))
  await trial.pass(180 + 40)
  for (const minute of [60, 120, 180]) {
    const ofMinute = trial.begun.filter(({ at_s }) => at_s >= minute && at_s < minute + 60)
    t.is(ofMinute.length, 1_000)
    t.is(new Set(ofMinute.map(({ name }) => name)).size, 1_000)
    const inSeconds = new Map<number, number>()
    for (const { at_s } of ofMinute) inSeconds.set(Math.floor(at_s), (inSeconds.get(Math.floor(at_s)) ?? 0) + 1)
    t.true(Math.max(...inSeconds.values()) <= 41, `${Math.max(...inSeconds.values())} in one second`)
    t.true(Math.max(...ofMinute.map(({ at_s }) => at_s)) < minute + 32)
  }
  t.true(trial.begun.every(({ running }) => running <= 4))
  t.true(trial.memory.turns.length < 600, `${trial.memory.turns.length} turns`)
  await trial.stop()
})

test('with ClickHouse away for minutes one failure is told, and its end, and nothing resolves', async (t) => {
  let isAway = false
  const trial = createTrial([toldOf('a', { every: 60 })], () => ({ value: isAway ? 'ClickHouse is away' : 11 }))
  await trial.pass(70)
  isAway = true
  trial.memory.setAway(true)
  await trial.pass(200)
  isAway = false
  trial.memory.setAway(false)
  await trial.pass(130)
  t.deepEqual(
    trial.memory.sends().map(({ about, state }) => [about, state]),
    [
      ['key', 'firing'],
      ['error', 'firing'],
      ['error', 'resolved'],
    ],
  )
  t.is([...(trial.memory.state('a')?.alerts.values() ?? [])].find(({ about }) => about === 'key')?.state, 'firing')
  await trial.stop()
})

test('a turn whose answer is lost is there once, with its sends', async (t) => {
  const trial = createTrial([toldOf('a', { every: 60 })], (at_s) => ({ value: at_s > 100 ? 11 : 1 }))
  await trial.pass(110)
  trial.memory.loseNextAnswer()
  await trial.pass(200)
  t.deepEqual(
    trial.memory.sends().map(({ state }) => state),
    ['firing'],
  )
  t.deepEqual(evaluatedAt(trial.memory.turns, 'a').slice(0, 4), [60, 120, 180, 240])
  await trial.stop()
})

const scheduled = (name: string, cron: string): Told => askedAs(name, { schedule: [{ cron, notf: 1 }] })

test('a schedule has one run at each of its times, and a pause has one run for all of them within a day', async (t) => {
  const trial = createTrial([scheduled('a', '*/10 * * * *'), scheduled('b', '5 * * * *')], () => ({ value: 1 }))
  await trial.pass(35 * 60)
  t.deepEqual(trial.ran, ['b 5', 'a 10', 'a 20', 'a 30'])
  await trial.stop()
  await trial.pass(60 * 60)
  trial.start()
  await trial.pass(10)
  t.deepEqual(trial.ran.slice(4), ['a 90', 'b 65'])
  await trial.stop()
  trial.start()
  await trial.pass(10)
  t.is(trial.ran.length, 6, 'a start runs nothing that has run')
  await trial.stop()
  await trial.pass(3 * 86_400)
  trial.start()
  await trial.pass(2)
  t.is(trial.ran.length, 8)
  await trial.stop()
})

test('a run that fails is tried twice more, and then told as failed', async (t) => {
  const trial = createTrial(
    [scheduled('a', '10 * * * *')],
    () => ({ value: 1 }),
    () => ({ state: 'failed', says: 'no table' }),
  )
  await trial.pass(11 * 60)
  t.deepEqual(trial.ran, ['a 10', 'a 10', 'a 10'])
  const runs = trial.memory.turns.flatMap((turn) => turn.runs)
  t.deepEqual(
    runs.map(({ name, state, says }) => [name, state, says]),
    [['a', 'failed', 'no table']],
  )
  await trial.pass(10 * 60)
  t.is(trial.ran.length, 3)
  await trial.stop()
})

test('a run that was asked for comes also where its entry was changed or taken away meanwhile', async (t) => {
  const [before] = scheduled('a', '7 * * * *').question.schedule
  if (!before) throw new Error('the question has no schedule')
  const trial = createTrial([scheduled('a', '9 * * * *'), askedAs('b', {})], () => ({ value: 1 }))
  for (const name of ['a', 'b', 'gone'])
    trial.memory.asked.push({ name, part: partOf(before), due: began_us + 60_000_000 })
  await trial.pass(120)
  t.deepEqual(trial.ran.toSorted(), ['a 1', 'b 1'])
  t.deepEqual(trial.crons, [before.cron, before.cron])
  await trial.stop()
})

test('a schedule that was there before its question was changed has the run of a time before the change', async (t) => {
  const changed = { ...scheduled('a', '*/10 * * * *'), number: 2, at: began_us + 25 * 60_000_000 }
  const trial = createTrial(
    [changed],
    () => ({ value: 1 }),
    undefined,
    async () => began_us,
  )
  await trial.stop()
  await trial.pass(26 * 60)
  trial.start()
  await trial.pass(5 * 60)
  t.deepEqual(trial.ran, ['a 20', 'a 30'])
  await trial.stop()
})

test('a schedule that was taken away and made again has no run of the times in between', async (t) => {
  const kept = [scheduled('a', '*/10 * * * *')]
  const trial = createTrial(kept, () => ({ value: 1 }))
  await trial.pass(11 * 60)
  t.deepEqual(trial.ran, ['a 10'])
  await trial.stop()
  await trial.pass(15 * 60)
  kept[0] = { ...scheduled('a', '*/10 * * * *'), number: 3, at: began_us + 25 * 60_000_000 }
  trial.start()
  await trial.pass(5 * 60)
  t.deepEqual(trial.ran, ['a 10', 'a 30'])
  await trial.stop()
})

test('a question that is deleted amid the run of its schedule sends nothing', async (t) => {
  const kept = [scheduled('a', '10 * * * *')]
  const payload = { saved: 'a' }
  const trial = createTrial(
    kept,
    () => ({ value: 1 }),
    () => {
      kept.length = 0
      return { state: 'done', bytes: 1, ready: { notifid: 1, format: 'weir', payload } }
    },
  )
  await trial.pass(11 * 60)
  t.deepEqual(trial.ran, ['a 10'])
  t.deepEqual(trial.memory.sends(), [])
  await trial.stop()
})

test('a watch that was taken away and made again has no alerts of the one before, whose receivers hear their end', async (t) => {
  const kept = [toldOf('a', { every: 60 })]
  const trial = createTrial(kept, () => ({ value: 20 }))
  await trial.pass(70)
  t.deepEqual(
    trial.memory.sends().map(({ state }) => state),
    ['firing'],
  )
  await trial.stop()
  await trial.pass(100)
  kept[0] = { ...toldOf('a', { every: 60, when: 'v > 30', notf: 2 }), number: 3, at: began_us + 165_000_000 }
  trial.start()
  await trial.pass(5)
  const sends = () => trial.memory.turns.flatMap((turn) => turn.sends)
  t.deepEqual(
    sends().map(({ notifid, payload }) => [notifid, payload.state]),
    [
      [1, 'firing'],
      [1, 'resolved'],
    ],
  )
  await trial.pass(60)
  t.is(trial.memory.state('a')?.alerts.size, 0)
  t.is(sends().length, 2)
  await trial.stop()
})

test('a watch that was changed goes on with its alerts, also where no process looked in between', async (t) => {
  const kept = [toldOf('a', { every: 60 })]
  const trial = createTrial(
    kept,
    () => ({ value: 20 }),
    undefined,
    async () => began_us,
  )
  await trial.pass(70)
  await trial.stop()
  await trial.pass(100)
  kept[0] = { ...toldOf('a', { every: 60, when: 'v > 15' }), number: 2, at: began_us + 165_000_000 }
  trial.start()
  await trial.pass(70)
  t.deepEqual(
    trial.memory.sends().map(({ state }) => state),
    ['firing'],
  )
  t.is(trial.memory.state('a')?.alerts.size, 1)
  await trial.stop()
})
