import { randomUUID } from 'node:crypto'
import { Session } from 'chdb'
import { explanation, intoPlace, preparations } from '../../../sql/analysts/compose.ts'
import { StatementRefusal } from '../../../sql/analysts/refusal.ts'
import { type AnalystStatement, admit } from '../../../sql/analysts/statement.ts'
import { checkDatabase } from '../../../sql/analysts/tables.ts'
import { becomeAnalyst } from '../access.ts'
import { clear, createKills } from '../embedded/kills.ts'
import { createPool } from '../embedded/pool.ts'
import { asAnalystsSee, exception } from './exceptions.ts'
import { createPipes } from './pipes.ts'
import { emptySummary, type SqlAnswer, type SqlQuery, type SqlRunner, type SqlSummary } from './sql-runner.ts'

export type AnalystOptions = {
  /** The data folder that this process has open. */
  readonly path: string
  /** Where answers pass through; what an earlier process left there is removed by the caller. */
  readonly pipes: string
  /** Queries at a time; each has a connection and, while it runs, a thread of libuv's pool. */
  readonly lanes?: number
  readonly mostWaiting?: number
  readonly patience_ms?: number
}

type Lane = { readonly name: number; session?: Session; place?: string }

const stopping = () => exception(210, 'NETWORK_ERROR', 'the service is stopping')

/** So long after its time ClickHouse has not ended a query by itself: it waits for its reader. */
const grace_ms = 2000

/** Runs analysts' statements on connections of their own: those that pass the fence, under their limits and role. */
export async function createAnalysts(options: AnalystOptions): Promise<SqlRunner> {
  const { path, pipes: folder, lanes = 2, mostWaiting = 64, patience_ms = 30_000 } = options
  const pipes = await createPipes(folder)
  const places = createPool<Lane>(
    Array.from({ length: lanes }, (_, name) => ({ name })),
    {
      most: mostWaiting,
      patience_ms,
      refuse: (why) => {
        const others = why === 'full' ? ` and ${mostWaiting} wait` : `, and none ended within ${patience_ms / 1000} s`
        return exception(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', `Too many: ${lanes} queries run${others}`)
      },
    },
  )
  const starting = new Set<Promise<unknown>>()
  const running = new Map<string, { readonly isFree: Promise<unknown>; cancel(): void }>()
  const sessions: Session[] = []
  let plain: Session | undefined
  let isClosed = false

  const connect = async (): Promise<Session> => {
    const session = new Session(path)
    sessions.push(session)
    await session.queryAsync(becomeAnalyst)
    return session
  }
  const kills = createKills(connect)
  const kill = (comment: string): Promise<void> => kills.end(comment, () => running.has(comment))

  async function start(
    lane: Lane,
    query: SqlQuery,
    statement: AnalystStatement,
    signal?: AbortSignal,
  ): Promise<SqlAnswer> {
    if (isClosed) throw stopping()
    lane.session ??= await connect()
    lane.place ??= await pipes.place(String(lane.name))
    const { session, place } = lane
    const comment = `analyst ${randomUUID()}`
    for (const text of preparations(query.database ?? 'default', statement.params)) await session.queryAsync(text)
    signal?.throwIfAborted()
    if (isClosed) throw stopping()
    const pipe = pipes.open(place)
    let summary: SqlSummary = emptySummary
    let explained: Uint8Array | undefined
    const finish = async (): Promise<void> => {
      const { format } = statement
      const result = statement.isExplain
        ? await session.queryAsync(explanation(statement, comment), { format })
        : await session.queryAsync(intoPlace(statement, place, comment), { format })
      if (statement.isExplain) explained = result.bytes()
      const rows = result.rowsRead
      summary = {
        ...emptySummary,
        readRows: rows,
        resultRows: rows,
        readBytes: result.bytesRead,
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
    const seconds = Number(statement.settings.max_execution_time)
    const late = setTimeout(
      () => {
        isLate = true
        cancel()
      },
      seconds * 1000 + grace_ms,
    )
    const isClear = done.catch(() => clear(session))
    const isFree = Promise.allSettled([isClear, pipe.closed]).then(() => {
      clearTimeout(late)
      signal?.removeEventListener('abort', cancel)
      places.release(lane)
    })
    running.set(comment, { isFree, cancel })
    signal?.addEventListener('abort', cancel)

    async function* output(): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of pipe.output) yield chunk
        await done
        if (explained) yield explained
      } catch (error) {
        if (isLate)
          throw exception(159, 'TIMEOUT_EXCEEDED', `Timeout exceeded: more than ${seconds} s, reading included`)
        // What cut the output off says less than what became of its query.
        const own: unknown = await done.then(
          () => error,
          (reason: unknown) => reason,
        )
        throw asAnalystsSee(own, statement.reach)
      } finally {
        cancel()
      }
    }
    return { format: statement.format, output: output(), summary: () => summary }
  }

  return {
    async query(query, signal) {
      if (isClosed) throw stopping()
      const statement = admitted(query)
      const lane = await places.acquire(signal)
      const begun = start(lane, query, statement, signal)
      starting.add(begun)
      try {
        return await begun
      } catch (error) {
        places.release(lane)
        throw asAnalystsSee(error, statement.reach)
      } finally {
        starting.delete(begun)
      }
    },
    async timezone() {
      plain ??= await connect()
      return (await plain.queryAsync('SELECT timezone()', { format: 'TabSeparatedRaw' })).text().trim()
    },
    async close() {
      isClosed = true
      await Promise.allSettled(starting)
      const ends = [...running.values()]
      for (const { cancel } of ends) cancel() // A query whose reader stands still waits for it, whatever kills it.
      await Promise.all(ends.map(({ isFree }) => isFree))
      for (const session of sessions) session.close()
      await pipes.remove()
    },
  }
}

function admitted({ text, body, database, format, params, settings, reach }: SqlQuery): AnalystStatement {
  try {
    if (database !== undefined) checkDatabase(database, reach)
    const rest = new TextDecoder('utf-8', { fatal: true }).decode(body)
    const whole = text !== '' && rest !== '' ? `${text}\n${rest}` : text + rest
    return admit({ text: whole, format, params, settings }, reach)
  } catch (error) {
    if (error instanceof StatementRefusal) throw exception(error.code, error.exception, error.message)
    if (error instanceof TypeError) throw exception(62, 'SYNTAX_ERROR', 'the statement is no UTF-8')
    throw error
  }
}
