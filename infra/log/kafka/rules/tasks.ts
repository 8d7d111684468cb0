import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { takesTurns } from '../../../../sql/schema/made.ts'
import { memoryQueue, turnsQueue } from '../../../../sql/schema/names.ts'
import type { Schema } from '../../../../sql/schema/schema.ts'
import type { Clock } from '../../../clock.ts'
import type { Logger } from '../../../logger.ts'
import { isRunning } from '../../../processes/is-running.ts'
import { runName } from '../../../processes/run-name.ts'
import type { RuleTasks, StartTasks } from '../../rule-tasks.ts'
import type { KafkaClient } from '../client.ts'
import type { KafkaLog } from '../log.ts'
import { partitionOf } from '../produce/queue.ts'
import type { KafkaTopics, Offsets } from '../topics.ts'
import { runTask, type Task } from './task.ts'
import type { TaskNotes } from './task-notes.ts'
import { groupOfTurns } from './turns-group.ts'

export type RuleTasksDeps = {
  readonly client: Pick<KafkaClient, 'partition' | 'transactions'>
  readonly topics: KafkaTopics
  readonly kafka: KafkaLog
  readonly notes: TaskNotes
  readonly clock: Clock
  readonly logger: Logger
  /** A folder for what tasks remember while they run. */
  readonly path: string
  readonly maxBytes: number
  readonly consumed: (queue: string, offsets: Offsets, timeout_ms: number) => Promise<void>
  /** Resolves when tasks have taken what this process has put into a queue of turns. */
  readonly processed: (queue: string, timeout_ms: number) => Promise<void>
  /** Forgets how far a queue is: another topic may have its name. */
  readonly forgotten: (queue: string) => Promise<void>
}

/** How often it is looked who lives. */
const look_ms = 1_000
/** A task that was not there yet has its memory to read first. */
const told_ms = 60_000

/**
 * The tasks of all schemas with rules, shared out among the processes that live: each counts for itself whose a task is, by
 * the same rule, so that a process that comes or goes moves its share alone. Two may think for a while that a task is theirs;
 * then the one that opened it last has it, and the other is fenced.
 */
