import { Fault, fault } from '../../base/faults.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Metrics } from '../../infra/metrics.ts'
import { isNotificationSource } from '../../sql/notification/select.ts'
import type { Condition } from '../../sql/query/ast.ts'
import { earlyBoundsIn } from '../../sql/query/compared.ts'
import { parse, type Statement, sourceOf } from '../../sql/query/index.ts'
import { PlacedRefusal, withCaret } from '../../sql/query/placed-refusal.ts'
import type { Accept } from '../ingest/accept.ts'
import type { NotificationQueries } from '../notifications/queries.ts'
import type { StreamQuery } from '../pages/continuation.ts'
import { pageText, retval } from '../pages/page.ts'
import type { RegisteredStream, Registry } from '../registry/registry.ts'
import type { TableStatements } from '../tables/statements.ts'
import type { StreamQueries } from './streams.ts'

export type RunStatementDeps = {
  readonly registry: Registry
  readonly streams: StreamQueries
  readonly tables: TableStatements
  readonly notifications: NotificationQueries
  readonly accept: Accept
  readonly metrics: Pick<Metrics, 'queries'>
}

/** Runs any statement of the query language; answers are JSON text. */
export function createRunStatement({ registry, streams, tables, notifications, accept, metrics }: RunStatementDeps) {
  const usage = async (query: StreamQuery, on: QueryClickHouse) =>
    pageText(await streams.usage(registry.queues(), query, on))

  async function ofStream(statement: Statement, query: StreamQuery, on: QueryClickHouse): Promise<string> {
    const { schema = '', name, at } = sourceOf(statement)
    const target = registry.stream(schema, name)
    if ('where' in statement && statement.where) refuseEarlyBounds(target, statement.where)
    switch (statement.kind) {
      case 'insert':
        return insertEvent(statement)
      case 'count':
        return countText(await streams.count(target, statement, query, on))
      case 'rows':
        return pageText(await streams.rows(target, statement, query, on))
      case 'aggregate':
        return pageText(await streams.aggregate(target, statement, query, on))
      default:
        throw new PlacedRefusal(
          at,
          `${schema}.${name} is a stream: what it holds is not changed; insert adds an event, delete from ${schema}.${name} where ... removes some`,
        )
    }
  }

  /** `insert into S.ST values null {json}`: an event, as if it were posted. */
  async function insertEvent(statement: Extract<Statement, { kind: 'insert' }>): Promise<string> {
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
    return retval(0, error)
  }

  async function ofNotifications(
    statement: Statement,
    query: StreamQuery,
    on: QueryClickHouse,
  ): Promise<string | undefined> {
    if (statement.kind !== 'rows' && statement.kind !== 'count') return undefined
    const { schema, name } = statement.from
    if (schema !== undefined || !isNotificationSource(name)) return undefined
    if (statement.kind === 'rows') return pageText(await notifications.rows(name, statement, query, on))
    return retval(await notifications.count(name, statement, on))
  }

  async function run(database: string, statement: Statement, query: StreamQuery, on: QueryClickHouse): Promise<string> {
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
    /** A statement on the database of that name; a refusal is reported with its place in the text. */
    async run(database: string, query: StreamQuery, on: QueryClickHouse): Promise<string> {
      const statement = parse(query.text, query.analystsPort)
      const stopTimer = metrics.queries.startTimer({ form: statement.kind })
      try {
        return await run(database, statement, query, on)
      } catch (error) {
        throw withCaretOf(query.text, error)
      } finally {
        stopTimer()
      }
    },
  }
}

/** A bound in milliseconds would bound nothing. */
function refuseEarlyBounds({ stream }: RegisteredStream, where: Condition): void {
  const [early] = earlyBoundsIn(where, (path) => stream.attributes.some(({ name }) => name === path))
  if (early) throw new PlacedRefusal(early.at, early.sentence)
}

const countText = ({ count, notes }: { readonly count: number; readonly notes: readonly string[] }): string =>
  retval(count, notes)

export type RunStatement = ReturnType<typeof createRunStatement>

/** A refusal with its place in the text; any other error as it is. */
export const withCaretOf = (text: string, error: unknown): unknown => {
  try {
    return withCaret(text, () => {
      throw error
    })
  } catch (caught) {
    return caught
  }
}
