import { join } from 'node:path'
import test from 'ava'
import { pino } from 'pino'
import { RefusedInTurn, type StreamSequencer } from '../../../../activities/rules/sequencer/work.ts'
import { eventLine, headText, tellLine } from '../../../../activities/rules/tasks/turn-lines.ts'
import { createTurnTaker, type TurnTakerDeps, Unanswered } from '../../../../activities/rules/tasks/turn-taker.ts'
import { Refusal } from '../../../../base/refusal.ts'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'
import type { TurnCommit } from '../../../../infra/log/port.ts'
import { createRuleMemory } from '../../../../infra/memory/memory.ts'
import { createMetrics } from '../../../../infra/metrics.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { turnOf } from '../../../support/turn.ts'

/** A taker whose events are taken by a function of their `n`, which throws or says that it refuses. */
function createTaker(takeOne: (n: unknown) => void, isOver = () => false) {
  const groups = { size: 10 }
  const rejecting = { failures: 0 }
  const logged: string[] = []
  const counted: unknown[] = []
  const taken: unknown[] = []
  const came: number[] = []
  const aside: (readonly [queue: string, line: string, reason: string])[] = []
  const troubles: (string | undefined)[] = []
  const tokens = new Set<string>()
  const happened: string[] = []
  const take: StreamSequencer['take'] = async ({ events, stamp, isWhole }) => {
    const refused = new Map<number, unknown>()
    for (const [index, event] of events.entries()) {
      try {
        takeOne(event.n)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refused.set(index, error)
      }
    }
    if (isWhole && refused.size > 0) throw new RefusedInTurn(refused)
    taken.push(...events.map((event) => event.n))
    happened.push(`commit ${events.map((event) => event.n)}`)
    return events.map((event) => ({ stamped: stamp(event) }))
  }
  const sequencer: StreamSequencer = { take, isOneByOne: false, groupOf: () => groups.size }
  const version = {
    of: 'v1',
    off: new Set<string>(),
    queues: ['s.a'],
    routings: {},
    seeding: unused,
    sequencer: { of: () => sequencer },
  }
  const taker = createTurnTaker({
    task: {
      ...{ schema: 's', partition: 0, partitions: 1, clock: { next: () => 1 }, caughtUpHere: async () => {} },
      ...{ reached: forever, isOver, troubled: (reason: string | undefined) => troubles.push(reason) },
    },
    memory: { undo() {} },
    onMessage: (us: number) => came.push(us),
    versionNow: () => ({ of: 'v1', open: () => version }),
    asideWith: () => 'a',
    arrivals: { begin: () => ({ end() {} }) },
    reject: async (queue: string, line: string, reason: string, token: string) => {
      if (rejecting.failures-- > 0) throw new Error('connect ECONNREFUSED')
      happened.push(`aside ${line}`)
      if (!tokens.has(token)) aside.push([queue, line, reason])
      tokens.add(token)
    },
    metrics: { eventsRejected: { inc: (labels: unknown) => counted.push(labels) } },
    logger: pino({}, { write: (line: string) => logged.push(line) }),
  } as unknown as TurnTakerDeps)
  return { taker, logged, counted, taken, came, aside, troubles, happened, groups, rejecting }
}

const unused = undefined as never
const forever = (): Promise<void> => new Promise(() => {})
const head = headText({ stream: 'a', of: 'v1', off: '' })
const line = (n: number): string => eventLine(head, { n }, `${1_800_000_000_000_000 + n}`, n)
const message = (...lines: string[]): Buffer => Buffer.from(lines.join(''))

test('an acknowledged event that its turn refuses is counted and set aside; the log has its place and not its content', async (t) => {
  const { taker, taken, came, counted, aside, logged } = createTaker((n) => {
    if (n === 2) throw new Refusal('rules would make 10001 rows of it')
  })
  await taker.take(message(line(1), line(2), line(3)), { offset: 0, appended_us: 7 }, 0)

  t.deepEqual(taken, [1, 3])
  t.deepEqual(came, [7])
  t.deepEqual(counted, [{ stream: 's.a' }])
  t.deepEqual(aside, [['s.a', '{"n":2,"_pk":1800000000000002}', 'rules would make 10001 rows of it']])
  t.is(logged.length, 1)
  t.like(JSON.parse(logged[0] ?? ''), { queue: 's.a', _pk: '1800000000000002', code: 'Refusal' })
  t.false(logged.join().includes('"n"'))
})

const refusing =
  (...refused: readonly unknown[]) =>
  (n: unknown): void => {
    if (refused.includes(n)) throw new Refusal(`${n} is refused`)
  }

test('events that their turn refuses are set aside before the commit that passes them, and again nowhere', async (t) => {
  const { taker, happened, aside, groups } = createTaker(refusing(2, 4))
  const lines = message(line(1), line(2), line(3), line(4), line(5))
  const textOf = (n: number): string => `{"n":${n},"_pk":${1_800_000_000_000_000 + n}}`
  await taker.take(lines, { offset: 3, appended_us: 7 }, 0)
  t.deepEqual(happened, [`aside ${textOf(2)}`, `aside ${textOf(4)}`, 'commit 1,3,5'])
  // A task that begins anew may take the lines in other groups, from another one on.
  for (const [size, from] of [
    [2, 1],
    [1, 0],
    [3, 3],
  ] as const) {
    groups.size = size
    await taker.take(lines, { offset: 3, appended_us: 7 }, from)
  }
  t.deepEqual(
    aside.map(([, text]) => text),
    [textOf(2), textOf(4)],
  )
})

