import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Session } from 'chdb'
import { createPool } from '../../../base/pool.ts'
import { intoPlace } from '../../../sql/analysts/compose.ts'
import { readKill } from '../../../sql/analysts/kill.ts'
import { longest_s, resultLimits } from '../../../sql/analysts/settings.ts'
import type { AnalystStatement } from '../../../sql/analysts/statement.ts'
import { clickHouseError } from '../clickhouse.ts'
import { clear, createKills } from '../embedded/kills.ts'
import { asAnalystsSee, exception } from '../exceptions.ts'
import { emptySummary } from '../wire/whole-answer.ts'
import { admitted, askedOf, endQueries, refusing, stopping, tooLarge } from './admission.ts'
import { createOwnQueries, type OwnQuery } from './own-queries.ts'
import { createPipes } from './pipes.ts'
import { createPlaces } from './places.ts'
import { createPreparing } from './preparing.ts'
import type { SqlAnswer, SqlQuery, SqlRunner, SqlSummary } from './sql-runner.ts'

export type AnalystOptions = {
  /** The data folder that this process has open. */
  readonly path: string
  /** The folder of the pipes that answers pass through; the caller removes the pipes of an earlier process. */
  readonly pipes: string
  /** Queries at a time; each has a connection of its own and, while it runs, a thread of libuv's pool. */
  readonly connections?: number
  readonly maxWaiting?: number
  readonly patience_ms?: number
  /** A stop waits this long for queries that have been killed. */
  readonly longestClose_ms?: number
}

type Connection = { readonly name: number; place?: string }

/**
 * A query that ClickHouse has not ended this long after its limit is killed: ClickHouse waits for a reader that stalls.
 */
const grace_ms = 2000

/**
 * Runs the statements of analysts that pass the fence, each on a connection of its own, which has the role of analysts,
 * the settings of its query, and constraints by which a statement cannot change them.
 */
