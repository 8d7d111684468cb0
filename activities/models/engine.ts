import type { World } from '../../infra/world.ts'
import type { ObjectEngine } from '../objects/engine.ts'
import { createCurrentModels } from './current-models.ts'
import { createModelFiles } from './model-files.ts'
import { createModels } from './models.ts'
import { createAliasStore } from './stores/aliases.ts'
import { createTrainingStore } from './stores/trainings.ts'
import { createVersionStore } from './stores/versions.ts'

export type ModelEngineDeps = {
  readonly world: Pick<World, 'clickhouse' | 'metrics'>
  readonly objects: Pick<ObjectEngine, 'objects'>
}

/** Models as they are stored: their files, versions, aliases, and the records of their trainings. */
export function createModelEngine({ world: { clickhouse, metrics }, objects: { objects } }: ModelEngineDeps) {
  const trainings = createTrainingStore(clickhouse, (state) => metrics.trainings.inc({ state }))
  const versions = createVersionStore(clickhouse)
  const aliases = createAliasStore(clickhouse)
  const files = createModelFiles(objects)
  const current = createCurrentModels(versions, aliases)
  return {
    trainings,
    versions,
    aliases,
    files,
    /** Which version of a model is to be asked. */
    current,
    models: createModels({ trainings, versions, aliases, files, current, objects }),
  }
}

export type ModelEngine = ReturnType<typeof createModelEngine>
