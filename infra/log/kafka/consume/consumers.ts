import { availableParallelism } from 'node:os'
import { createKeyedMutex } from '../../../../base/mutex.ts'
import { move, type States } from '../../../../base/states.ts'
import { queueStreams } from '../../../../sql/schema/ddl/matches.ts'
import { createTopicFeed, createTopicTable, dropTopic } from '../../../../sql/schema/ddl/topic.ts'
import { queueName } from '../../../../sql/schema/names.ts'
import type { Schema, Stream } from '../../../../sql/schema/schema.ts'
import type { Catalogue } from '../../../catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../../clickhouse/clickhouse.ts'
import type { Clock } from '../../../clock.ts'
import type { Logger } from '../../../logger.ts'
import type { Lease, Leases } from '../../../processes/leases.ts'
import type { Versions } from '../../../processes/versions.ts'
import type { KafkaTopics } from '../topics.ts'
import { createConsumerPositions } from './consumer-positions.ts'
import { type ConsumerStatus, consumerStatuses } from './consumer-status.ts'

export type KafkaConsumersDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Pick<
    Catalogue,
    'putConsumer' | 'forgetConsumer' | 'positionBase' | 'putPositionBase' | 'schemasSince' | 'erased'
  >
  readonly versions: Pick<Versions, 'seen'>
  readonly topics: KafkaTopics
  readonly clock: Clock
  readonly logger: Logger
  /** How ClickHouse reaches the brokers: the list, and settings of its Kafka tables for TLS and SASL. */
  readonly broker: { readonly brokers: string; readonly settings: Readonly<Record<string, string>> }
  /** Undefined where ClickHouse runs in this process and ends with it: no table of an earlier process still consumes. */
  readonly leases: Leases | undefined
}

/** How long a new consumer is waited for; it joins by itself when that takes longer. */
const assignment_ms = 10_000
const assignmentPoll_ms = 40
/** The members of a group that was left have not gone before its broker misses them. */
const removeAgain_ms = 60_000
/**
 * An empty read costs 3 to 5 ms of a processor, since ClickHouse makes the plan of all views of the stream for it. The more
 * consumers share the processors of this process, the longer each pauses behind one.
 */
const [pauseOfEach_ms, unpaused_ms, shortestPause_ms, longestPause_ms] = [10, 100, 20, 500]
const streamsAtOnce = 4
const schemasAtOnce = 8

type Statuses = ReadonlyMap<string, ConsumerStatus>

/**
 * The states of a queue's consumer as this process has it; ClickHouse says beside that whether it takes something.
 *
 * | State | What holds | What leads on | What a crash leaves |
 * |---|---|---|---|
 * | foreign | The consumer is another process's, an earlier one's, or there is none. | The process makes one of its own, or drops it. | What is there goes on, where ClickHouse runs apart. |
 * | making | A new group has the offsets from which it goes on, the catalogue knows it, its table may be there. | The table and its feed make it attached; a fault leaves it, and the next attempt makes it anew under another group. | A group without a table, or both: the next start makes another group, from what is stored. |
 * | attached | The table consumes. | Made anew where ClickHouse has lost it; dropped at rest, for an edit, or with its stream. | The table, in a ClickHouse that runs apart. |
 * | detached | The table is dropped, and the last block that it had begun is in all tables. | The process makes one again. | The group's offsets. |
 */
const consumerStates: States<'foreign' | 'making' | 'attached' | 'detached'> = {
  foreign: ['making', 'detached'],
  making: ['making', 'attached', 'detached'],
  attached: ['making', 'detached'],
  detached: ['making', 'detached'],
}
type OwnConsumer = { state: keyof typeof consumerStates; since_ms: number }

/**
 * The Kafka tables by which ClickHouse takes the events of topics.
 *
 * A consumer that comes back under its group's name gets its first rows after 43 s (ClickHouse 26.7, Kafka 4.1), so
 * each has a group of its own (docs/adr/0006-a-new-consumer-group-at-each-start.md). Several processes may look after
 * the tables of one server: a table is made or dropped under a lease, by ClickHouse's state at that moment.
 */
