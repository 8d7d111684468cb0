import { createHmac } from 'node:crypto'
import { createGraphs, type GraphsDeps } from '../../../activities/graphs/graphs.ts'
import { createDirectSink } from '../../../activities/graphs/sink.ts'
import { openGraphThreads } from '../../../activities/graphs/threads/open-graph-threads.ts'
import { createMutex } from '../../../base/mutex.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { createClock } from '../../../infra/clock.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const sign = (text: string): string => createHmac('sha256', 'secret').update(text).digest('base64url')

const seal = {
  seal: (text: string, about: string): string => `${sign(text + about)}.${Buffer.from(text).toString('base64url')}`,
  open(sealed: string, about: string): string | undefined {
    const [mac = '', body = ''] = sealed.split('.')
    const text = Buffer.from(body, 'base64url').toString()
    return sign(text + about) === mac ? text : undefined
  },
}

/** Graphs on ClickHouse of their own; `ask` sends a text to one of them and gives the answer as a value. */
export async function openGraphs(
  schemas: readonly string[] = [],
  path = temporaryFolder(),
  wrap = (real: ClickHouse): ClickHouse => real,
  logger = silentLogger(),
) {
  const clickhouse = wrap(createEmbeddedClickHouse({ path }))
  await migrate(clickhouse)
  const clock = createClock()
  const schemaOf = (graph: string) => schemas.map((name) => ({ name })).find(({ name }) => `${name}_graph` === graph)
  const threads = openGraphThreads(1)
  const merging = createMutex()
  const sink = createDirectSink(clickhouse)
  const create = (more: Partial<GraphsDeps> = {}) =>
    createGraphs({
      clickhouse,
      clock,
      sink,
      seal,
      schemaOf,
      exclusively: createMutex(),
      merging,
      threads,
      deletions: { setAside: () => Promise.reject(new Error('nothing is kept here')), settle: async () => {} },
      logger,
      ...more,
    })
  const graphs = create()
  await graphs.open()
  return {
    clickhouse,
    graphs,
    threads,
    /** The same service, started anew. */
    create,
    ask: async (graph: string, text: string, levk?: string) =>
      JSON.parse(await graphs.answer({ graph, text, ...(levk !== undefined && { levk }) })),
    async close(): Promise<void> {
      await graphs.close()
      await threads.close()
      await clickhouse.close()
    },
  }
}
