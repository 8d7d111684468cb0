import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  aboutStatement,
  checkUnderstood,
  explanation,
  formatting,
  listed,
  type Understood,
} from '../../../sql/analysts/compose.ts'
import { readKill } from '../../../sql/analysts/kill.ts'
import { longest_s, resultLimits, type Settings } from '../../../sql/analysts/settings.ts'
import { type AnalystStatement, filterStatements } from '../../../sql/analysts/statement.ts'
import { killStatement } from '../../../sql/kill.ts'
import { type ClickHouse, ClickHouseError, clickHouseError } from '../clickhouse.ts'
import { asAnalystsSee, exception } from '../exceptions.ts'
import { emptySummary } from '../wire/whole-answer.ts'
import { admitted, askedOf, createUnderstood, endQueries, refusing, stopping, tooLarge } from './admission.ts'
import { createOwnQueries, type OwnQuery } from './own-queries.ts'
import { createPlaces } from './places.ts'
import type { ServerAccount } from './server-account.ts'
import type { SqlAnswer, SqlQuery, SqlRunner, SqlSummary } from './sql-runner.ts'

export type ServerAnalystsOptions = {
  /** The server's; its user is not the one by which statements run. */
  readonly url: string
  readonly account: ServerAccount
  /** The connection of Weir's own user. */
  readonly clickhouse: Pick<ClickHouse, 'read' | 'rows' | 'run'>
  /** Queries at a time. */
  readonly queries: number
  readonly maxWaiting?: number
  readonly patience_ms?: number
}

/** A statement may end so much later than its limit: ClickHouse looks at the time now and then, and the answer has its way. */
const grace_ms = 5_000
/** A statement that has just begun is not to be found yet. */
const killPauses_ms = [0, 200, 800]
const longestMessage = 64 * 1024

/** An answer is whole, or an error by its status; and a statement ends with its client. */
const sending = { wait_end_of_query: 1, cancel_http_readonly_queries_on_client_close: 1 } as const

/** Settings under which a statement is read before it runs. */
type Sent = { readonly text: string; readonly format: string; readonly settings: Settings }

/**
 * Runs the statements of analysts that pass the fence on a ClickHouse server, by an account of their own: it may read
 * what analysts see, and its profile has their limits.
 */
