import { setImmediate } from 'node:timers/promises'
import { compileEncoder } from '../../../activities/events/encode-event.ts'
import { createPivots } from '../../../activities/events/pivots.ts'
import { createOwnRules } from '../../../activities/rules/own-rules.ts'
import { createRecordMemory } from '../../../activities/rules/references/record-memory.ts'
import { compileStreamPath } from '../../../activities/rules/sequencer/stream-path.ts'
import { type Event, parseJson } from '../../../base/json.ts'
import { createArrivals } from '../../../infra/log/arrivals.ts'
import { createLmdbLog } from '../../../infra/log/embedded/log.ts'
import type { TurnLog } from '../../../infra/log/port.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { createMetrics } from '../../../infra/metrics.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { queueName } from '../../../sql/schema/names.ts'

export const era_us = 1_790_000_000_000_000
const second = 1_000_000

/** A row that a rule made: when it was committed, in seconds of the time that passes, and its members. */
export type Told = { readonly at: number; readonly row: Event }

/**
 * The rules of a process over a log of its own in `path`, whose clocks are turned: the time that passes goes on by `pass`, in which
 * the process looks for silence as often as it asks to, and the wall clock may go another way.
 */
export function openTurned(path: string, schemaText: { readonly schema: string; readonly streams: readonly object[] }) {
  const schema = decodeSchema(schemaText)
  let [wall_us, passed_us] = [era_us, 0]
  let look: { readonly work: () => void; readonly every_us: number; next_us: number } | undefined
  const { log, turns, rules: store, clock } = createLmdbLog({ path, maxBytes: 2 ** 30, now_us: () => wall_us })
  const metrics = createMetrics()
  const told: (Told & { readonly stream: string })[] = []
  const commits: number[] = []
  let [asked, done] = [0, 0]
  const noting: TurnLog = {
    ...turns,
    async commit(turn) {
      asked++
      await turns.commit(turn).finally(() => done++)
      commits.push(turn.changes.length)
      for (const { queue, lines } of turn.lines) {
        const stream = queue.slice(schema.name.length + 1)
        for (const line of lines.toString().trim().split('\n'))
          told.push({ stream, at: passed_us / second, row: parseJson(line, 'a line') as Event })
      }
    },
  }
  const never = () => Promise.reject(new Error('nothing outside is asked'))
  const rules = createOwnRules({
    ...{ log: noting, clock, store, metrics, logger: silentLogger(), arrivals: createArrivals(clock) },
    clickhouse: { rows: never, run: never, insert: never },
    feeder: { caughtUp: async () => {} },
    owners: { isKnown: () => true, own: async () => {}, forget() {} },
    tableOf: () => undefined,
    records: createRecordMemory({ isShared: false }),
    time: {
      wall_us: () => wall_us,
      passed_us: () => passed_us,
      repeat(work, every_ms) {
        look = { work, every_us: every_ms * 1000, next_us: passed_us + every_ms * 1000 }
        return () => {
          look = undefined
        }
      },
    },
  })
  const sequencer = rules.sequencerOf(
    schema,
    (stream) => {
      const queue = queueName(schema.name, stream.name)
      const encode = compileEncoder(
        schema,
        stream,
        createPivots(schema, stream, new Map(), () => 0),
      )
      return compileStreamPath({ stream, queue, isOn: () => true, encode, predict: never, remembered: () => undefined })
    },
    'v1',
    { isShut: () => false, pass: (work) => work() },
  )
  rules.start({ id: 'p', living: async () => new Set(), livingWithLogs: async () => new Set() })

  /** All turns that are due are committed. */
  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < 4; ) {
      const before = asked
      await setImmediate()
      quiet = asked === before && asked === done ? quiet + 1 : 0
    }
  }

  return {
    told: (stream: string): readonly Told[] => told.filter((each) => each.stream === stream),
    commits,
    now: () => passed_us / second,
    waiting: async (stream: string) => (await rules.usage(schema.name)).get(stream)?.waiting ?? 0,
    settle,
    /** Events take their turn together; `_pk` of seconds since the start. */
    async send(stream: string, ...events: readonly Event[]): Promise<void> {
      await sequencer?.of(stream)?.take({
        events: events.map(({ _pk, ...rest }) => ({
          ...rest,
          ...(_pk !== undefined && { _pk: era_us + Number(_pk) * second }),
        })),
        bytes: 100 * events.length,
        stamp: (event) => {
          const seq = clock.next()
          return { seq, pk: String(event._pk ?? seq) }
        },
      })
    },
    /** Lets time pass, with the looks that fall into it; the wall clock goes so many times as fast. */
    async pass(seconds: number, wallRate = 1): Promise<void> {
      const end_us = passed_us + Math.round(seconds * second)
      const go = (to_us: number): void => {
        wall_us += Math.round(wallRate * (to_us - passed_us))
        passed_us = to_us
      }
      while (look && look.next_us <= end_us) {
        go(look.next_us)
        look.next_us += look.every_us
        look.work()
        await settle()
      }
      go(end_us)
    },
    /** Somebody sets the wall clock. */
    setWall(bySeconds: number): void {
      wall_us += bySeconds * second
    },
    /** The process stands still: no look falls into it. */
    sleep(seconds: number): void {
      wall_us += seconds * second
      passed_us += seconds * second
      if (look) look.next_us = passed_us
    },
    async close(): Promise<void> {
      rules.stop()
      await settle()
      await log.close()
    },
  }
}
