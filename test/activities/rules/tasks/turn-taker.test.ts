import test from 'ava'
import { pino } from 'pino'
import type { StreamSequencer } from '../../../../activities/rules/sequencer/sequencer.ts'
import { eventLine, headText } from '../../../../activities/rules/tasks/turn-lines.ts'
import { createTurnTaker, type TurnTakerDeps } from '../../../../activities/rules/tasks/turn-taker.ts'
import { Refusal } from '../../../../base/refusal.ts'

test('an acknowledged event that its turn refuses is counted, and stands in the log; the others are taken', async (t) => {
  const logged: string[] = []
  const counted: unknown[] = []
  const taken: unknown[] = []
  const came: number[] = []
  const take: StreamSequencer['take'] = async ({ events, stamp }) =>
    events.map((event) => {
      if (event.n === 2) return { error: new Refusal('rules would make 10001 rows of it') }
      taken.push(event.n)
      return { stamped: stamp(event) }
    })
  const sequencer: StreamSequencer = { take, isOneByOne: false, groupOf: () => 10 }
  const version = {
    of: 'v1',
    off: new Set<string>(),
    queues: ['s.a'],
    routings: {},
    seeding: unused,
    sequencer: { of: () => sequencer },
  }
  const taker = createTurnTaker({
    task: { schema: 's', partitions: 1, clock: { next: () => 1 }, caughtUpHere: async () => {}, reached: forever },
    memory: unused,
    onMessage: (us: number) => came.push(us),
    versionNow: () => ({ of: 'v1', open: () => version }),
    arrivals: { begin: () => ({ end() {} }) },
    metrics: { eventsRefused: { inc: (labels: unknown) => counted.push(labels) } },
    logger: pino({}, { write: (line: string) => logged.push(line) }),
  } as unknown as TurnTakerDeps)
  const head = headText({ stream: 'a', of: 'v1', off: '' })
  const lines = [1, 2, 3].map((n) => eventLine(head, { n }, `${1_800_000_000_000_000 + n}`, n))

  await taker.take(Buffer.from(lines.join('')), { offset: 0, appended_us: 7 }, 0)

  t.deepEqual(taken, [1, 3])
  t.deepEqual(came, [7])
  t.deepEqual(counted, [{ stream: 's.a' }])
  t.is(logged.length, 1)
  t.like(JSON.parse(logged[0] ?? ''), {
    schema: 's',
    stream: 'a',
    event: '{"n":2,"_pk":1800000000000002}',
    err: { message: 'rules would make 10001 rows of it' },
  })
})

const unused = undefined as never
const forever = (): Promise<void> => new Promise(() => {})
