import { fault } from '../../../../base/faults.ts'
import { inTime } from '../../../../base/in-time.ts'
import { createKeyedMutex } from '../../../../base/mutex.ts'
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
import { createConsumerLooks, type Statuses } from './consumer-status.ts'
import type { KafkaConsumers } from './consuming.ts'
import { createLeftGroups } from './left-groups.ts'
import { createOwnConsumers } from './own-consumers.ts'

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
  readonly leases: Leases
  /** Finds out where a topic ends, so that events of an earlier process count among those that wait. */
  readonly reach: (queue: string) => Promise<unknown> | undefined
}

/** How long a new consumer is waited for; it joins by itself when that takes longer. */
const assignment_ms = 10_000
const assignmentPoll_ms = 40
const streamsAtOnce = 4

/** Work on the consumers of a schema; `check` throws once another process may be at work on them. */
type ConsumerWork<Result> = (check: () => void) => Promise<Result>

/** Lets one process at a time make or drop the consumers of a schema. */
function createConsumerLease(leases: Leases, logger: Logger) {
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
      locally(schema, async () => under(await leases.take(subjectOf(schema)), work)),

    /** Leaves the work to the other process where one has the lease. */
    tryUse: (schema: string, work: ConsumerWork<void>): Promise<void> =>
      locally(schema, async () => {
        const lease = await leases.tryTake(subjectOf(schema))
        if (lease) await under(lease, work)
      }),
  }
}

/** A consumer that is dropped brings the block to its end that it is at. */
const dropped_ms = 30_000

/**
 * Drops the tables by which ClickHouse reads topics. Where a broker goes at a bad moment the client library in ClickHouse
 * waits for the answer to a commit for ever, and so does a DROP of the table: ClickHouse has to be started again.
 * Such a DROP is waited for again, and not begun again, since each has a connection of its own.
 */
export function createDrops(run: (statements: readonly string[]) => Promise<void>, patience_ms = dropped_ms) {
  const underWay = new Map<string, Promise<void>>()
  return (schema: string, stream: string): Promise<void> => {
    const queue = queueName(schema, stream)
    const dropping = underWay.get(queue) ?? run(dropTopic(schema, stream)).finally(() => underWay.delete(queue))
    underWay.set(queue, dropping)
    dropping.catch(() => {})
    const late = () =>
      fault(
        'unavailable',
        `ClickHouse does not end its consumer of ${queue}, which waits for an answer of Kafka: where that lasts, restart ClickHouse`,
      )
    return inTime(dropping, patience_ms, late)
  }
}

const schemasAtOnce = 8

/** The schemas whose consumers are being made anew: one that takes long, or fails, keeps no other waiting. */
function createMending() {
  const mending = new Map<string, Promise<void>>()
  /** When a schema's consumers were last begun to be made anew: schemas that fail come behind the others. */
  const begun_ms = new Map<string, number>()
  return {
    /** Begins to mend the schemas that lack consumers, as many as may be mended at once. */
    begin(lacking: readonly string[], mendOne: (name: string) => Promise<void>): void {
      for (const name of begun_ms.keys()) if (!lacking.includes(name)) begun_ms.delete(name)
      for (const name of lacking.toSorted((a, b) => (begun_ms.get(a) ?? 0) - (begun_ms.get(b) ?? 0))) {
        if (mending.size >= schemasAtOnce) return
        if (mending.has(name)) continue
        begun_ms.set(name, performance.now())
        mending.set(
          name,
          mendOne(name).finally(() => mending.delete(name)),
        )
      }
    },

    /** Resolves once nothing is being mended. */
    async idle(): Promise<void> {
      await Promise.all(mending.values())
    },
  }
}

/**
 * The Kafka tables by which a ClickHouse server takes the events of topics.
 *
 * A consumer that comes back under its group's name gets its first rows after 43 s (ClickHouse 26.7, Kafka 4.1), so
 * each has a group of its own (docs/adr/0006-a-new-consumer-group-at-each-start.md). Several processes may look after
 * the tables of one server: a table is made or dropped under a lease, by ClickHouse's state at that moment.
 */
