import type { Audit } from '../activities/audit/audit.ts'
import type { Engines } from '../activities/engines.ts'
import type { Config } from '../infra/config.ts'
import type { World } from '../infra/world.ts'
import { createErasures } from './erasures.ts'
import { createFilePredictions } from './file-predictions.ts'
import { createGraphAlgorithms } from './graph-algorithms.ts'
import { createOrchestration } from './orchestration.ts'
import { createRebuilds } from './rebuilds.ts'
import { createDeletionRemoval } from './removal-of-deleted.ts'
import { createStreamUpload } from './stream-upload.ts'
import { createTrainings } from './trainings.ts'

export type JobsDeps = Pick<
  Engines,
  | 'registry'
  | 'deletions'
  | 'schemas'
  | 'tables'
  | 'objects'
  | 'models'
  | 'training'
  | 'predictions'
  | 'graphs'
  | 'refusedEvents'
> & {
  readonly config: Config
  readonly world: World
  readonly audit: Audit
}

/** The jobs that run as workflows, here or on Temporal. */
export async function createJobs(deps: JobsDeps) {
  const { config, world, registry, deletions, audit, schemas, tables, objects, models, training, predictions, graphs } =
    deps
  const { clickhouse, catalogue, feeder, clock, versions, logger } = world
  const { edits, rules } = schemas
  const { orchestrator, recurrences, start, close } = await createOrchestration({
    config,
    clickhouse,
    catalogue,
    now_us: versions.next,
    registry,
    edits,
    rules,
    objects: objects.objects,
    owners: world.sharing,
    predictions: predictions.activities,
    models: training.activities,
    graphs: graphs.activities,
    tracing: world.tracing,
    logger,
  })
  const { buckets } = objects
  const removal = createDeletionRemoval({ deletions, audit, logger })
  const filePredictions = createFilePredictions({ predictions, objects: objects.objects, orchestrator })
  const rebuilds = createRebuilds({ clickhouse, catalogue, registry, edits, orchestrator })
  return {
    rebuilds,
    erasures: createErasures({ registry, erase: schemas.erase, rebuilds, refusedEvents: deps.refusedEvents }),
    graphAlgorithms: createGraphAlgorithms({ graphs, feeder, orchestrator }),
    filePredictions,
    upload: createStreamUpload({ feeder, clock, orchestrator }),
    trainings: createTrainings({
      ...{ models, buckets, registry, feeder, clock, clickhouse, orchestrator, filePredictions },
      tables: tables.tables,
      changing: world.sharing.changeTables,
    }),
    ask: orchestrator.ask,
    recurrences,
    /** Begins to work: once the catalogue is read. */
    async open(): Promise<void> {
      await start()
      removal.open()
    },
    async close(): Promise<void> {
      await removal.close()
      await close()
    },
  }
}

export type Jobs = Awaited<ReturnType<typeof createJobs>>
