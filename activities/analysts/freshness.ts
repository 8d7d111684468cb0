import { Fault } from '../../base/faults.ts'
import type { SqlQuery, SqlRunner } from '../../infra/clickhouse/analysts/sql-runner.ts'
import { exception } from '../../infra/clickhouse/exceptions.ts'
import type { Feeder } from '../../infra/log/port.ts'
import { StatementRefusal } from '../../sql/analysts/refusal.ts'
import { isWaiting, waitIn, waitSetting } from '../../sql/analysts/waiting.ts'
import type { RegisteredStream, Registry } from '../registry/registry.ts'

export type FreshnessDeps = {
  readonly registry: Pick<Registry, 'all'>
  readonly feeder: Pick<Feeder, 'caughtUp'>
}

/** The database in which the nodes and relations of all schemas stand. */
const graphs = 'graph'

/** The queues of the streams that a statement may mean: of those whose names it has, or the names of their views. */
export const createQueuesOf =
  (registry: FreshnessDeps['registry']) =>
  ({
    text,
    body,
    database = '',
    params,
    reach,
  }: Pick<SqlQuery, 'text' | 'body' | 'database' | 'params' | 'reach'>): string[] => {
    const whole = [text, body.toString('latin1'), database, ...Object.values(params)].join('\n')
    const words = new Set(whole.match(/\w+/g))
    const meant = registry.all().flatMap(({ schema, streams }) => {
      const isReached = reach === undefined || reach.databases.has(schema.name)
      const isNamed = words.has(schema.name) || words.has(graphs)
      return isReached && isNamed ? streamsIn(words, streams) : []
    })
    return [...new Set(meant.flatMap(({ queues }) => queues))]
  }

/**
 * A statement that waits begins once all is there that was acknowledged before it, to the streams that it may mean: of a
 * schema that it names, and of all where it names graphs.
 */
export function withFreshness(runner: SqlRunner, { registry, feeder }: FreshnessDeps): SqlRunner {
  const queuesOf = createQueuesOf(registry)
  return {
    ...runner,
    async query(query, signal) {
      const queues = isToWait(query) ? queuesOf(query) : []
      if (queues.length > 0) await feeder.caughtUp(queues)
      return runner.query(query, signal)
    },
  }
}

/** The statement's own word comes first, then that of its settings. */
function isToWait({ text, body, settings, waits = false }: SqlQuery): boolean {
  const asked = settings[waitSetting]
  try {
    return waitIn(`${text}\n${body.toString('utf8')}`) ?? (asked === undefined ? waits : isWaiting(asked))
  } catch (error) {
    if (!(error instanceof StatementRefusal)) throw error
    throw exception(error.code, error.exception, error.message)
  }
}

/** The streams that words name, by themselves or by a view such as `orders_by_60s`; all where they name none, or graphs. */
function streamsIn(words: ReadonlySet<string>, streams: ReadonlyMap<string, RegisteredStream>): RegisteredStream[] {
  const all = [...streams.values()]
  if (words.has(graphs)) return all
  const begins = new Set([...words].flatMap(beginsOf))
  const named = all.filter(({ stream }) => begins.has(stream.name))
  return named.length > 0 ? named : all
}

/** The names that a stream may have whose table, or view, has such a name. */
function beginsOf(name: string): string[] {
  const [begin = ''] = name.split('__', 1)
  const by = begin.lastIndexOf('_by_')
  return by < 0 ? [begin] : [begin, begin.slice(0, by)]
}

/** A wait that ran out, as ClickHouse words it. */
export const lateException = (error: unknown): unknown =>
  error instanceof Fault && error.kind === 'late' ? exception(159, 'TIMEOUT_EXCEEDED', error.message) : error
