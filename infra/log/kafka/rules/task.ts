import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { moveUnlessOver, type States } from '../../../../base/states.ts'
import { memoryQueue, turnsQueue } from '../../../../sql/schema/names.ts'
import type { Schema } from '../../../../sql/schema/schema.ts'
import type { Clock } from '../../../clock.ts'
import { createLogOncePerOutage, type Logger } from '../../../logger.ts'
import type { TurnPlace } from '../../port.ts'
import type { StartTasks, TurnTaker } from '../../rule-tasks.ts'
import type { KafkaClient } from '../client.ts'
import type { KafkaPartition } from '../partition.ts'
import { partitionOf } from '../produce/queue.ts'
import type { KafkaTopics, Offsets } from '../topics.ts'
import type { Transactions } from '../transactions.ts'
import { createTurnLog } from '../turn-log.ts'
import { restoreMemory } from './task-memory.ts'
import type { TaskNotes } from './task-notes.ts'
import { createTaskTopics } from './task-topics.ts'

export type TaskDeps = {
  readonly client: Pick<KafkaClient, 'partition' | 'transactions'>
  readonly topics: KafkaTopics
  readonly notes: TaskNotes
  readonly clock: Clock
  readonly logger: Logger
  /** A folder of the task's own, which nothing outlives. */
  readonly path: string
  readonly maxBytes: () => number
  /** The part of what rules may take up of the process that is this task's. */
  readonly share: () => number
  readonly groupOf: (queue: string) => string
  /** Resolves when ClickHouse has taken these offsets of a queue. */
  readonly consumed: (queue: string, offsets: Offsets, timeout_ms: number) => Promise<void>
  readonly open: StartTasks['open']
  /** The schema as this process knows it. */
  readonly schemaOf: (name: string) => Schema | undefined
}

/** Between two attempts: a process that fenced this one is not fenced in turn before both know who lives. */
const pause_ms = 1_000
/** How long a fetch waits for something to come. */
const wait_ms = 400
/** Bytes of lines that wait for their commit while more are taken. */
const maxUncommitted = 4 * 1024 * 1024
/** A question of a turn waits this long for the events before it. */
const patience_ms = 30_000

/** Retention may have deleted events that wait, as it does where ClickHouse is away for longer. */
export const placeFrom = (known: TurnPlace | undefined, first = 0): TurnPlace =>
  known && known.offset >= first ? known : { offset: first, lines: 0 }

/**
 * The states of the task of one partition of a schema's events with rules.
 *
 * | State | What holds | What leads on | What a crash leaves |
 * |---|---|---|---|
 * | fencing | The task opens the transactions of the partition, after which the process that had it commits nothing. | The id is open: reading. | A transaction that was begun, which the next one who opens the id aborts. |
 * | reading | The memory is made anew from what was committed of it, with the place where the partition goes on. | All is read: taking. | A folder that the next process removes. |
 * | taking | Lines have their turns from that place on, and go to Kafka batch by batch. | A failure: pausing. | What was committed, as a whole; the rest is taken again. |
 * | pausing | Something failed, and Kafka may not have what the memory here has, which is thrown away. | A second: fencing. | What was committed. |
 * | ended | The partition is another process's, or the schema is gone. | - | What was committed. |
 */
const taskStates: States<'fencing' | 'reading' | 'taking' | 'pausing' | 'ended'> = {
  fencing: ['reading', 'pausing', 'ended'],
  reading: ['taking', 'pausing', 'ended'],
  taking: ['pausing', 'ended'],
  pausing: ['fencing', 'ended'],
  ended: [],
}

