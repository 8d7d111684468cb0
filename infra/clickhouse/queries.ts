import { type Fault, fault } from '../../base/faults.ts'
import { createMutex } from '../../base/mutex.ts'
import type { Bounds, ClickHouse } from './clickhouse.ts'
import { faultOfQuery, tooLong } from './query-faults.ts'
import type { QueryLimits } from './query-limits.ts'
import { createQueryPlaces, type User } from './query-places.ts'

/** The statements that a client's query may send to ClickHouse. */
export type QueryClickHouse = Pick<ClickHouse, 'read' | 'rows' | 'run'> & {
  /**
   * Takes the query's place, as its first statement does: for a query that is about to hold something that others wait
   * for.
   */
  readonly begin: () => Promise<void>
}

/**
 * Runs the queries of clients: a limited number at a time, each within its limits and only while its client is there.
 */
export function createQueries(clickhouse: Pick<ClickHouse, 'read' | 'rows' | 'run'>, limits: QueryLimits) {
  const time_ms = limits.time_s * 1000
  const places = createQueryPlaces({ max: limits.max, patience_ms: time_ms, refuse: () => noPlace(limits) })

  /** Takes a place with its first statement; its statements run one after the other. */
  function begin(client: AbortSignal, user: User) {
    const [late, stop] = [new AbortController(), new AbortController()]
    const inTurn = createMutex()
    let place: Promise<() => void> | undefined
    let timer: NodeJS.Timeout | undefined
    let end_ms = Number.POSITIVE_INFINITY
    let changes = false

    const ended = new Promise<never>((_, reject) =>
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason)),
    )
    const leave = (): void => stop.abort(abandoned())
    const expire = (): void => {
      late.abort(tooLong(limits, changes))
      stop.abort(late.signal.reason)
    }
    client.addEventListener('abort', leave)
    if (client.aborted) leave()

    async function takePlace(): Promise<void> {
      place ??= places.acquire(user, stop.signal).then((giveBack) => {
        end_ms = performance.now() + time_ms
        timer = setTimeout(expire, time_ms)
        return giveBack
      })
      await place
    }

    const ask = <Result>(signal: AbortSignal, work: (within: Bounds) => Promise<Result>): Promise<Result> =>
      inTurn(async () => {
        await takePlace()
        stop.signal.throwIfAborted()
        const left_s = Math.max(0.01, (end_ms - performance.now()) / 1000)
        try {
          return await work({ signal, time_s: left_s, rows: limits.rows, bytes: limits.bytes })
        } catch (error) {
          signal.throwIfAborted()
          throw faultOfQuery(error, limits, changes) ?? error
        }
      })

    const bounded: QueryClickHouse = {
      begin: () =>
        inTurn(async () => {
          await takePlace()
          stop.signal.throwIfAborted()
        }),
      read: (statement, format) => ask(stop.signal, (within) => clickhouse.read({ ...statement, within }, format)),
      rows: <Row>(statement: Parameters<ClickHouse['rows']>[0]) =>
        ask(stop.signal, (within) => clickhouse.rows<Row>({ ...statement, within })),
      // A statement that has begun to write goes on without its client: half of a change is no use.
      run: (statement) =>
        ask(late.signal, (within) => {
          changes = true
          const question = typeof statement === 'string' ? { text: statement, params: {} } : statement
          return clickhouse.run({ ...question, within })
        }),
    }

    return {
      clickhouse: bounded,
      /** Rejects once there is no point in waiting for an answer. */
      ended,
      /** Gives the place back as soon as ClickHouse is done with the query's statements. */
      end(): void {
        client.removeEventListener('abort', leave)
        const giveBack = async (): Promise<void> => {
          clearTimeout(timer)
          if (place) (await place)()
        }
        inTurn(giveBack).catch(() => {}) // It had no place.
      },
    }
  }

  return {
    /** Answers as soon as `work` does, the time is over or the client has gone; `client` is aborted by the latter. */
    async run<Result>(
      client: AbortSignal,
      work: (clickhouse: QueryClickHouse) => Promise<Result>,
      user: User = '',
    ): Promise<Result> {
      const query = begin(client, user)
      query.ended.catch(() => {})
      const working = work(query.clickhouse)
      working.catch(() => {})
      try {
        return await Promise.race([working, query.ended])
      } finally {
        query.end()
      }
    },
  }
}

export type Queries = ReturnType<typeof createQueries>

const abandoned = (): Fault => fault('abandoned', 'the client went away before its query was answered')

const noPlace = ({ max, time_s }: QueryLimits): Fault =>
  fault('limited', `${max} queries run already (MAX_QUERIES), and none ended within ${time_s} s; try again`, {
    retryAfter: Math.min(time_s, 5),
    limit: 'MAX_QUERIES',
  })