export async function createAnalysts(options: AnalystOptions): Promise<SqlRunner> {
  const {
    path,
    pipes: folder,
    connections = 2,
    maxWaiting = 256,
    patience_ms = 30_000,
    longestClose_ms = 5000,
  } = options
  const pipes = await createPipes(folder)
  const places = createPlaces<Connection>(
    Array.from({ length: connections }, (_, name) => ({ name })),
    {
      max: maxWaiting,
      patience_ms,
      refuse: (why) => {
        const others = why === 'full' ? ` and ${maxWaiting} wait` : `, and none ended within ${patience_ms / 1000} s`
        return exception(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', `Too many: ${connections} queries run${others}`)
      },
    },
  )
  const starting = new Set<Promise<unknown>>()
  const running = new Map<string, { readonly isFree: Promise<unknown>; cancel(): void }>()
  const sessions = new Set<Session>()
  const queries = createOwnQueries()
  let isClosed = false

  const connect = (): Session => {
    const session = new Session(path)
    sessions.add(session)
    return session
  }
  const disconnect = (session: Session): void => {
    if (sessions.delete(session)) session.close()
  }
  const plain = createPool([{ session: undefined as Session | undefined }])
  /** Asks a statement of Weir's own. */
  const ask = (text: string, format: string): Promise<Buffer> =>
    plain.use(async (own) => {
      own.session ??= connect()
      return Buffer.from((await own.session.queryAsync(text, { format })).bytes())
    })
  const prepare = createPreparing({ connect, disconnect })
  const kills = createKills(connect)
  const kill = (comment: string): Promise<void> => kills.end(comment, () => running.has(comment))

  const names = (await ask('SELECT lower(name) FROM system.functions', 'TabSeparatedRaw')).toString()
  /** ClickHouse's functions, in lower case. */
  const functions: ReadonlySet<string> = new Set(names.trim().split('\n'))

  async function start(
    connection: Connection,
    query: SqlQuery,
    statement: AnalystStatement,
    own: OwnQuery,
    gone?: AbortSignal,
  ): Promise<SqlAnswer> {
    const signal = gone ? AbortSignal.any([gone, own.signal]) : own.signal
    if (isClosed) throw stopping()
    connection.place ??= await pipes.place(String(connection.name))
    const { place } = connection
    const comment = `analyst ${randomUUID()}`
    const session = await prepare(query, statement, comment)
    if (signal.aborted || isClosed) {
      disconnect(session)
      signal.throwIfAborted()
      throw stopping()
    }
    let pipe: ReturnType<typeof pipes.open>
    try {
      pipe = pipes.open(place)
    } catch (error) {
      disconnect(session)
      throw error
    }
    let summary: SqlSummary = emptySummary
    let explained: Uint8Array | undefined
    const finish = async (): Promise<void> => {
      const { format } = statement
      const result = await session.queryAsync(intoPlace(statement, place), { format })
      if (statement.isExplain) explained = result.bytes()
      const rows = result.rowsRead
      const max = resultLimits(statement.settings)
      if (rows > max.rows || result.bytesRead > max.bytes) throw tooLarge(max)
      summary = {
        resultRows: rows,
        resultBytes: result.bytesRead,
        elapsed_ns: Math.round(result.elapsed * 1e9),
      }
    }
    let isLate = false
    const done = finish().finally(() => {
      pipe.end()
      running.delete(comment)
    })
    const cancel = (): void => {
      pipe.discard()
      kill(comment).catch(() => {})
    }
    const seconds = longest_s(statement.settings)
    const late = setTimeout(
      () => {
        isLate = true
        cancel()
      },
      seconds * 1000 + grace_ms,
    )
    const isClear = done.catch(() => clear(session)).finally(() => disconnect(session))
    const isFree = Promise.allSettled([isClear, pipe.closed]).then(() => {
      clearTimeout(late)
      signal.removeEventListener('abort', cancel)
      places.release(connection)
      own.leave()
    })
    running.set(comment, { isFree, cancel })
    signal.addEventListener('abort', cancel)

    async function* output(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of pipe.output) yield chunk
        await done
        if (explained) yield explained
      } catch (error) {
        if (isLate)
          throw exception(159, 'TIMEOUT_EXCEEDED', `Timeout exceeded: more than ${seconds} s, reading included`)
        // The error of the query says more than the error that cut its output off.
        const own: unknown = await done.then(
          () => error,
          (reason: unknown) => reason,
        )
        const isStopped = isClosed && clickHouseError(own).code === 394
        throw asAnalystsSee(isStopped ? stopping() : own, statement.reach)
      } finally {
        cancel()
      }
    }
    return { format: statement.format, output: output(), summary: () => summary }
  }

  return {
    async query(query, signal) {
      if (isClosed) throw stopping()
      const asked = askedOf(query)
      const kill = refusing(() => readKill(asked))
      if (kill) return endQueries(queries, kill, query, ask)
      const statement = refusing(() => admitted(query, asked, functions))
      const own = queries.enter(query, asked.text)
      let connection: Connection | undefined
      try {
        const either = signal ? AbortSignal.any([signal, own.signal]) : own.signal
        connection = await places.acquire(query.caller ?? '', either)
        const begun = start(connection, query, statement, own, signal)
        starting.add(begun)
        return await begun.finally(() => starting.delete(begun))
      } catch (error) {
        if (connection) places.release(connection)
        own.leave()
        throw asAnalystsSee(error, statement.reach)
      }
    },
    timezone: async () => (await ask('SELECT timezone()', 'TabSeparatedRaw')).toString().trim(),
    version: async () => (await ask('SELECT version()', 'TabSeparatedRaw')).toString().trim(),
    async close() {
      isClosed = true
      await Promise.allSettled(starting)
      const ends = [...running.values()]
      for (const { cancel } of ends) cancel() // A query whose reader stalls waits for it, even if it is killed.
      const all = Promise.all(ends.map(({ isFree }) => isFree))
      await Promise.race([all, sleep(longestClose_ms, undefined, { ref: false })])
      running.clear() // A query that is still there is killed no more: its connection is closed behind it.
      for (const session of sessions) disconnect(session)
      await pipes.remove()
    },
  }
}
