import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../infra/config.ts'
import type { World } from '../../infra/world.ts'
import type { ObjectEngine } from '../objects/engine.ts'
import type { Registry } from '../registry/registry.ts'
import { apartSettings, createApart } from './apart/open-apart.ts'
import { createCurrentModels } from './current-models.ts'
import { createModelFiles } from './model-files.ts'
import { createModels } from './models.ts'
import { createScriptRunner } from './python/script-runner.ts'
import { createAliasStore } from './stores/aliases.ts'
import { createTrainingStore } from './stores/trainings.ts'
import { createVersionStore } from './stores/versions.ts'
import { createMemoryBudget, trainingBytes } from './threads/memory-budget.ts'
import { openTrainingThreads } from './threads/open-training-threads.ts'
import { createTrainingActivities } from './training/activities.ts'
import { createRunScript } from './training/script/run-script.ts'

export type ModelEngineDeps = {
  readonly config: Config
  readonly world: Pick<World, 'clickhouse' | 'logger' | 'metrics'>
  readonly objects: Pick<ObjectEngine, 'objects'>
  readonly registry: Pick<Registry, 'stream'>
}

/** Models: their trainings and versions. */
export function createModelEngine({ config, world, objects: { objects }, registry }: ModelEngineDeps) {
  const { clickhouse, metrics } = world
  const trainings = createTrainingStore(clickhouse, (state) => metrics.trainings.inc({ state }))
  const versions = createVersionStore(clickhouse)
  const aliases = createAliasStore(clickhouse)
  const files = createModelFiles(objects)
  const current = createCurrentModels(versions)
  // A second one measures while the first one fits.
  const slots = Math.max(2, availableParallelism())
  const memory = createMemoryBudget(trainingBytes(config), slots)
  const isolated = apartSettings(config)
  const threads = openTrainingThreads(slots, memory.most, isolated)
  const scripts = createScriptRunner(config)
  const apart = createApart(isolated)
  const runScript = createRunScript({
    objects,
    scripts,
    apart,
    parent: join(config.DATA_DIR, 'scripts'),
    modelBytes: Math.floor(memory.most / 3),
  })
  const stores = { trainings, versions, aliases, files, current, objects }
  return {
    trainings,
    files,
    /** Which version of a model is to be asked. */
    current,
    models: createModels(stores),
    /** Why no script is run here; undefined where they are. */
    whyScriptsAreOff: scripts.whyOff,
    /** The steps of workflows. */
    activities: createTrainingActivities({
      ...stores,
      clickhouse,
      stream: registry.stream,
      threads,
      memory,
      maxVersions: config.MAX_MODEL_VERSIONS,
      runScript,
    }),
    close: (): Promise<void> => threads.close(),
  }
}

export type ModelEngine = ReturnType<typeof createModelEngine>
