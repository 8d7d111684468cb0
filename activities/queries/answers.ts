import type { Catalogue } from '../../infra/catalogue/catalogue.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Config } from '../../infra/config.ts'
import type { Feeder } from '../../infra/log/port.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { GraphRequest } from '../graphs/answers.ts'
import type { Graphs } from '../graphs/graphs.ts'
import type { Accept } from '../ingest/accept.ts'
import { createNotificationQueries } from '../notifications/queries.ts'
import type { Cursors } from '../pages/cursors.ts'
import type { Registry } from '../registry/registry.ts'
import type { TableEngine } from '../tables/engine.ts'
import { createTableQueries } from '../tables/queries.ts'
import { createTableStatements } from '../tables/statements.ts'
import { believedOfReplicas_ms, createTableStatistics } from '../tables/statistics.ts'
import { createRunStatement } from './run-statement.ts'
import { createStreamQueries } from './streams.ts'
import { createWouldDelete } from './would-delete.ts'

type GraphQuestion = GraphRequest & { readonly queues: readonly string[] }

export type AnswersDeps = {
  readonly registry: Registry
  readonly tables: Pick<TableEngine, 'tables' | 'indexes' | 'records'>
  readonly graphs: Graphs
  readonly feeder: Feeder
  readonly cursors: Cursors
  readonly accept: Accept
  readonly countBuckets: () => Promise<number>
  readonly countKeys: () => Promise<number>
  readonly metrics: Pick<Metrics, 'queries'>
  readonly config: Pick<Config, 'CLICKHOUSE_CLUSTER'>
  readonly catalogue: Pick<Catalogue, 'sessionsSince'>
}

/** All that reads ClickHouse for a client, each time on the ClickHouse of one query. */
export function createAnswers(deps: AnswersDeps) {
  const { registry, tables, graphs, feeder, cursors, accept, countBuckets, countKeys, metrics, config, catalogue } =
    deps
  const believed_ms = config.CLICKHOUSE_CLUSTER === undefined ? Number.POSITIVE_INFINITY : believedOfReplicas_ms
  const streams = createStreamQueries({ feeder, cursors, catalogue })
  const queries = createTableQueries(cursors)
  return {
    statements: createRunStatement({
      registry,
      streams,
      tables: createTableStatements({ ...tables, queries }),
      notifications: createNotificationQueries(cursors),
      accept,
      metrics,
    }),
    countEvents: streams.count,
    countAll: streams.counts,
    notesOn: streams.notesOn,
    caughtUpButFailing: streams.caughtUpButFailing,
    /** `queues`: parts of the log whose events the answer must hold. */
    async graph({ queues, ...request }: GraphQuestion, on: QueryClickHouse): Promise<string> {
      const stopTimer = metrics.queries.startTimer({ form: 'graph' })
      try {
        await feeder.caughtUp(queues)
        return await graphs.answer(request, on)
      } finally {
        stopTimer()
      }
    },
    record: queries.record,
    wouldDelete: createWouldDelete({ registry, streams, graphs, tables: queries }),
    tableStatistics: createTableStatistics({ countBuckets, countKeys, believed_ms }),
  }
}

export type Answers = ReturnType<typeof createAnswers>
