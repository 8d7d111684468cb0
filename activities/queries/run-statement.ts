import { Fault, fault } from '../../base/faults.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { isNotificationSource } from '../../sql/notification/select.ts'
import { refuseEarlyBounds } from '../../sql/query/compared.ts'
import { openQuestion } from '../../sql/query/compile/open-sessions.ts'
import { type Statement, sourceOf } from '../../sql/query/index.ts'
import { PlacedRefusal, withCaretOf } from '../../sql/query/placed-refusal.ts'
import type { Accept } from '../ingest/accept.ts'
import type { NotificationQueries } from '../notifications/queries.ts'
import type { StreamQuery } from '../pages/continuation.ts'
import { type Answer, changeAnswer, countAnswer, rowsAnswer } from '../pages/page.ts'
import type { RegisteredStream, Registry } from '../registry/registry.ts'
import type { TableStatements } from '../tables/statements.ts'
import { createPageLines, type LineReader } from './page-lines.ts'
import type { StreamQueries } from './streams.ts'

export type RunStatementDeps = {
  readonly registry: Registry
  readonly streams: StreamQueries
  readonly tables: TableStatements
  readonly notifications: NotificationQueries
  readonly accept: Accept
  readonly metrics: Pick<Metrics, 'queries'>
}

/** Runs any statement of the query language. */
export function createRunStatement({ registry, streams, tables, notifications, accept, metrics }: RunStatementDeps) {
  const usage = async (query: StreamQuery, on: QueryClickHouse) =>
    rowsAnswer(await streams.usage(registry.queues(), query, on))

  async function ofStream(statement: Statement, query: StreamQuery, on: QueryClickHouse): Promise<Answer> {
    const { schema = '', name, at } = sourceOf(statement)
    const target = registry.stream(schema, name)
    if (query.at_us !== undefined && target.stream.kind !== 'entity')
      throw fault('invalid', `at: ${schema}.${name} is no entity; at is the time of which windows by key tell`)
    if ('where' in statement && statement.where)
      refuseEarlyBounds(target.stream, statement.where, statement.kind === 'aggregate' ? 'intervals' : 'events')
    switch (statement.kind) {
      case 'insert':
        return insertEvent(statement)
      case 'count': {
        const { count, notes } = await streams.count(target, statement, query, on)
        return countAnswer(count, notes)
      }
      case 'rows':
        return rowsAnswer(await streams.rows(target, statement, query, on))
      case 'aggregate':
        return rowsAnswer(await streams.aggregate(target, statement, query, on))
      default:
        throw new PlacedRefusal(
          at,
          `${schema}.${name} is a stream: what it holds is not changed; insert adds an event, delete from ${schema}.${name} where ... removes some`,
        )
    }
  }

  /** `insert into S.ST values null {json}`: an event, as if it were posted. */
  async function insertEvent(statement: Extract<Statement, { kind: 'insert' }>): Promise<Answer> {
    const { into, key, document, reverseIndex } = statement
    const { schema, stream, ingest } = registry.stream(into.schema ?? '', into.name)
    const name = `${schema.name}.${stream.name}`
    const refuse = (problem: string) => new PlacedRefusal(into.at, problem)
    if (!ingest) throw refuse(`${name} is fed by other streams and takes no inserts`)
    if (key !== undefined) throw refuse(`an event has no key of its own: insert into ${name} values null {...}`)
    if (document.kind !== 'json') throw refuse('an event is a JSON object: write {"attribute": value, ...}')
    if (reverseIndex.length > 0) throw refuse(`${name} is a stream: revidx goes with tables`)
    const answer = await accept(schema.name, stream.name, { body: Buffer.from(document.text), isBatch: false })
    const { error }: { readonly error?: readonly string[] } = JSON.parse(answer)
    return changeAnswer(0, error)
  }

  async function ofNotifications(
    statement: Statement,
    query: StreamQuery,
    on: QueryClickHouse,
  ): Promise<Answer | undefined> {
    if (statement.kind !== 'rows' && statement.kind !== 'count') return undefined
    const { schema, name } = statement.from
    if (schema !== undefined || !isNotificationSource(name)) return undefined
    if (statement.kind === 'rows') return rowsAnswer(await notifications.rows(name, statement, query, on))
    return countAnswer(await notifications.count(name, statement, on))
  }

  async function run(database: string, statement: Statement, query: StreamQuery, on: QueryClickHouse): Promise<Answer> {
    if (statement.kind === 'usage') return usage(query, on)
    const { schema = '' } = sourceOf(statement)
    if (schema !== '' && (registry.find(schema) || !tables.knows(schema))) return ofStream(statement, query, on)
    const told = await ofNotifications(statement, query, on)
    if (told !== undefined) return told
    try {
      return await tables.run(database, statement, query, on)
    } catch (error) {
      throw schema === '' ? withStreams(sourceOf(statement).name, query, error) : error
    }
  }

  /** A table that is not there may be meant as a stream of that name, in a schema that the caller may see. */
  function withStreams(name: string, { sees }: StreamQuery, error: unknown): unknown {
    if (!(error instanceof Fault) || error.kind !== 'missing') return error
    const meant = registry
      .all()
      .filter(({ schema, streams }) => streams.has(name) && (sees?.(`schema:${schema.name}`) ?? true))
      .slice(0, 5)
      .map(({ schema }) => `${schema.name}.${name}`)
    if (meant.length === 0) return error
    return fault('missing', `${error.message}; did you mean ${meant.join(' or ')}?`, error.details)
  }

  return {
    usage,
    /** Runs a statement, which `query.text` says, on the database of that name; a refusal is reported with its place in the text. */
    run: (database: string, statement: Statement, query: StreamQuery, on: QueryClickHouse): Promise<Answer> =>
      timed(statement, query, () => run(database, statement, query, on)),

    /** The answer as lines, part by part: as many as the statement asks for, whatever a page holds. */
    lines(database: string, statement: Statement, query: StreamQuery): LineReader {
      const target = streamOf(statement)
      const isOfEvents = target && target.stream.kind !== 'entity' && statement.kind === 'rows'
      if (isOfEvents && openQuestion(target, statement.where) === undefined) {
        const reader = streams.lines(target, statement, query)
        return {
          next: (on) =>
            timed(statement, query, () => {
              if (statement.where) refuseEarlyBounds(target.stream, statement.where)
              return reader.next(on)
            }),
        }
      }
      const answer = (each: Statement, asked: StreamQuery, on: QueryClickHouse) =>
        timed(each, query, () => run(database, each, asked, on))
      return createPageLines({ statement, query, answer })
    },
  }

  async function timed<Result>(
    statement: Statement,
    { text }: StreamQuery,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const stopTimer = metrics.queries.startTimer({ form: statement.kind })
    try {
      return await work()
    } catch (error) {
      throw withCaretOf(text, error)
    } finally {
      stopTimer()
    }
  }

  /** The stream that a statement names, where it names one. */
  function streamOf(statement: Statement): RegisteredStream | undefined {
    if (statement.kind === 'usage') return undefined
    const { schema = '', name } = sourceOf(statement)
    return registry.find(schema)?.streams.get(name)
  }
}

export type RunStatement = ReturnType<typeof createRunStatement>
