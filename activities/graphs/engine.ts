import { createSeal } from '../../base/sealed-texts.ts'
import type { Config } from '../../infra/config.ts'
import { drain_ms } from '../../infra/log/delivery.ts'
import type { World } from '../../infra/world.ts'
import { schemaGraph } from '../../sql/schema/names.ts'
import type { Registry } from '../registry/registry.ts'
import type { Deletions } from '../undo/deletions.ts'
import { createAlgorithmActivities } from './algorithms/activities.ts'
import { createCompaction } from './compaction.ts'
import { createGraphs } from './graphs.ts'
import { createDirectSink, createLoggedSink } from './sink.ts'
import { openGraphThreads } from './threads/open-graph-threads.ts'

export type GraphEngineDeps = {
  readonly config: Pick<Config, 'CLICKHOUSE_CLUSTER' | 'CLICKHOUSE_URL'>
  readonly world: Pick<World, 'clickhouse' | 'log' | 'feeder' | 'delivery' | 'clock' | 'secrets' | 'sharing' | 'logger'>
  readonly registry: Registry
  readonly deletions: Pick<Deletions, 'setAside' | 'settle'>
}

/** The graphs of schemas and of clients: one store, one meaning. */
export function createGraphEngine({ config, world, registry, deletions }: GraphEngineDeps) {
  const { clickhouse, log, feeder, delivery, clock, secrets, sharing, logger } = world
  const threads = openGraphThreads(2)
  // No query waits for algorithms that take long.
  const queryThreads = openGraphThreads(2)
  // Other processes, and Kafka's consumers, do not see into this process's log.
  const isAlone = !sharing.isShared && !delivery.redelivers
  const isCluster = config.CLICKHOUSE_CLUSTER !== undefined
  const compaction = createCompaction({ clickhouse, isEmbedded: config.CLICKHOUSE_URL === undefined, logger })
  const queuesOf = (graph: string): string[] => graphQueues(registry, graph)
  /** All acknowledged additions are in the tables then, and new ones wait in the log. */
  async function quietly<Result>(graph: string, work: () => Promise<Result>): Promise<Result> {
    const queues = queuesOf(graph)
    await feeder.caughtUp(queues, drain_ms)
    return feeder.hold(queues, work)
  }
  const graphs = createGraphs({
    clickhouse,
    clock,
    sink: isAlone ? createLoggedSink({ log, feeder }) : createDirectSink(clickhouse),
    seal: createSeal(secrets.cursors, 'base64url'),
    schemaOf: (graph) => registry.all().find(({ schema }) => schemaGraph(schema.name) === graph)?.schema,
    streamQueues: queuesOf,
    exclusively: sharing.changeSchemas,
    merging: sharing.mergeNodes,
    unhindered: compaction.without,
    ...(isAlone && { quietly }),
    isShared: sharing.isShared,
    threads: queryThreads,
    deletions,
    logger,
    isCluster,
  })
  return {
    graphs,
    /** The steps of workflows. */
    activities: createAlgorithmActivities({ clickhouse, clock, threads, writeScores: graphs.writeScores }),
    async open(): Promise<void> {
      await graphs.open()
      // A cluster's nodes merge by themselves.
      if (!isCluster) compaction.start()
    },
    async close(): Promise<void> {
      await compaction.close()
      await graphs.close()
      await Promise.all([threads.close(), queryThreads.close()])
    },
  }
}

export type GraphEngine = ReturnType<typeof createGraphEngine>

/** The parts of the log whose events bring triples into a graph: every stream of its schema may. */
function graphQueues(registry: Pick<Registry, 'all'>, graph: string): string[] {
  const found = [...registry.all()].find(({ schema }) => schemaGraph(schema.name) === graph)
  return [...new Set([...(found?.streams.values() ?? [])].flatMap(({ queues }) => queues))]
}
