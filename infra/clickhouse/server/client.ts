import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { killStatement } from '../../../sql/kill.ts'
import { bind } from '../../../sql/statement.ts'
import {
  type Bounds,
  boundSettings,
  type ClickHouse,
  ClickHouseError,
  clickHouseError,
  insertSettings,
  jsonLines,
  type Question,
} from '../clickhouse.ts'
import { ask } from './answer.ts'

export type ServerOptions = {
  /** The URL has user and password, and may have the client's own parameters (`compression_request=1`, ...). */
  readonly url: string
  /** Connections for the service's own questions and DDL; inserts have their own. */
  readonly connections?: number
  /** Connections for clients' queries. */
  readonly queries?: number
  /** Its tables are spread over several nodes. */
  readonly isCluster?: boolean
  /** Headers that each request carries, such as its place in a trace. */
  readonly headers?: () => Record<string, string>
  readonly readTimeout_ms?: number
  readonly insertTimeout_ms?: number
}

/** A statement that has just begun is not to be found yet. */
const killPauses_ms = [0, 200, 800]
const megabyte = 1024 * 1024
/** Connections for inserts alone, as embedded. */
const inserters = 4
/** How long a statement may be without a sign of life: a server that works sends one every ten seconds. */
const silence_ms = 60_000
/** Each sign of life is a header, and a statement may take a day. */
const headerBytes = 4 * megabyte
/** Below the three seconds after which old servers close an idle connection. */
const idleConnection_ms = 2_000

const sessionSettings = {
  output_format_json_escape_forward_slashes: 0,
  output_format_json_quote_64bit_integers: 0,
  // An update's document stands in its statement.
  max_query_size: String(256 * megabyte),
  // Room for the longest condition over undeclared members.
  max_ast_elements: '1000000',
  // As in embedded ClickHouse; by the name that older servers know, too.
  allow_statistics_optimize: 0,
  // An answer is whole, or an error by its status: never an error in the middle of rows.
  wait_end_of_query: 1,
} as const

/** A row is with its shard when its insert is answered; a subquery means the same rows on every shard. */
const clusterSettings = { insert_distributed_sync: 1, distributed_product_mode: 'global' } as const

/**
 * Only a `readonly` query ends with its client; any other statement runs on. 2 is as 1, but settings may be changed.
 */
const readSettings = { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 } as const
const runSettings = { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '10000' } as const

/** A repeated insert is only recognised when it is cut into the same blocks, whatever the server's profile says. */
const blockSettings = {
  insert_deduplicate: 1,
  max_insert_block_size: '1048449',
  min_insert_block_size_rows: '1048449',
  min_insert_block_size_bytes: '268402944',
  max_insert_threads: '1',
  parallel_view_processing: 0,
  materialized_views_ignore_errors: 0,
} as const

/**
 * A ClickHouse server behind HTTP. A statement without an answer in time is a ClickHouseError of code 0, and may have
 * happened.
 */
export function createServerClickHouse({
  url,
  connections = 6,
  queries = 16,
  isCluster = false,
  headers = () => ({}),
  readTimeout_ms = 30_000,
  insertTimeout_ms = 60_000,
}: ServerOptions): ClickHouse {
  const open = (sockets: number) =>
    createClient({
      url,
      application: 'weir',
      max_open_connections: sockets,
      request_timeout: silence_ms,
      max_response_headers_size: headerBytes,
      keep_alive: { enabled: true, idle_socket_ttl: idleConnection_ms },
      clickhouse_settings: { ...sessionSettings, ...(isCluster ? clusterSettings : {}) },
      log: { level: ClickHouseLogLevel.OFF },
    })
  const reader = open(connections)
  const writer = open(inserters)
  const asker = open(queries)

  const plainly = (text: string, format: string): Promise<Buffer> =>
    within(readTimeout_ms, (abort_signal) => {
      const query = `${text}\nFORMAT ${format}`
      return ask(reader, { query, abort_signal, clickhouse_settings: readSettings, http_headers: headers() })
    })

  /**
   * Kills a statement by its comment: even a server that cancels queries of closed connections may notice one late, or
   * never.
   */
  async function kill(comment: string): Promise<void> {
    for (const pause_ms of killPauses_ms) {
      await sleep(pause_ms)
      if ((await ask(reader, { query: `${killStatement(comment)} FORMAT TSV` })).length > 0) return
    }
  }

  async function bounded(text: string, bounds: Bounds): Promise<Buffer> {
    const { signal: abort_signal } = bounds
    const comment = `weir ${randomUUID()}`
    try {
      const clickhouse_settings = { ...runSettings, ...boundSettings(bounds, comment) }
      return await ask(asker, { query: text, abort_signal, clickhouse_settings, http_headers: headers() })
    } catch (error) {
      if (abort_signal.aborted) kill(comment).catch(() => {})
      throw faultOf(error)
    }
  }

  const read = (question: Question, format: string): Promise<Buffer> => {
    const text = bind(question)
    return question.within ? bounded(`${text}\nFORMAT ${format}`, question.within) : plainly(text, format)
  }

  return {
    read,
    rows: async <Row>(question: Question) => jsonLines<Row>(await read(question, 'JSONEachRow')),
    run: async (statement) => {
      if (typeof statement !== 'string' && statement.within) {
        await bounded(bind(statement), statement.within)
        return
      }
      const query = typeof statement === 'string' ? statement : bind(statement)
      const http_headers = headers()
      await ask(reader, { query, clickhouse_settings: runSettings, http_headers }).catch((error: unknown) => {
        throw faultOf(error)
      })
    },
    insert: (insertion) =>
      within(insertTimeout_ms, async (abort_signal) => {
        await ask(writer, {
          query: `INSERT INTO ${insertion.table} FORMAT JSONEachRow`,
          values: Readable.from([insertion.rows], { objectMode: false }),
          abort_signal,
          clickhouse_settings: { ...insertSettings(insertion), ...blockSettings },
          http_headers: headers(),
        })
      }),
    close: async () => {
      await Promise.all([reader.close(), writer.close(), asker.close()])
    },
  }
}

/** Bounds the whole of a request: the wait for a connection, the answer, and its last byte. */
async function within<Result>(time_ms: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), time_ms)
  try {
    return await work(deadline.signal)
  } catch (error) {
    throw deadline.signal.aborted
      ? new ClickHouseError(0, `ClickHouse gave no answer within ${time_ms} ms`, error)
      : faultOf(error)
  } finally {
    clearTimeout(timer)
  }
}

/** A connection that fails has its reason in `code` alone where several addresses were tried. */
function faultOf(error: unknown): ClickHouseError {
  const known = clickHouseError(error)
  if (known.message !== '') return known
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'no connection'
  return new ClickHouseError(0, `ClickHouse cannot be reached: ${code}`, error)
}
