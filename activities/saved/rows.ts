import { createHash, randomUUID } from 'node:crypto'
import { fault } from '../../base/faults.ts'
import { holdBack, outputOf } from '../../base/held-back.ts'
import type { Json } from '../../base/json.ts'
import type { SqlAnswer, SqlQuery, SqlRunner } from '../../infra/clickhouse/analysts/sql-runner.ts'
import { ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import type { Queries } from '../../infra/clickhouse/queries.ts'
import type { Feeder } from '../../infra/log/port.ts'
import { paramTexts } from '../../sql/analysts/param-texts.ts'
import type { Reach } from '../../sql/analysts/tables.ts'
import { parse, type Statement, sourceOf } from '../../sql/query/index.ts'
import type { SavedQuestion } from '../../sql/saved/definition.ts'
import { bindInWeir, isCombined, withoutEnd } from '../../sql/saved/placeholders.ts'
import type { Format } from '../../sql/saved/schedule.ts'
import { createQueuesOf } from '../analysts/freshness.ts'
import { faultOfSql } from '../analysts/sql-fault.ts'
import type { Place } from '../keys/places.ts'
import type { Continuation } from '../pages/continuation.ts'
import type { OpaqueCursors } from '../pages/opaque-cursors.ts'
import { plainLines, plainText } from '../pages/plain.ts'
import { placeBehind } from '../pages/plain-cursor.ts'
import type { Answers } from '../queries/answers.ts'
import type { Registry } from '../registry/registry.ts'
import { clickHouseFormat, pageOfLines } from './formats.ts'
import type { SharedQuestions } from './shared-questions.ts'

/** A question of a name, at a version. */
export type Version = {
  readonly name: string
  readonly number: number
  readonly question: SavedQuestion
  /** The places that the question may read; empty for everything. */
  readonly places: readonly Place[]
}

export type RowsRequest = {
  readonly version: Version
  readonly values: Readonly<Record<string, Json>>
  readonly format: Format
  readonly limit?: number
  readonly cursor?: string
  /** Settings that the question sends to ClickHouse, such as filters of tables. */
  readonly settings?: Readonly<Record<string, string>>
  readonly reader: {
    /** The key's id. */
    readonly by: string
    /** The key, or the address, by which it shares the places of queries. */
    readonly user: string
    readonly gone: AbortSignal
  }
}

/** The rows of an answer in their format. */
export type Rows =
  | {
      readonly kind: 'whole'
      readonly body: Buffer
      readonly bytes: number
      /** Where the format itself has no place for it. */
      readonly cursor?: string
    }
  | { readonly kind: 'stream'; readonly output: AsyncIterable<Uint8Array>; readonly cursor?: string }

export type AskRowsDeps = {
  /** Absent where the service has no SQL of analysts. */
  readonly runner: () => SqlRunner | undefined
  readonly reachOf: (places: readonly Place[]) => Reach | undefined
  readonly statements: Answers['statements']
  readonly queries: Pick<Queries, 'run'>
  readonly registry: Pick<Registry, 'all' | 'find'>
  readonly feeder: Pick<Feeder, 'mark'>
  /** Counts what is written beside events. */
  readonly written: () => number
  readonly cursors: OpaqueCursors
  readonly questions: SharedQuestions<Rows>
  readonly analystsPort: () => number | undefined
}

/** An answer of fewer bytes has an ETag, and serves all who ask at once. */
const maxWhole = 8 * 1024 * 1024

/** Asks saved questions for their rows. */
export function createAskRows(deps: AskRowsDeps) {
  const { runner, reachOf, statements, queries, registry, feeder, written, cursors, questions, analystsPort } = deps
  const queuesOf = createQueuesOf(registry)

  const cursorOf = ({ version: { name, number }, values, reader }: RowsRequest) => ({
    about: `saved ${name} ${number} ${JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
    caller: reader.by,
  })

  const bodyless = Buffer.alloc(0)

  function sqlQuery(request: RowsRequest, offset: number): SqlQuery {
    const { version, values, format, limit, reader } = request
    const { sql, db } = version.question
    const isPaged = limit !== undefined || offset > 0
    const reach = reachOf(version.places)
    // One row more tells whether any remain, where rows can be counted as they come.
    const most = limit === undefined ? undefined : limit + (isOfLines(format) ? 1 : 0)
    return {
      id: randomUUID(),
      text: isPaged && isCombined(sql) ? `SELECT * FROM (\n${withoutEnd(sql)}\n)` : sql,
      body: bodyless,
      format: clickHouseFormat[format],
      waits: true,
      params: paramTexts(sql, values),
      settings: {
        ...request.settings,
        output_format_json_quote_64bit_integers: '0',
        ...(most !== undefined && { limit: String(most) }),
        ...(offset > 0 && { offset: String(offset) }),
      },
      caller: reader.user,
      owner: `saved ${version.name}`,
      ...(db !== undefined && { database: db }),
      ...(reach && { reach }),
    }
  }

  async function askSql(request: RowsRequest, query: SqlQuery, offset: number, signal: AbortSignal): Promise<Rows> {
    const found = runner()
    if (!found) throw fault('off', 'this service answers no SQL of analysts, in which the question is')
    const { format, limit } = request
    let answer: SqlAnswer
    try {
      answer = await found.query(query, signal)
      if (!isOfLines(format))
        return await wholeOrStream(answer.output, (isAll) =>
          cursorBehindAll(request, isAll ? answer.summary().resultRows : (limit ?? 0), offset),
        )
      const page = pageOfLines(answer.output, {
        ...(limit !== undefined && { limit }),
        isObject: format === 'JSON',
        cursorBehind: (rows) => cursors.seal(cursorOf(request), [String(offset + rows)]),
      })
      return await wholeOrStream(page)
    } catch (error) {
      if (signal.aborted) throw fault('abandoned', 'the client has gone', { cause: error })
      throw error instanceof ClickHouseError && error.code !== 0 ? faultOfSql(query.text, error) : error
    }
  }

  /**
   * Of a format in which no row can be counted before the answer has ended: a page that is full may be the last one. The cursor
   * of a page that is read as it comes goes before its rows, so that such a page is taken for full.
   */
  function cursorBehindAll(request: RowsRequest, rows: number, offset: number): string | undefined {
    return request.limit === undefined || rows < request.limit
      ? undefined
      : cursors.seal(cursorOf(request), [String(offset + rows)])
  }

  async function wholeOrStream(
    output: AsyncIterable<Uint8Array>,
    cursorBehind?: (isAll: boolean) => string | undefined,
  ): Promise<Rows> {
    const held = await holdBack(output, maxWhole)
    const cursor = cursorBehind?.(held.isAll)
    const placed = cursor !== undefined && { cursor }
    if (!held.isAll) return { kind: 'stream', output: outputOf(held), ...placed }
    const body = Buffer.concat(held.begin)
    return { kind: 'whole', body, bytes: body.length, ...placed }
  }

  function statementOf({ version: { question }, values }: RowsRequest) {
    const text = bindInWeir(question.sql, values)
    return { text, statement: parse(text, analystsPort()) }
  }

  /** A limit in the text is the length of a page, as in any query; the smaller one holds where the request has one, too. */
  async function askWeir(request: RowsRequest, place: Continuation, signal: AbortSignal): Promise<Rows> {
    const { version, format, limit, reader } = request
    if (!isOfLines(format))
      throw fault(
        'invalid',
        `format: a question in Weir's language is answered as JSON or JSONEachRow, not as ${format}`,
      )
    const { text, statement } = statementOf(request)
    const isPaged = limit !== undefined && (statement.kind === 'rows' || statement.kind === 'aggregate')
    const { places, question } = version
    const sees = (each: Place): boolean => places.length === 0 || places.includes(each)
    const asked = isPaged ? { ...statement, limit: Math.min(limit, statement.limit ?? limit) } : statement
    const query = { text, eventual: false, sees, ...place }
    const answer = await queries.run(
      signal,
      (on) => statements.run(question.db ?? 'mydb', asked, query, on),
      reader.user,
    )
    const behind = answer.kind === 'rows' ? placeBehind(answer.page) : undefined
    const cursor = behind && cursors.seal(cursorOf(request), [behind.lastKey ?? '', behind.cursor ?? ''])
    const more = cursor === undefined ? '' : `${JSON.stringify({ more_data_to_come: 1, cursor })}\n`
    const body = Buffer.from(format === 'JSON' ? plainText(answer, cursor) : plainLines(answer) + more)
    return { kind: 'whole', body, bytes: body.length }
  }

  /** The queues of the streams that an answer has to have the events of. */
  function queuesOfWeir(statement: Statement): readonly string[] {
    const { schema = '', name } = statement.kind === 'usage' ? { name: '' } : sourceOf(statement)
    return registry.find(schema)?.streams.get(name)?.queues ?? []
  }

  /** Names all that decides the rows. A draft has the name and the number of what is saved, another text, and other rights. */
  function subjectOf(request: RowsRequest, opened: readonly string[]): string {
    const { version, format, limit = 0, settings = {}, reader } = request
    const { language, db = '', sql } = version.question
    const asked = [cursorOf(request).about, language, db, sql, version.places.toSorted(), format, limit, opened]
    // A cursor belongs to one key, so answers that may have one are shared among requests of that key alone.
    const mayEndEarly = limit > 0 || language === 'weir'
    const subject = JSON.stringify([...asked, mayEndEarly ? reader.by : '', settings])
    return createHash('sha256').update(subject).digest('base64')
  }

  /** Asks once what is asked at once: the question of a reader, or the answer of an equal one. */
  return async (request: RowsRequest) => {
    const { cursor, reader } = request
    const { question } = request.version
    const opened = cursor === undefined ? [] : cursors.open(cursorOf(request), cursor)
    const isSql = question.language === 'sql'
    const offset = isSql ? Number(opened[0] ?? 0) : 0
    const query = isSql ? sqlQuery(request, offset) : undefined
    const [lastKey = '', mark = ''] = opened
    const place = { ...(lastKey !== '' && { lastKey }), ...(mark !== '' && { cursor: mark }) }
    const queues = query ? queuesOf(query) : queuesOfWeir(statementOf(request).statement)
    return questions.ask({
      subject: subjectOf(request, opened),
      mark: `${written()} ${feeder.mark(queues)}`,
      fresh_ms: question.cache_s * 1000,
      client: reader.gone,
      ask: (signal) => (query ? askSql(request, query, offset, signal) : askWeir(request, place, signal)),
    })
  }
}

export type AskRows = ReturnType<typeof createAskRows>

/** Whether rows can be told apart in the answer. */
const isOfLines = (format: Format): boolean => clickHouseFormat[format] === 'JSONEachRow'
