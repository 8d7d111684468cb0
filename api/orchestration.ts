import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createRebuildActivities } from '../activities/rebuild/index.ts'
import { createStreamDataActivities } from '../activities/write-stream-data.ts'
import type { ObjectStore } from '../infra/buckets/store.ts'
import type { ClickHouse } from '../infra/clickhouse/clickhouse.ts'
import type { Config } from '../infra/config.ts'
import type { Logger } from '../infra/logger.ts'
import { createInProcess } from '../infra/orchestration/in-process.ts'
import type { Orchestrator } from '../infra/orchestration/orchestrator.ts'
import { createRunRecords } from '../infra/orchestration/run-records.ts'
import { workflows } from '../workflows/index.ts'
import type { Registry } from './services/registry.ts'
import type { SchemaEdits } from './services/schema-edits.ts'

export type OrchestrationDeps = {
  readonly config: Config
  readonly clickhouse: ClickHouse
  readonly now_us: () => number
  readonly registry: Registry
  readonly edits: Pick<SchemaEdits, 'hold'>
  readonly objects: ObjectStore
  readonly logger: Logger
}

export type Orchestration = {
  readonly orchestrator: Orchestrator<typeof workflows>
  /** Begins to work: once the catalogue is read. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Where background jobs run: on Temporal, or in this process. */
export async function createOrchestration(deps: OrchestrationDeps): Promise<Orchestration> {
  const { config, clickhouse, now_us, registry, edits, objects, logger } = deps
  const activities = {
    ...createRebuildActivities({ clickhouse, hold: edits.hold, schema: (name) => registry.schema(name).schema }),
    ...createStreamDataActivities({ clickhouse, objects, source: registry.stream }),
  }
  if (config.TEMPORAL_ADDRESS === undefined) {
    const orchestrator = createInProcess({
      workflows,
      activities,
      records: createRunRecords(clickhouse, now_us),
      logger,
    })
    // Of several processes the ones that are all in one take up what was left: there should be one of those.
    const start = async () => (config.ROLE === 'all' ? orchestrator.resume() : undefined)
    return { orchestrator, start, close: orchestrator.close }
  }
  const at = {
    address: config.TEMPORAL_ADDRESS,
    namespace: config.TEMPORAL_NAMESPACE,
    tls: config.TEMPORAL_TLS === '1' || config.TEMPORAL_API_KEY !== undefined,
    ...(config.TEMPORAL_API_KEY !== undefined && { apiKey: config.TEMPORAL_API_KEY }),
  }
  // Loaded only where they are needed: they are large.
  const { createTemporal } = await import('../infra/orchestration/temporal.ts')
  const orchestrator = createTemporal({ ...at, workflows })
  if (config.ROLE === 'api') return { orchestrator, start: async () => {}, close: orchestrator.close }
  const { createWorker } = await import('../activities/worker.ts')
  let worker: ReturnType<typeof createWorker> | undefined
  return {
    orchestrator,
    async start() {
      worker = createWorker({ ...at, activities, workflowsPath, bundlePath: builtBundle(), logger })
    },
    async close() {
      await worker?.close()
      await orchestrator.close()
    },
  }
}

const isBuilt = import.meta.url.endsWith('.js')
const workflowsPath = fileURLToPath(new URL(`../workflows/temporal.${isBuilt ? 'js' : 'ts'}`, import.meta.url))

/** What `npm run build` has made of the workflows; from sources they are bundled at the start. */
function builtBundle(): string | undefined {
  const path = fileURLToPath(new URL('../workflows.bundle.cjs', import.meta.url))
  return isBuilt && existsSync(path) ? path : undefined
}