export function createRuleTasks(deps: RuleTasksDeps): RuleTasks & {
  trouble(queue: string): string | undefined
  close(): Promise<void>
} {
  const { client, topics, kafka, notes, clock, logger, path, consumed, processed, forgotten } = deps
  const schemas = new Map<string, { readonly schema: Schema; readonly partitions: number | undefined }>()
  const tasks = new Map<string, { readonly schema: string; readonly task: Task }>()
  const folder = ownFolder(path)
  let started: StartTasks | undefined
  let others: ReadonlySet<string> = new Set()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let folders = 0

  const nameOf = (schema: string, partition: number): string => `${schema} ${partition}`

  /** A task belongs to the living process with the greatest hash of process and task. */
  function isMine(name: string, id: string): boolean {
    const weight = (of: string): string => createHash('sha256').update(`${of} ${name}`).digest('hex')
    const mine = weight(id)
    return [...others].every((other) => weight(other) < mine)
  }

  /** Tasks share what rules may take up of the process. */
  const shareOfEach = (): number => 1 / Math.max(1, tasks.size)
  /** All tasks together stay within the bound of the process. */
  const maxBytesOf = (name: string): number =>
    roomOf(
      tasks.get(name)?.task.bytes() ?? 0,
      [...tasks].flatMap(([of, { task }]) => (of === name ? [] : [task.bytes()])),
      deps.maxBytes,
    )

  function share(): void {
    if (!started || isClosed) return
    const { id, open } = started
    const wanted = new Map<string, { schema: string; partition: number; partitions: number }>()
    for (const [schema, { partitions = 0 }] of schemas) {
      for (let partition = 0; partition < partitions; partition++) {
        const name = nameOf(schema, partition)
        if (isMine(name, id)) wanted.set(name, { schema, partition, partitions })
      }
    }
    for (const [name, { task }] of tasks) {
      if (wanted.has(name)) continue
      tasks.delete(name)
      void task.end()
    }
    for (const [name, { schema, partition, partitions }] of wanted) {
      if (tasks.has(name)) continue
      const own = join(folder, String(folders++))
      const schemaOf = (of: string): Schema | undefined => schemas.get(of)?.schema
      const groupOf = (queue: string): string => groupOfTurns(topics, queue)
      const shared = { client, topics, notes, clock, logger, consumed, share: shareOfEach }
      tasks.set(name, {
        schema,
        task: runTask(
          { ...shared, path: own, groupOf, open, schemaOf, maxBytes: () => maxBytesOf(name) },
          schema,
          partition,
          partitions,
        ),
      })
    }
  }

  async function look(): Promise<void> {
    if (!started) return
    try {
      others = await started.living()
    } catch {
      // While ClickHouse is away no process is known to have gone.
    }
    for (const [name, { partitions }] of schemas) {
      if (partitions === undefined) {
        await makeTopics(name).catch((error: unknown) =>
          logger.warn({ err: error, schema: name }, 'no topics for events of rules, retrying'),
        )
      }
    }
    share()
  }

  async function makeTopics(name: string): Promise<void> {
    const partitions = await topics.ensure(turnsQueue(name))
    await topics.ensure(memoryQueue(name), { partitions, isKept: true })
    const present = schemas.get(name)
    if (present) schemas.set(name, { ...present, partitions })
  }

  async function stop(schema: string): Promise<void> {
    schemas.delete(schema)
    const ending = [...tasks].filter(([, each]) => each.schema === schema)
    for (const [name] of ending) tasks.delete(name)
    await Promise.all(ending.map(([, { task }]) => task.end()))
  }

  async function left(schema: string): Promise<void> {
    await stop(schema)
    for (const queue of [turnsQueue(schema), memoryQueue(schema)]) topics.forget(queue)
    await kafka.forget(turnsQueue(schema))
    await forgotten(turnsQueue(schema))
  }

  /** A key for each partition of so many. */
  const keysOf = (partitions: number): string[] =>
    Array.from({ length: partitions }, (_, partition) => {
      for (let key = 0; ; key++) if (partitionOf(String(key), partitions) === partition) return String(key)
    })

  return {
    start(how) {
      started = how
      const again = (): void => {
        void look().finally(() => {
          if (!isClosed) timer = setTimeout(again, look_ms).unref()
        })
      }
      again()
    },

    async serve(schema, isAwaited) {
      // Another process deletes the topic, and one that comes again begins with its first offset.
      if (!takesTurns(schema)) return schemas.has(schema.name) ? left(schema.name) : undefined
      schemas.set(schema.name, { schema, partitions: schemas.get(schema.name)?.partitions })
      if (!isAwaited) return
      await makeTopics(schema.name)
      await look()
    },

    leave: left,

    async forget(schema) {
      await left(schema)
      await topics.remove(turnsQueue(schema))
      await topics.remove(memoryQueue(schema))
      const group = groupOfTurns(topics, turnsQueue(schema))
      await topics.removeGroup(group).catch((error: unknown) =>
        // Its offsets go with the topic in time: until then a topic that comes again has places of the one before.
        logger.warn({ err: error, schema, group }, 'the group of the tasks of rules was not removed'),
      )
    },

    append: (schema, lines, rows, answers, keys) => kafka.log.append(turnsQueue(schema), lines, rows, answers, keys),
    answered: (schema, key) => kafka.log.answered(turnsQueue(schema), key),

    async tell(schema, lines, isAwaited) {
      const queue = turnsQueue(schema)
      const keys = keysOf(await topics.ensure(queue))
      for (const line of lines) {
        await kafka.log.append(queue, Buffer.from(line.repeat(keys.length)), keys.length, [], keys)
      }
      if (isAwaited) await processed(queue, told_ms)
    },

    taken: (schema, most_ms) => processed(turnsQueue(schema), most_ms).catch(() => {}),

    async usage(schema) {
      const queue = turnsQueue(schema)
      // A schema without rules has no topic of turns.
      if (schemas.has(schema)) notes.take(queue, await topics.noted(groupOfTurns(topics, queue), queue))
      return notes.usage(queue)
    },

    bytes: () => [...tasks.values()].reduce((sum, { task }) => sum + task.bytes(), 0),

    trouble(queue) {
      for (const { schema, task } of tasks.values()) {
        const trouble = task.trouble()
        if (turnsQueue(schema) === queue && trouble !== undefined) return `its rules: ${trouble}`
      }
      return undefined
    },

    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.all([...tasks.values()].map(({ task }) => task.end()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The bytes that one of several memories may have so that all have `most` together: what the others leave. Past that those
 * that have most become less, down to the size at which they are alike.
 */
export function roomOf(own: number, others: readonly number[], most: number): number {
  const left = others.reduce((sum, bytes) => sum - bytes, most)
  if (own <= left) return left
  const sizes = [own, ...others].sort((a, b) => a - b)
  let rest = most
  for (const [at, size] of sizes.entries()) {
    const level = rest / (sizes.length - at)
    if (size > level) return Math.floor(level)
    rest -= size
  }
  return left
}

/** A folder of this process; those of processes that are gone from this machine go. */
function ownFolder(path: string): string {
  mkdirSync(path, { recursive: true })
  const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
  const started = createHash('sha256')
    .update(runName(process.pid) ?? '')
    .digest('hex')
    .slice(0, 8)
  for (const name of readdirSync(path)) {
    const [of, pid, run] = name.split('-')
    if (of !== host) continue
    const known = isRunning(Number(pid)) ? runName(Number(pid)) : undefined
    const isAlive =
      known !== undefined &&
      createHash('sha256')
        .update(known)
        .digest('hex')
        .startsWith(run ?? '-')
    if (!isAlive || Number(pid) === process.pid) rmSync(join(path, name), { recursive: true, force: true })
  }
  return join(path, `${host}-${process.pid}-${started}`)
}

export type KafkaRuleTasks = ReturnType<typeof createRuleTasks>
