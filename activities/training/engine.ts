import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../infra/config.ts'
import type { World } from '../../infra/world.ts'
import type { ModelEngine } from '../models/engine.ts'
import { createModelProcesses, modelProcessSettings } from '../models/process/model-processes.ts'
import type { ObjectEngine } from '../objects/engine.ts'
import type { Registry } from '../registry/registry.ts'
import { createTrainingActivities } from './activities.ts'
import { createScriptRunner } from './python/script-runner.ts'
import { createRunScript } from './script/run-script.ts'
import type { StreamDeps } from './sources.ts'
import { createMemoryBudget, trainingBytes } from './threads/memory-budget.ts'
import { openTrainingThreads } from './threads/open-training-threads.ts'

export type TrainingEngineDeps = {
  readonly config: Config
  readonly world: Pick<World, 'clickhouse'>
  readonly objects: Pick<ObjectEngine, 'objects'>
  readonly registry: Pick<Registry, 'stream'>
  readonly models: ModelEngine
  readonly table: StreamDeps['table']
}

/** Trainings: their threads, their share of the memory, and users' scripts. */
export function createTrainingEngine({ config, world, objects, registry, models, table }: TrainingEngineDeps) {
  // A second one measures while the first one fits.
  const slots = Math.max(2, availableParallelism())
  const memory = createMemoryBudget(trainingBytes(config), slots)
  const isolated = modelProcessSettings(config)
  const threads = openTrainingThreads(slots, memory.max, isolated)
  const scripts = createScriptRunner(config)
  const runScript = createRunScript({
    objects: objects.objects,
    scripts,
    apart: createModelProcesses(isolated),
    parent: join(config.DATA_DIR, 'scripts'),
    modelBytes: Math.floor(memory.max / 3),
  })
  const { trainings, versions, aliases, files, current } = models
  return {
    /** Why no script is run here; undefined where they are. */
    whyScriptsAreOff: scripts.whyOff,
    /** The steps of workflows. */
    activities: createTrainingActivities({
      ...{ trainings, versions, aliases, files, current, objects: objects.objects },
      clickhouse: world.clickhouse,
      stream: registry.stream,
      table,
      threads,
      memory,
      maxVersions: config.MAX_MODEL_VERSIONS,
      runScript,
    }),
    close: (): Promise<void> => threads.close(),
  }
}