test('while a refused event cannot be set aside nothing behind it is taken, which the task says', async (t) => {
  const { taker, happened, troubles, rejecting } = createTaker(refusing(1))
  rejecting.failures = 2
  await taker.take(message(line(1), line(2)), { offset: 0, appended_us: 7 }, 0)
  t.deepEqual(happened, ['aside {"n":1,"_pk":1800000000000001}', 'commit 2'])
  t.deepEqual(troubles, ['connect ECONNREFUSED', 'connect ECONNREFUSED', undefined])
})

test('an event at which a rule fails is set aside with the reason, and those beside and behind it are taken', async (t) => {
  const { taker, taken, aside } = createTaker((n) => {
    if (n === 2 || n === 4) throw new TypeError(`no rule knows ${n}`)
  })
  await taker.take(message(line(1), line(2), line(3), line(4)), { offset: 0, appended_us: 7 }, 0)
  await taker.take(message(line(5)), { offset: 1, appended_us: 8 }, 0)
  t.deepEqual(taken, [1, 3, 5])
  t.deepEqual(
    aside.map(([queue, , reason]) => [queue, reason]),
    [
      ['s.a', 'no rule knows 2'],
      ['s.a', 'no rule knows 4'],
    ],
  )
})

test("lines among turns that are none of Weir's are set aside once, and keep no event from its turn", async (t) => {
  const { taker, taken, aside, counted } = createTaker(() => {})
  const foreign = ['x\n', '{"_pk":1}\n', `{"_pk":7,"_seq":1${head}{n}}\n`, '{"_tell":{"kind":"forget","places":7}}\n']
  const [one, two, three, four] = foreign as [string, string, string, string]
  const mixed = message(one, line(1), two, line(2), three, line(3), four)
  await taker.take(mixed, { offset: 0, appended_us: 7 }, 0)
  t.deepEqual(taken, [1, 2, 3])
  t.deepEqual(
    aside.map(([queue, text]) => `${queue} ${text}\n`),
    foreign.map((text) => `s.a ${text}`),
  )
  t.is(counted.length, foreign.length)
  await taker.take(mixed, { offset: 0, appended_us: 7 }, 0)
  t.is(aside.length, foreign.length, 'a task that begins anew sets none aside twice')
})

test('a turn that ClickHouse does not answer waits in its place, says so, and goes on', async (t) => {
  let failures = 2
  const { taker, taken, aside, troubles } = createTaker((n) => {
    if (n === 2 && failures-- > 0) throw new Unanswered(new Error('connect ECONNREFUSED'))
  })
  await taker.take(message(line(1), line(2), line(3)), { offset: 0, appended_us: 7 }, 0)
  t.deepEqual(taken, [1, 2, 3])
  t.deepEqual(aside, [])
  t.deepEqual(troubles, ['connect ECONNREFUSED', 'connect ECONNREFUSED', undefined])
})

test('a task that is over waits for nothing, and sets nothing aside', async (t) => {
  const { taker, aside } = createTaker(
    () => {
      throw new Error('the commit failed')
    },
    () => true,
  )
  const taking = taker.take(
    message(tellLine({ kind: 'keep', spaces: [] }).replace('keep', 'x'), line(1)),
    { offset: 0, appended_us: 7 },
    1,
  )
  await t.throwsAsync(taking, { message: 'the commit failed' })
  t.deepEqual(aside, [])
})

test('an erasure of more events than a line tells goes over what is remembered once, also where a task begins anew amid its lines', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const space = 's.a/run:1'
  let passes = 0
  /** A task of a process over what the one before has committed. */
  function start() {
    const { log, turns, rules, clock } = createLmdbLog({ path, maxBytes: 2 ** 30 })
    const memory = createRuleMemory({ store: rules, metrics: createMetrics(), last: clock.last })
    const keep = (turn: Omit<TurnCommit, 'lines'>) =>
      turns.commit(turnOf('s.a', Buffer.from('1\n'), 1, { ...turn, lines: [] }))
    const taker = createTurnTaker({
      task: {
        ...{ schema: 's', partition: 0, partitions: 1, clock, caughtUpHere: async () => {}, isOver: () => false },
        log: { commit: keep },
      },
      memory: {
        ...memory,
        forget(...asked: Parameters<typeof memory.forget>) {
          passes++
          return memory.forget(...asked)
        },
      },
      onMessage() {},
    } as unknown as TurnTakerDeps)
    return { log, memory, keep, taker }
  }
  const told = [[1, 2], [3, 4], [5]].map((places, at) =>
    tellLine({ kind: 'forget', stream: 'a', places, ...(at < 2 && { goesOn: true }) }),
  )
  const first = start()
  first.memory.begin()
  for (let seq = 1; seq <= 7; seq++) first.memory.state.list(space, 'k').add({ seq, pk: seq, value: seq })
  await first.keep(first.memory.changes())
  await first.taker.take(message(told[0] ?? '', told[1] ?? ''), { offset: 0, appended_us: 7 }, 0)
  t.is(passes, 0)
  await first.log.close()

  const second = start()
  await second.taker.take(message(told[2] ?? ''), { offset: 1, appended_us: 8 }, 0)
  t.is(passes, 1)
  t.deepEqual(
    second.memory.state.list(space, 'k').items.map(({ seq }) => seq),
    [6, 7],
  )
  t.deepEqual(second.memory.spaces('s'), [space])
  await second.log.close()
})