export function createKafkaConsumers(deps: KafkaConsumersDeps) {
  const { clickhouse, catalogue, versions, topics, clock, logger, broker, leases } = deps
  const lease = createConsumerLease(leases, logger)
  const positions = createConsumerPositions({ clickhouse, catalogue, topics })
  const known = new Map<string, ConsumerStatus>()
  /** When each was known so. */
  const known_ms = new Map<string, number>()
  /** The consumers that this process has to do with, by queue. */
  const own = new Map<string, OwnConsumer>()
  let looking: Promise<Statuses> | undefined
  /** Groups that were left; Kafka lets them go once their last member has. */
  const left = new Set<string>()
  let isClosed = false

  function enter(queue: string, state: OwnConsumer['state']): void {
    const consumer = own.get(queue) ?? { state: 'foreign', since_ms: 0 }
    move(consumerStates, consumer, state, `the consumer of ${queue}`)
    consumer.since_ms = performance.now()
    own.set(queue, consumer)
  }

  const isAttached = (queue: string): boolean => own.get(queue)?.state === 'attached'

  /** The queues whose consumers this process has made, and when. */
  const made = (): Map<string, number> =>
    new Map([...own].flatMap(([queue, { state, since_ms }]) => (state === 'attached' ? [[queue, since_ms]] : [])))

  function know(queue: string, status: ConsumerStatus): void {
    known.set(queue, status)
    known_ms.set(queue, performance.now())
  }

  function pause(): number {
    if (leases) return shortestPause_ms
    const fair_ms = Math.round((made().size * pauseOfEach_ms) / availableParallelism() - unpaused_ms)
    return Math.max(shortestPause_ms, Math.min(longestPause_ms, fair_ms))
  }

  const run = (statements: readonly string[]): Promise<void> => runAll(clickhouse, statements)

  async function look(schema?: string): Promise<Statuses> {
    const statuses = await consumerStatuses(clickhouse, schema)
    if (schema === undefined) known.clear()
    for (const [queue, status] of statuses) know(queue, status)
    return statuses
  }

  /** Asks ClickHouse for the status of all consumers; callers that come meanwhile share the answer. */
  function refresh(): Promise<Statuses> {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  const missing = (schema: Schema, statuses: Statuses): Stream[] =>
    queueStreams(schema).filter(
      ({ name }) => (statuses.get(queueName(schema.name, name))?.activity ?? 'gone') === 'gone',
    )

  async function make(schema: Schema, stream: Stream, before: string | undefined, check: () => void): Promise<void> {
    const queue = queueName(schema.name, stream.name)
    await topics.ensure(queue)
    check()
    enter(queue, 'making')
    await run(dropTopic(schema.name, stream.name))
    const group = `${topics.nameOf(queue)}.${clock.next()}`
    const base = await catalogue.positionBase(queue)
    const begins = await positions(schema.name, stream.name, before, base)
    await topics.setCommitted(group, queue, begins)
    check()
    await catalogue.putConsumer(queue, group)
    know(queue, { group, activity: 'joining', trouble: undefined })
    if (before !== undefined) left.add(before)
    check()
    await run([
      createTopicTable(schema, stream, { topic: topics.nameOf(queue), group, pause_ms: pause() }, broker),
      createTopicFeed(schema, stream, base, begins),
    ])
    enter(queue, 'attached')
  }

  /** Waits a while until the consumers of a schema have partitions. */
  async function joined(schema: Schema): Promise<void> {
    let queues = queueStreams(schema).map(({ name }) => queueName(schema.name, name))
    for (const end = performance.now() + assignment_ms; performance.now() < end; ) {
      const statuses = await look(schema.name)
      queues = queues.filter((queue) => statuses.get(queue)?.activity !== 'polling')
      if (queues.length === 0) return
      await new Promise((resolve) => setTimeout(resolve, assignmentPoll_ms))
    }
    logger.warn({ queues }, 'Kafka has given the consumers no partitions yet')
  }

  /** Makes the consumers that a schema lacks; on a ClickHouse in this process all of them, which are of an earlier one. */
  async function mend(
    schema: Schema,
    check: () => void,
    statusesNow?: Statuses,
    isWanted: (queue: string) => boolean = () => true,
  ): Promise<void> {
    const statuses = statusesNow ?? (await look(schema.name))
    const lacking = leases ? missing(schema, statuses) : queueStreams(schema)
    const waiting = lacking.filter(({ name }) => isWanted(queueName(schema.name, name)))
    const failures: unknown[] = []
    const makeNext = async (): Promise<void> => {
      for (let stream = waiting.shift(); stream; stream = waiting.shift()) {
        const before = statuses.get(queueName(schema.name, stream.name))?.group
        await make(schema, stream, before, check).catch((error: unknown) => failures.push(error))
      }
    }
    await Promise.all(Array.from({ length: streamsAtOnce }, makeNext))
    removeLeft()
    // Thrown only after all were tried, since the throw gives the lease back: a consumer whose topic is away keeps no
    // other from being made.
    if (failures.length > 0) throw failures[0]
  }

  /** Schemas whose consumers are being made anew: one that takes long, or fails, keeps no other waiting. */
  const mending = new Map<string, Promise<void>>()
  /** When a schema's consumers were last begun to be made anew: schemas that fail come behind the others. */
  const mended_ms = new Map<string, number>()

  async function mendOne(name: string, schemaOf: (name: string) => Schema | undefined): Promise<void> {
    const mendIt = async (check: () => void): Promise<void> => {
      const present = schemaOf(name)
      if (present && !(await isOutdated(name))) await mend(present, check)
    }
    await lease
      .tryUse(name, mendIt)
      .catch((error: unknown) => logger.warn({ err: error, schema: name }, 'consumers not mended, retrying'))
  }

  let isRemoving = false

  function removeLeft(): void {
    if (isRemoving) return
    isRemoving = true
    void removeAll().finally(() => {
      isRemoving = false
      if (left.size > 0 && !isClosed) setTimeout(removeLeft, removeAgain_ms).unref()
    })
  }

  async function removeAll(): Promise<void> {
    for (const group of left) {
      if (isClosed) return
      const isGone = await topics.removeGroup(group).then(
        () => true,
        () => false,
      )
      if (isGone) left.delete(group)
    }
  }

  /** Another process has changed the schema, and this one has not followed it yet. */
  async function isOutdated(schema: string): Promise<boolean> {
    return leases !== undefined && (await catalogue.schemasSince(versions.seen())).some(({ name }) => name === schema)
  }

  return {
    refresh,
    /** The group of a queue's consumer, as of the last look. */
    groupOf: (queue: string): string | undefined => known.get(queue)?.group,
    /** Whether a queue's consumer has no partitions, as of the last look or of the time at which it last took something. */
    isJoining: (queue: string, moved_ms: number): boolean =>
      (leases === undefined && !isAttached(queue)) ||
      (known.get(queue)?.activity !== 'polling' && moved_ms <= (known_ms.get(queue) ?? moved_ms)),
    /** The latest error of a queue's consumer, as of the last look. */
    troubleOf: (queue: string): string | undefined => known.get(queue)?.trouble,

    /** Makes ClickHouse take the events of a schema's topics; a consumer that does so already is left alone. */
    async attach(schema: Schema): Promise<void> {
      if (leases && missing(schema, await look(schema.name)).length === 0) return
      await lease.use(schema.name, (check) => mend(schema, check))
      await joined(schema)
    },

    /**
     * The same for a schema of an earlier process: `schemaOf` is asked once nothing else is at work on its consumers. They
     * join their groups by themselves. Consumers of this process are left alone, and those that are not wanted yet.
     */
    async resume(
      name: string,
      schemaOf: () => Schema | undefined,
      isWanted: (queue: string) => boolean,
    ): Promise<void> {
      const asked = schemaOf()
      if (!asked) return
      if (leases || known.size === 0) {
        const statuses = await refresh()
        if (leases && missing(asked, statuses).length === 0) return
      }
      await lease.use(name, async (check) => {
        const present = schemaOf()
        // In this process nothing but this service makes consumers: one look shows the groups of all schemas.
        const once = leases || known.size === 0 ? undefined : known
        const isLacking = (queue: string): boolean => isWanted(queue) && (leases !== undefined || !isAttached(queue))
        if (present && !(await isOutdated(name))) await mend(present, check, once, isLacking)
      })
    },

    /**
     * Begins to make anew the consumers that are gone. `schemaOf` is asked again once no other process is at work on them.
     */
    async mendGone(schemas: readonly Schema[], schemaOf: (name: string) => Schema | undefined): Promise<void> {
      const statuses = await refresh()
      const lacking = schemas.filter((each) => missing(each, statuses).length > 0).map(({ name }) => name)
      for (const name of mended_ms.keys()) if (!lacking.includes(name)) mended_ms.delete(name)
      for (const name of lacking.toSorted((a, b) => (mended_ms.get(a) ?? 0) - (mended_ms.get(b) ?? 0))) {
        if (mending.size >= schemasAtOnce) return
        if (mending.has(name)) continue
        mended_ms.set(name, performance.now())
        mending.set(
          name,
          mendOne(name, schemaOf).finally(() => mending.delete(name)),
        )
      }
    },

    /** Resolves once no consumer is being made anew. */
    async idle(): Promise<void> {
      await Promise.all(mending.values())
    },

    made: (): ReadonlyMap<string, number> => made(),

    /** Drops the consumer of one queue: where its group is stays known. */
    rest: (queue: string): Promise<void> => {
      const [schema = '', stream = ''] = queue.split('.')
      return lease.use(schema, async (check) => {
        if (!isAttached(queue)) return
        check()
        enter(queue, 'detached')
        await run(dropTopic(schema, stream))
      })
    },

    /** Ends that: a block that a consumer is at is brought to its end. */
    detach: (schema: Schema): Promise<void> =>
      lease.use(schema.name, async (check) => {
        check()
        for (const stream of queueStreams(schema)) {
          await run(dropTopic(schema.name, stream.name))
          enter(queueName(schema.name, stream.name), 'detached')
        }
      }),

    /** Deletes a stream's topic, with the events that were not consumed. */
    async forget(queue: string): Promise<void> {
      const [schema = '', stream = ''] = queue.split('.')
      await lease.use(schema, async () => {
        const group = (await look(schema)).get(queue)?.group
        await run(dropTopic(schema, stream))
        // The tables of usage and of graphs stay, and pass over positions that they have seen.
        await catalogue.putPositionBase(queue, clock.next())
        await topics.remove(queue)
        known.delete(queue)
        known_ms.delete(queue)
        own.delete(queue)
        await catalogue.forgetConsumer(queue)
        if (group !== undefined) left.add(group)
      })
      removeLeft()
    },

    close(): void {
      isClosed = true
    },
  }
}

export type KafkaConsumers = ReturnType<typeof createKafkaConsumers>

/** Work on the consumers of a schema; `check` throws once another process may be at work on them. */
export type ConsumerWork<Result> = (check: () => void) => Promise<Result>

/**
 * Lets one process at a time make or drop the consumers of a schema. `leases` is undefined where no other process is on
 * this ClickHouse.
 */
function createConsumerLease(leases: Leases | undefined, logger: Logger) {
  const locally = createKeyedMutex()
  const subjectOf = (schema: string): string => `the consumers of ${schema}`

  async function under<Result>(lease: Lease, work: ConsumerWork<Result>): Promise<Result> {
    try {
      return await work(lease.check)
    } finally {
      await lease
        .end()
        .catch((error: unknown) => logger.warn({ err: error }, 'lease of consumers not released, it will expire'))
    }
  }

  return {
    /** Waits for the lease; a fault `unavailable` where another process keeps it. */
    use: <Result>(schema: string, work: ConsumerWork<Result>): Promise<Result> =>
      locally(schema, async () => (leases ? under(await leases.take(subjectOf(schema)), work) : work(() => {}))),

    /** Leaves the work to the other process where one has the lease. */
    tryUse: (schema: string, work: ConsumerWork<void>): Promise<void> =>
      locally(schema, async () => {
        const lease = await leases?.tryTake(subjectOf(schema))
        if (lease) await under(lease, work)
      }),
  }
}

export type ConsumerLease = ReturnType<typeof createConsumerLease>