/** Runs the task of one partition until it is ended; after any failure it begins anew. */
export function runTask(deps: TaskDeps, schema: string, partition: number, partitions: number) {
  const { client, topics, notes, clock, logger, path, groupOf, consumed, open, schemaOf } = deps
  const turns = turnsQueue(schema)
  const mine: { state: keyof typeof taskStates } = { state: 'pausing' }
  const enter = (state: typeof mine.state): void =>
    moveUnlessOver(taskStates, mine, state, `the task of partition ${partition} of ${turns}`)
  const isEnded = (): boolean => mine.state === 'ended'
  let wake = (): void => {}
  let current: { readonly taker: TurnTaker; readonly bytes: () => number } | undefined
  let trouble: string | undefined
  const ended = new Promise<void>((resolve) => {
    wake = resolve
  })

  const own = createTaskTopics({ topics, logger, groupOf, schemaOf, schema, partition })

  async function once(): Promise<void> {
    const closing: (() => unknown)[] = []
    enter('fencing')
    try {
      const transactions: Transactions = await client.transactions(`${topics.nameOf(turns)}.${partition}`)
      closing.push(transactions.close)
      enter('reading')
      await topics.ensureAgain(memoryQueue(schema), { partitions, isKept: true })
      const memory = client.partition(topics.nameOf(memoryQueue(schema)), partition)
      closing.push(memory.close)
      const first = (await topics.ends(memoryQueue(schema))).find((each) => each.partition === partition)?.first ?? 0
      const restored = await restoreMemory(path, memory, first)
      closing.push(() => restored.root.close())
      memory.close()
      if (!restored.isWhole) {
        const topic = topics.nameOf(memoryQueue(schema))
        logger.error(
          { schema, partition, topic },
          'records of what rules remember were deleted: rules go on with the rest',
        )
      }
      clock.pass(restored.lastSeq)
      const ofTurns = (await topics.ends(turns)).find((each) => each.partition === partition)
      const known = restored.place ?? (await own.placeWithoutMemory(ofTurns?.end ?? 0))
      const place = placeFrom(known, ofTurns?.first)
      if (known && place.offset > known.offset) {
        const [from, to] = [known.offset, place.offset]
        logger.error(
          { schema, partition, from, to },
          'events were deleted before rules had taken them: they go on behind',
        )
      }
      const log = createTurnLog({
        root: restored.root,
        data: restored.data,
        path,
        roomOf: own.roomOf,
        transactions,
        notes,
        maxBytes: deps.maxBytes,
        journalShare: deps.share,
        target: own.target,
        memory: { topic: topics.nameOf(memoryQueue(schema)), partition },
        turns: { group: groupOf(turns), topic: topics.nameOf(turns), partition },
        place,
        made: await own.lastMade(),
        usage: () => taker.usage(),
        changelog: {
          length: restored.length,
          end: restored.end,
          truncate: own.shorten,
        },
      })
      closing.push(log.close)
      for (const [queue, [at, offset]] of log.made()) notes.noteMade(queue, at, offset)
      const taker = open({
        schema,
        partition,
        partitions,
        isOwn: (key) => partitionOf(key, partitions) === partition,
        store: log.store,
        share: deps.share,
        log: log.log,
        clock,
        pass: log.pass,
        reached: log.reached,
        caughtUpHere: log.idle,
        isOver: () => isEnded() || log.hasFailed(),
        troubled(reason) {
          trouble = reason
        },
        async caughtUp() {
          await Promise.all(
            [...log.made()].map(([queue, [at, offset]]) => consumed(queue, new Map([[at, offset]]), patience_ms)),
          )
        },
      })
      current = { taker, bytes: log.store.bytes }
      const reading = client.partition(topics.nameOf(turns), partition)
      closing.push(reading.close)
      enter('taking')
      await Promise.race([take(reading, log, taker, place), log.failed, ended])
    } finally {
      enter('pausing')
      current = undefined
      for (const close of closing.reverse()) await Promise.resolve(close()).catch(() => {})
      rmSync(path, { recursive: true, force: true })
    }
  }

  async function take(
    reading: Pick<KafkaPartition, 'fetch'>,
    log: ReturnType<typeof createTurnLog>,
    taker: TurnTaker,
    place: TurnPlace,
  ): Promise<void> {
    let { offset: at, lines } = place
    let asked_ms = performance.now()
    let fetching = reading.fetch(at, wait_ms)
    fetching.catch(() => {})
    while (!isEnded()) {
      const { records, next } = await fetching
      const quiet_ms = next === at ? asked_ms : undefined
      trouble = undefined
      if (next === at) {
        await log.idle()
        taker.rest()
      }
      // Kafka sends the next messages while this task takes these.
      asked_ms = performance.now()
      fetching = reading.fetch(next, wait_ms)
      fetching.catch(() => {})
      for (const { offset, value, appended_ms } of records) {
        if (isEnded()) return
        await log.roomFor(maxUncommitted)
        if (value)
          await taker.take(value, { offset, appended_us: 1000 * appended_ms }, offset === place.offset ? lines : 0)
        log.pass({ offset: offset + 1, lines: 0 })
      }
      lines = 0
      at = next
      await endWaits(log, taker, quiet_ms)
    }
  }

  /** Turns of no event, for a while where nothing comes: then it is looked again whether something does. */
  async function endWaits(
    log: ReturnType<typeof createTurnLog>,
    taker: TurnTaker,
    quiet_ms: number | undefined,
  ): Promise<void> {
    const until_ms = performance.now() + (quiet_ms === undefined ? 0 : wait_ms)
    for (let more = true; more && !isEnded(); more = more && performance.now() < until_ms) {
      await log.roomFor(maxUncommitted)
      more = await taker.endWaits(log.taken(), quiet_ms)
    }
  }

  const logged = createLogOncePerOutage({
    logger: logger.child({ schema, partition }),
    begins: 'events of rules are not taken, retrying',
    ended: 'events of rules are taken again',
  })

  async function run(): Promise<void> {
    while (!isEnded()) {
      await logged(async () => {
        try {
          await once()
        } catch (error) {
          trouble = error instanceof Error ? error.message : String(error)
          if (!isEnded()) throw error
        }
      })
      if (!isEnded()) await Promise.race([sleep(pause_ms, undefined, { ref: false }), ended])
    }
  }

  const running = run()
  return {
    trouble: (): string | undefined => trouble,
    bytes: (): number => current?.bytes() ?? 0,
    async end(): Promise<void> {
      enter('ended')
      wake()
      await running
    },
  }
}

export type Task = ReturnType<typeof runTask>