export function createKafkaConsumers(deps: KafkaConsumersDeps) {
  const { clickhouse, catalogue, versions, topics, clock, logger, broker, leases, reach } = deps
  const lease = createConsumerLease(leases, logger)
  const positions = createConsumerPositions({ clickhouse, catalogue, topics })
  const looks = createConsumerLooks(clickhouse)
  const own = createOwnConsumers()
  const left = createLeftGroups(topics)
  const mending = createMending()
  const run = (statements: readonly string[]): Promise<void> => runAll(clickhouse, statements)
  const drop = createDrops(run)

  const missing = (schema: Schema, statuses: Statuses): Stream[] =>
    queueStreams(schema).filter(
      ({ name }) => (statuses.get(queueName(schema.name, name))?.activity ?? 'gone') === 'gone',
    )

  async function make(schema: Schema, stream: Stream, before: string | undefined, check: () => void): Promise<void> {
    const queue = queueName(schema.name, stream.name)
    await topics.ensure(queue)
    check()
    own.enter(queue, 'making')
    await drop(schema.name, stream.name)
    const group = `${topics.nameOf(queue)}.${clock.next()}`
    const base = await catalogue.positionBase(queue)
    const begins = await positions(schema.name, stream.name, await topics.ends(queue), before, base)
    await topics.setCommitted(group, queue, begins)
    check()
    await catalogue.putConsumer(queue, group)
    looks.know(queue, { group, activity: 'joining', trouble: undefined })
    if (before !== undefined) left.add(before)
    check()
    await run([
      createTopicTable(schema, stream, { topic: topics.nameOf(queue), group }, broker),
      createTopicFeed(schema, stream, base, begins),
    ])
    own.enter(queue, 'attached')
  }

  /** Waits a while until the consumers of a schema have partitions. */
  async function joined(schema: Schema): Promise<void> {
    let queues = queueStreams(schema).map(({ name }) => queueName(schema.name, name))
    for (const end = performance.now() + assignment_ms; performance.now() < end; ) {
      const statuses = await looks.look(schema.name)
      queues = queues.filter((queue) => statuses.get(queue)?.activity !== 'polling')
      if (queues.length === 0) return
      await new Promise((resolve) => setTimeout(resolve, assignmentPoll_ms))
    }
    logger.warn({ queues }, 'Kafka has given the consumers no partitions yet')
  }

  /** Makes the consumers that a schema lacks. */
  async function mend(schema: Schema, check: () => void): Promise<void> {
    const statuses = await looks.look(schema.name)
    const waiting = missing(schema, statuses)
    const failures: unknown[] = []
    const makeNext = async (): Promise<void> => {
      for (let stream = waiting.shift(); stream; stream = waiting.shift()) {
        const before = statuses.get(queueName(schema.name, stream.name))?.group
        await make(schema, stream, before, check).catch((error: unknown) => failures.push(error))
      }
    }
    await Promise.all(Array.from({ length: streamsAtOnce }, makeNext))
    left.remove()
    // Thrown only after all were tried, since the throw gives the lease back: a consumer whose topic is away keeps no
    // other from being made.
    if (failures.length > 0) throw failures[0]
  }

  async function mendOne(name: string, schemaOf: (name: string) => Schema | undefined): Promise<void> {
    const mendIt = async (check: () => void): Promise<void> => {
      const present = schemaOf(name)
      if (present && !(await isOutdated(name))) await mend(present, check)
    }
    await lease
      .tryUse(name, mendIt)
      .catch((error: unknown) => logger.warn({ err: error, schema: name }, 'consumers not mended, retrying'))
  }

  /** Another process has changed the schema, and this one has not followed it yet. */
  async function isOutdated(schema: string): Promise<boolean> {
    return (await catalogue.schemasSince(versions.seen())).some(({ name }) => name === schema)
  }

  return {
    refresh: looks.refresh,
    /** The group of a queue's consumer, as of the last look. */
    groupOf: (queue: string): string | undefined => looks.of(queue)?.group,
    /** Whether a queue's consumer has no partitions, as of the last look or of the time at which it last took something. */
    isJoining: (queue: string, moved_ms: number): boolean =>
      looks.of(queue)?.activity !== 'polling' && moved_ms <= (looks.at_ms(queue) ?? moved_ms),
    /** The latest error of a queue's consumer, as of the last look. */
    troubleOf: (queue: string): string | undefined => looks.of(queue)?.trouble,

    /** Makes ClickHouse take the events of a schema's topics; a consumer that does so already is left alone. */
    async attach(schema: Schema): Promise<void> {
      if (missing(schema, await looks.look(schema.name)).length === 0) return
      await lease.use(schema.name, (check) => mend(schema, check))
      await joined(schema)
    },

    /** They join their groups by themselves; those of this process are left alone. */
    async resume(name: string, schemaOf: () => Schema | undefined): Promise<void> {
      const asked = schemaOf()
      if (!asked) return
      await Promise.all(queueStreams(asked).map((stream) => reach(queueName(name, stream.name))))
      if (missing(asked, await looks.refresh()).length === 0) return
      await lease.use(name, async (check) => {
        const present = schemaOf()
        if (present && !(await isOutdated(name))) await mend(present, check)
      })
    },

    /**
     * Begins to make anew the consumers that are gone. `schemaOf` is asked again once no other process is at work on them.
     */
    async mendGone(schemas: readonly Schema[], schemaOf: (name: string) => Schema | undefined): Promise<void> {
      const statuses = await looks.refresh()
      const lacking = schemas.filter((each) => missing(each, statuses).length > 0).map(({ name }) => name)
      mending.begin(lacking, (name) => mendOne(name, schemaOf))
    },

    /** Ends that: a block that a consumer is at is brought to its end. */
    detach: (schema: Schema): Promise<void> =>
      lease.use(schema.name, async (check) => {
        check()
        for (const stream of queueStreams(schema)) {
          await drop(schema.name, stream.name)
          own.enter(queueName(schema.name, stream.name), 'detached')
        }
      }),

    /** Deletes a stream's topic, with the events that were not consumed. */
    async forget(queue: string): Promise<void> {
      const [schema = '', stream = ''] = queue.split('.')
      await lease.use(schema, async () => {
        const group = (await looks.look(schema)).get(queue)?.group
        await drop(schema, stream)
        // The tables of usage and of graphs stay, and pass over positions that they have seen.
        await catalogue.putPositionBase(queue, clock.next())
        await topics.remove(queue)
        looks.forget(queue)
        own.forget(queue)
        await catalogue.forgetConsumer(queue)
        if (group !== undefined) left.add(group)
      })
      left.remove()
    },

    async close(): Promise<void> {
      await mending.idle()
      left.close()
    },
  } satisfies KafkaConsumers
}
