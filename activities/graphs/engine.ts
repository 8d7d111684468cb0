import type { Config } from '../../infra/config.ts'
import { createSeal } from '../../infra/sealed-texts.ts'
import type { World } from '../../infra/world.ts'
import { schemaGraph } from '../../sql/schema/names.ts'
import type { Registry } from '../schemas/registry.ts'
import { createAlgorithmActivities } from './algorithms/activities.ts'
import { openAlgorithmThreads } from './algorithms/open-algorithm-threads.ts'
import { createGraphs } from './graphs.ts'

export type GraphEngineDeps = {
  readonly config: Pick<Config, 'CLICKHOUSE_CLUSTER'>
  readonly world: Pick<World, 'clickhouse' | 'clock' | 'secrets' | 'sharing' | 'logger'>
  readonly registry: Registry
}

/** The graphs of schemas and of clients: one store, one meaning. */
export function createGraphEngine({ config, world, registry }: GraphEngineDeps) {
  const { clickhouse, clock, secrets, sharing, logger } = world
  // One that takes long leaves room for a query's.
  const threads = openAlgorithmThreads(2)
  const graphs = createGraphs({
    clickhouse,
    clock,
    seal: createSeal(secrets.cursors, 'base64url'),
    schemaOf: (graph) => registry.all().find(({ schema }) => schemaGraph(schema.name) === graph)?.schema,
    exclusively: sharing.changeSchemas,
    merging: sharing.mergeNodes,
    threads,
    logger,
    isCluster: config.CLICKHOUSE_CLUSTER !== undefined,
  })
  return {
    graphs,
    /** The steps of workflows. */
    activities: createAlgorithmActivities({ clickhouse, clock, threads, writeScores: graphs.writeScores }),
    open: graphs.open,
    async close(): Promise<void> {
      await graphs.close()
      await threads.close()
    },
  }
}

export type GraphEngine = ReturnType<typeof createGraphEngine>