export function createServerAnalysts(options: ServerAnalystsOptions): SqlRunner {
  const { account, clickhouse, queries: max, maxWaiting = 256, patience_ms = 30_000 } = options
  const { origin, pathname } = new URL(options.url)
  const headers = { 'X-ClickHouse-User': account.user, 'X-ClickHouse-Key': account.password }
  const places = createPlaces(
    Array.from({ length: max }, (_, place) => place),
    {
      max: maxWaiting,
      patience_ms,
      refuse: (why) => {
        const others = why === 'full' ? ` and ${maxWaiting} wait` : `, and none ended within ${patience_ms / 1000} s`
        return exception(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', `Too many: ${max} queries run${others}`)
      },
    },
  )
  const queries = createOwnQueries()
  const understood = createUnderstood()
  const closing = new AbortController()
  let functions: Promise<ReadonlySet<string>> | undefined

  const known = (): Promise<ReadonlySet<string>> => {
    functions ??= clickhouse
      .rows<{ name: string }>({ text: 'SELECT lower(name) AS name FROM system.functions', params: {} })
      .then((rows) => new Set(rows.map(({ name }) => name)))
      .catch((error: unknown) => {
        functions = undefined
        throw error
      })
    return functions
  }

  /** Sends a statement as the account of analysts; the answer is whole at the server before its first byte comes. */
  async function send(query: SqlQuery, { text, format, settings }: Sent, signal: AbortSignal): Promise<Response> {
    const parameters = new URLSearchParams({ default_format: format, database: query.database ?? 'default' })
    for (const [name, value] of Object.entries({ ...settings, ...sending })) parameters.set(name, String(value))
    for (const [name, value] of Object.entries(query.params)) parameters.set(`param_${name}`, value)
    const place = `${origin}${pathname}?${parameters}`
    const response = await fetch(place, { method: 'POST', headers, body: text, signal }).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new ClickHouseError(210, 'ClickHouse cannot be reached', error)
    })
    if (response.ok && !response.headers.has('x-clickhouse-exception-code')) return response
    const message = (await response.text()).slice(0, longestMessage).trimEnd()
    throw clickHouseError(new Error(message))
  }

  /** Asks ClickHouse how it reads a statement; nothing of it runs. */
  async function understand(query: SqlQuery, statement: AnalystStatement, signal: AbortSignal): Promise<Understood> {
    const { readonly = 2 } = statement.settings
    const settings = { readonly }
    const raw = { format: 'TabSeparatedRaw', settings }
    const tree = await send(query, { ...raw, text: explanation(statement) }, signal)
      .then((response) => response.text())
      .catch((error: unknown) => {
        if (signal.aborted) throw error
        const { code, message } = clickHouseError(error)
        throw new ClickHouseError(code, aboutStatement(message), error)
      })
    const formatted = await send(query, { ...raw, text: formatting(statement) }, signal)
    return { tree, formatted: (await formatted.text()).trimEnd() }
  }

  async function kill(comment: string): Promise<void> {
    for (const pause_ms of killPauses_ms) {
      await sleep(pause_ms)
      const killed = await clickhouse.read({ text: killStatement(comment), params: {} }, 'TSV')
      if (killed.length > 0) return
    }
  }

  async function start(
    query: SqlQuery,
    statement: AnalystStatement,
    signal: AbortSignal,
    ended: () => void,
  ): Promise<SqlAnswer> {
    const seconds = longest_s(statement.settings)
    const late = AbortSignal.timeout(seconds * 1000 + grace_ms)
    const either = AbortSignal.any([signal, late])
    const comment = `analyst ${randomUUID()}`
    const cancel = (): void => void kill(comment).catch(() => {})
    const bound = { ...query, params: statement.params }
    const told = (error: unknown): unknown => {
      if (closing.signal.aborted) return stopping()
      if (signal.aborted) return signal.reason
      if (late.aborted)
        return exception(159, 'TIMEOUT_EXCEEDED', `Timeout exceeded: more than ${seconds} s, reading included`)
      return asAnalystsSee(error, statement.reach)
    }
    let isSent = false
    try {
      for (const each of [statement, ...filterStatements(statement)]) {
        const read = await understood(`${each.text} FORMAT ${each.format}`, () => understand(bound, each, either))
        refusing(() => checkUnderstood(each, read))
      }
      isSent = true
      const settings = { ...statement.settings, ...listed(statement, comment) }
      const response = await send(bound, { text: statement.text, format: statement.format, settings }, either)
      const summary = summaryOf(response.headers.get('x-clickhouse-summary'))
      const bounds = resultLimits(statement.settings)
      if (summary.resultRows > bounds.rows || summary.resultBytes > bounds.bytes) {
        await response.body?.cancel()
        throw tooLarge(bounds)
      }
      async function* output(): AsyncGenerator<Uint8Array> {
        try {
          for await (const chunk of response.body ?? []) yield chunk
        } catch (error) {
          throw told(error)
        } finally {
          ended()
        }
      }
      return { format: statement.format, output: output(), summary: () => summary }
    } catch (error) {
      if (isSent && either.aborted) cancel()
      ended()
      throw told(error)
    }
  }

  return {
    async query(query, signal) {
      if (closing.signal.aborted) throw stopping()
      const asked = askedOf(query)
      const wanted = refusing(() => readKill(asked))
      if (wanted) {
        return endQueries(queries, wanted, query, (text, format) => clickhouse.read({ text, params: {} }, format))
      }
      await account.ready()
      const functionNames = await known()
      const statement = refusing(() => admitted(query, asked, functionNames))
      const own: OwnQuery = queries.enter(query, asked.text)
      const either = AbortSignal.any([own.signal, closing.signal, ...(signal ? [signal] : [])])
      let place: number
      try {
        place = await places.acquire(query.caller ?? '', either)
      } catch (error) {
        own.leave()
        throw asAnalystsSee(error, statement.reach)
      }
      let isOver = false
      return start(query, statement, either, () => {
        if (isOver) return
        isOver = true
        places.release(place)
        own.leave()
      })
    },
    timezone: async () =>
      (await clickhouse.rows<{ zone: string }>({ text: 'SELECT timezone() AS zone', params: {} }))[0]?.zone ?? 'UTC',
    version: async () =>
      (await clickhouse.rows<{ name: string }>({ text: 'SELECT version() AS name', params: {} }))[0]?.name ?? '',
    async close() {
      closing.abort(stopping())
    },
  }
}

function summaryOf(header: string | null): SqlSummary {
  if (header === null) return emptySummary
  const told: Record<string, unknown> = JSON.parse(header)
  const numberOf = (name: string): number => Number(told[name] ?? 0)
  return {
    resultRows: numberOf('result_rows'),
    resultBytes: numberOf('result_bytes'),
    elapsed_ns: numberOf('elapsed_ns'),
  }
}
