import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AlgorithmActivities } from '../activities/graphs/algorithms/activities.ts'
import type { FileActivities } from '../activities/prediction/files/activities.ts'
import type { Registry } from '../activities/registry/registry.ts'
import type { Rules } from '../activities/rules/rules.ts'
import type { Recurrences } from '../activities/saved/agenda.ts'
import type { SchemaEdits } from '../activities/schemas/edit/edits.ts'
import { createRebuildActivities } from '../activities/schemas/rebuild/rebuild.ts'
import { createStreamDataActivities } from '../activities/stream-data/write-stream-data.ts'
import type { TrainingActivities } from '../activities/training/activities.ts'
import type { ObjectStore } from '../infra/buckets/store.ts'
import type { Catalogue } from '../infra/catalogue/catalogue.ts'
import type { ClickHouse } from '../infra/clickhouse/clickhouse.ts'
import type { Config } from '../infra/config.ts'
import type { Logger } from '../infra/logger.ts'
import { createInProcess } from '../infra/orchestration/in-process.ts'
import type { Orchestrator } from '../infra/orchestration/orchestrator.ts'
import type { RunOwners } from '../infra/orchestration/orphans.ts'
import { savedQueue } from '../infra/orchestration/recurring.ts'
import { createRunRecords } from '../infra/orchestration/run-records.ts'
import { temporalAddress } from '../infra/orchestration/temporal-address.ts'
import { traceActivities, traceOrchestrator } from '../infra/tracing/trace-workflows.ts'
import type { Tracing } from '../infra/tracing/tracing.ts'
import { workflows } from '../workflows/index.ts'
import { recurring } from '../workflows/recurring.ts'

export type OrchestrationDeps = {
  readonly config: Config
  readonly clickhouse: ClickHouse
  readonly catalogue: Pick<Catalogue, 'erased' | 'putErased' | 'goneAt'>
  readonly now_us: () => number
  readonly registry: Registry
  readonly edits: Pick<SchemaEdits, 'quiesce'>
  readonly rules: Pick<Rules, 'refill'>
  readonly objects: ObjectStore
  readonly owners: RunOwners
  readonly predictions: FileActivities
  readonly models: TrainingActivities
  readonly graphs: AlgorithmActivities
  readonly tracing: Tracing | undefined
  readonly logger: Logger
}

export type Orchestration = {
  readonly orchestrator: Orchestrator<typeof workflows>
  /** The workflows of saved questions; undefined where the process has its own clock for them. */
  readonly recurrences?: Recurrences
  /** Begins to work: once the catalogue is read. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Watches and schedules that are due at once; each waits for its turn in this process. */
const maxDue = 10_000

/** Where background jobs run: on Temporal, or in this process. */
export async function createOrchestration(deps: OrchestrationDeps): Promise<Orchestration> {
  const { config, clickhouse, catalogue, now_us, registry, edits, rules, objects, owners, tracing, logger } = deps
  const { models, predictions, graphs } = deps
  const steps = {
    ...createRebuildActivities({
      clickhouse,
      catalogue,
      quiesce: edits.quiesce,
      rules,
      schema: (name) => registry.schema(name).schema,
    }),
    ...models,
    ...createStreamDataActivities({ clickhouse, objects, source: registry.stream }),
    ...predictions,
    ...graphs,
  }
  const activities = tracing ? traceActivities(steps, tracing.tracer) : steps
  const traced = (orchestrator: Orchestrator<typeof workflows>) =>
    tracing ? traceOrchestrator(orchestrator, workflows, tracing.tracer) : orchestrator
  const at = temporalAddress(config)
  if (at === undefined) {
    const orchestrator = createInProcess({
      workflows,
      activities,
      records: createRunRecords(clickhouse, now_us),
      owners,
      logger,
    })
    return { orchestrator: traced(orchestrator), start: orchestrator.resume, close: orchestrator.close }
  }
  // Loaded only where they are needed: they are large.
  const { createTemporal } = await import('../infra/orchestration/temporal.ts')
  const { createTemporalRecurrences } = await import('../infra/orchestration/temporal-recurrences.ts')
  const { createWorker } = await import('../activities/worker.ts')
  const orchestrator = traced(createTemporal({ ...at, workflows, tracing, logger }))
  const { close, ...calls } = createTemporalRecurrences({ ...at, recurring })
  const recurrences: Recurrences = {
    ...calls,
    host: (activities) =>
      createWorker({ ...at, taskQueue: savedQueue, maxActivities: maxDue, activities, tracing, logger }),
  }
  async function closeClients(): Promise<void> {
    await Promise.all([orchestrator.close(), close()])
  }
  if (config.ROLE === 'api') return { orchestrator, recurrences, start: async () => {}, close: closeClients }
  let worker: ReturnType<typeof createWorker> | undefined
  return {
    orchestrator,
    recurrences,
    async start() {
      worker = createWorker({ ...at, activities, workflowsPath, bundlePath: builtBundle(), tracing, logger })
    },
    async close() {
      await worker?.close()
      await closeClients()
    },
  }
}

const isBuilt = import.meta.url.endsWith('.js')
const workflowsPath = fileURLToPath(new URL(`../workflows/temporal.${isBuilt ? 'js' : 'ts'}`, import.meta.url))

/** The bundle that `npm run build` has made of the workflows; from sources they are bundled at the start. */
function builtBundle(): string | undefined {
  const path = fileURLToPath(new URL('../workflows.bundle.cjs', import.meta.url))
  return isBuilt && existsSync(path) ? path : undefined
}
