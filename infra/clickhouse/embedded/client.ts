import { mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { drainPending, Session } from 'chdb'
import { createPool } from '../../../base/pool.ts'
import { deliveredTable, feedView, topicTable } from '../../../sql/schema/names.ts'
import { bind } from '../../../sql/statement.ts'
import { underSettings } from '../../../sql/under-settings.ts'
import { accessArguments } from '../access.ts'
import {
  type Bounds,
  boundSettings,
  type ClickHouse,
  clickHouseError,
  type Insertion,
  insertSettings,
  jsonLines,
  type Question,
} from '../clickhouse.ts'
import { foldersIn, namesIn } from './folders.ts'
import { forgetInterruptedInserts } from './interrupted-inserts.ts'
import { clear, createKills } from './kills.ts'
import { breakTornProjections } from './torn-projections.ts'
import { createWritePause } from './write-pause.ts'

export type EmbeddedOptions = {
  readonly path: string
  /** Connections for the service's own questions and DDL; inserts have their own. */
  readonly connections?: number
  /** Connections for clients' queries. */
  readonly queries?: number
  readonly cacheMb?: number
}

/** Connections for inserts alone: the feeder's two pool, and tables beside them. */
const inserters = 4
/** Threads that clients' queries leave to inserts, the service's own statements, analysts, the log and files. */
const threadsOfOthers = 10

/** A stream's batches go one after the other: its views share the processors. */
const embeddedInserts = { parallel_view_processing: 1 }

const longestClose_ms = 5_000

/** The time of a boot is known in whole seconds, and by a clock that may have been set since. */
const clockStep_ms = 5_000

/** How many of `wanted` queries run at a time: a statement keeps a thread of libuv's pool from its begin to its end. */
export const affordableQueries = (wanted: number, threads = Number(process.env.UV_THREADPOOL_SIZE) || 4): number =>
  Math.max(1, Math.min(wanted, threads - threadsOfOthers))

/** Whether a statement changes the parts of a table and no row in them, as ClickHouse does by itself at any time. */
const isMerge = (statement: Question | string): boolean =>
  typeof statement === 'string' && /^(OPTIMIZE TABLE|SYSTEM (START|STOP) MERGES) /.test(statement)

/** The bytes of an answer, which are a copy of JavaScript's own already: one more of some megabytes makes V8 mark its whole heap. */
function bytesOf(answer: { bytes(): Uint8Array }): Buffer {
  const { buffer, byteOffset, byteLength } = answer.bytes()
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** A connection that opens with its first statement. */
type Connection = { session?: Session }

/** Does `work`, which asks by the ClickHouse that it is given, while nothing else writes: all is of one moment. */
export type PauseWrites = <Result>(
  work: (clickhouse: Pick<ClickHouse, 'rows' | 'run'>) => Promise<Result>,
) => Promise<Result>

/** ClickHouse in this process by chDB. One process per `path`: a second one is refused by the engine's own file lock. */
export function createEmbeddedClickHouse({
  path,
  connections = 6,
  queries = 4,
  cacheMb = 256,
}: EmbeddedOptions): ClickHouse & { readonly still: PauseWrites } {
  mkdirSync(path, { recursive: true })
  const holder = processIn(path)
  if (holder === undefined || !mayHold(holder, join(path, 'status'))) {
    forgetInterruptedInserts(path)
    breakTornProjections(path)
    setAsideConsumers(path)
  }
  const megabytes = 1024 * 1024
  const connectionArgs = [
    `--mark_cache_size=${(cacheMb * megabytes) / 4}`,
    `--uncompressed_cache_size=${(cacheMb * megabytes) / 4}`,
    '--output_format_json_escape_forward_slashes=0',
    // An update's document stands in its statement.
    `--max_query_size=${256 * megabytes}`,
    // Room for the longest condition over undeclared members.
    '--max_ast_elements=1000000',
    // The planner would read statistics for each statement, and learn nothing: tables are ordered by the keys that they
    // are read by.
    '--use_statistics=0',
    ...accessArguments,
  ]
  const open = (): Session => new Session(path, { connectionArgs })
  const sessions = openAll(path, open, connections + inserters)
  endAtFatalSignals()
  const readers = createPool(sessions.slice(inserters))
  const writers = createPool(sessions.slice(0, inserters))

  const pool = createPool(Array.from({ length: queries }, (): Connection => ({})))
  let count = 0
  const openLater = (): Session => {
    const session = open()
    sessions.push(session)
    return session
  }
  const kills = createKills(openLater)

  const plainly = (text: string, format: string): Promise<Buffer> =>
    readers.use(async (session) => {
      try {
        return bytesOf(await session.queryAsync(text, { format }))
      } catch (error) {
        await clear(session)
        throw clickHouseError(error)
      }
    })

  const bounded = (text: string, format: string, within: Bounds): Promise<Buffer> =>
    pool.use(async (connection) => {
      within.signal.throwIfAborted()
      connection.session ??= openLater()
      const { session } = connection
      const comment = `query ${count++}`
      let isRunning = true
      const kill = (): void => void kills.end(comment, () => isRunning).catch(() => {})
      within.signal.addEventListener('abort', kill)
      try {
        const answer = await session.queryAsync(underSettings(text, boundSettings(within, comment)), { format })
        return bytesOf(answer)
      } catch (error) {
        await clear(session)
        throw clickHouseError(error)
      } finally {
        isRunning = false
        within.signal.removeEventListener('abort', kill)
      }
    })

  const query = (statement: Question | string, format: string): Promise<Buffer> => {
    if (typeof statement === 'string') return plainly(statement, format)
    const text = bind(statement)
    return statement.within ? bounded(text, format, statement.within) : plainly(text, format)
  }

  const rows = async <Row>(statement: Question): Promise<Row[]> => jsonLines<Row>(await query(statement, 'JSONEachRow'))

  const run = async (statement: Question | string): Promise<void> => {
    await query(statement, 'Null')
  }

  const insert = (insertion: Insertion): Promise<void> =>
    writers.use(async (session) => {
      try {
        await session.insert({
          table: insertion.table.replaceAll('`', ''),
          values: insertion.rows,
          format: 'JSONEachRow',
          settings: { ...insertSettings(insertion), ...embeddedInserts },
        })
      } catch (error) {
        await clear(session)
        throw clickHouseError(error)
      }
    })

  const { writing, still } = createWritePause()

  return {
    read: query,
    rows,
    run: (statement) => (isMerge(statement) ? run(statement) : writing(() => run(statement))),
    insert: (insertion) => writing(() => insert(insertion)),
    still: (work) => still(() => work({ rows, run })),
    close: async () => {
      for (const session of sessions) session.close()
      // A session whose statement still runs is closed behind it; a process that ends before that never ends, or crashes.
      await Promise.race([drainPending(), sleep(longestClose_ms, undefined, { ref: false })])
    },
  }
}

function openAll(path: string, open: () => Session, count: number): Session[] {
  const holder = processIn(path)
  // The engine would write its own words on standard error first.
  if (holder !== undefined && holds(holder, join(path, 'status'))) throw inUse(path, holder)
  try {
    return Array.from({ length: count }, open)
  } catch (error) {
    if (holder === undefined) throw clickHouseError(error)
    throw inUse(path, holder, error)
  }
}

const inUse = (path: string, holder: number, cause?: unknown): Error =>
  new Error(`another process (${holder}) uses the data folder ${path}; stop it, or set DATA_DIR to another folder`, {
    cause,
  })

/** Whether a process has a file open; undefined where this system does not show that. */
function opens(id: number, file: string): boolean | undefined {
  try {
    const folder = `/proc/${id}/fd`
    const path = realpathSync(file)
    return readdirSync(folder).some((name) => isLinkTo(join(folder, name), path))
  } catch {
    return undefined
  }
}

/** Whether another process has a file open, as far as this system tells: the number in the note may be another's by now. */
const holds = (id: number, file: string): boolean => id !== process.pid && opens(id, file) === true

/**
 * Whether another process may have ClickHouse's note open. After a power cut its number is often that of another program,
 * which began after the note was written.
 */
const mayHold = (id: number, file: string): boolean =>
  id !== process.pid && (opens(id, file) ?? !beganAfter(id, statSync(file).mtimeMs))

/** Whether a process began after a time; false where this system does not show when it began. */
function beganAfter(id: number, time_ms: number): boolean {
  try {
    const [, boot_s] = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1')) ?? []
    // The 22nd field, in hundredths of a second since the boot; the second is a name in parentheses, and may have any text.
    const fields = readFileSync(`/proc/${id}/stat`, 'latin1').replace(/^.*\)/s, '').trim().split(' ')
    return Number(boot_s) * 1_000 + Number(fields[19]) * 10 > time_ms + clockStep_ms
  } catch {
    return false
  }
}

function isLinkTo(link: string, path: string): boolean {
  try {
    return readlinkSync(link) === path
  } catch {
    return false // Closed since the folder was read.
  }
}

/**
 * The living process that ClickHouse's own note in the folder names; the engine gives its reason on standard error
 * only.
 */
function processIn(path: string): number | undefined {
  try {
    const id = Number(/^PID: (\d+)/.exec(readFileSync(join(path, 'status'), 'utf8'))?.[1])
    process.kill(id, 0)
    return id
  } catch {
    return undefined
  }
}

const taken = ['SIGABRT', 'SIGTRAP', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGSYS', 'SIGTSTP'] as const

/**
 * Lets the process end at once at a fatal signal. The engine, at its start, takes such signals for reporters that it
 * does not have when it is embedded: a process whose heap is full, say, would hang for ever, and no supervisor would
 * start it anew. SIGTSTP, which it takes too, is a terminal's Ctrl-Z.
 */
function endAtFatalSignals(): void {
  // Removing a signal's last listener restores the system's default action.
  for (const signal of taken) process.once(signal, leave).off(signal, leave)
}

const leave = (): void => {}

const ofTopic = `${topicTable('')}.sql`
const view = (stream: string): string => `${feedView(deliveredTable(stream), 'topic')}.sql`

/**
 * Takes the Kafka tables of an earlier process out of a folder, with the views that hang on them, before ClickHouse opens
 * it: Weir reads the topics itself. ClickHouse would begin with all of them under their old groups:
 * there the broker waits for the old members, 43 s, and a table that waits for partitions keeps one thread of those for
 * all consumers for 15 s (`MAX_TIME_TO_WAIT_FOR_ASSIGNMENT_MS` in its KafkaConsumer.cpp). Neither a table nor a view of
 * them has data of its own.
 */
function setAsideConsumers(folder: string): void {
  for (const database of foldersIn(join(folder, 'store'))) {
    for (const name of namesIn(database)) {
      if (!name.endsWith(ofTopic) || !isKafkaTable(join(database, name))) continue
      // The view first: a crash in between leaves a table, which is found again.
      rmSync(join(database, view(name.slice(0, -ofTopic.length))), { force: true })
      rmSync(join(database, name))
    }
  }
}

const isKafkaTable = (path: string): boolean => /^ENGINE = Kafka$/m.test(readFileSync(path, 'utf8'))
