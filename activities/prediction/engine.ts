import { availableParallelism } from 'node:os'
import { fault } from '../../base/faults.ts'
import type { Config } from '../../infra/config.ts'
import type { World } from '../../infra/world.ts'
import type { ModelEngine } from '../models/engine.ts'
import type { VersionName } from '../models/models.ts'
import { createModelProcesses, modelProcessSettings } from '../models/process/model-processes.ts'
import { createStrikes } from '../models/process/strikes.ts'
import type { ModelKey } from '../models/stores/training-record.ts'
import type { ModelVersion } from '../models/stores/versions.ts'
import type { ObjectEngine } from '../objects/engine.ts'
import type { Registry } from '../registry/registry.ts'
import type { LineAnswer } from './answer.ts'
import { createEventPredictions } from './events/predict-events.ts'
import { createUnscored } from './events/unscored.ts'
import { createFileActivities } from './files/activities.ts'
import { createParts } from './files/parts.ts'
import { createFilePredictionStore } from './files/store.ts'
import { createForecast, type ForecastRequest, type ForecastStep } from './forecast.ts'
import { openBlockPool } from './open-block-pool.ts'
import { openTextPool } from './open-text-pool.ts'
import { createOutsideSteps } from './outside-steps.ts'
import { createPredictor, type LineRequest } from './predictor.ts'
import { createSessions } from './sessions.ts'
import { createSteadyModels } from './steady-models.ts'

export type PredictionEngineDeps = {
  readonly config: Config
  readonly world: Pick<World, 'clickhouse' | 'logger' | 'metrics' | 'feeder'>
  readonly registry: Pick<Registry, 'stream'>
  readonly objects: Pick<ObjectEngine, 'objects'>
  readonly models: Pick<ModelEngine, 'current' | 'files' | 'models'>
}

/** Which model a line is for, and which version where it is not the current one. */
export type ModelLine = Omit<LineRequest, 'model'> & ModelKey & { readonly version?: VersionName }

/** Predictions of lines, of events, and of files. */
export function createPredictionEngine({
  config,
  world,
  registry,
  objects: { objects },
  models,
}: PredictionEngineDeps) {
  const { clickhouse, logger, metrics, feeder } = world
  const { load } = models.files
  const limits = { apart: modelProcessSettings(config), texts: { maxTextKb: config.MAX_TEXT_KB } }
  const strikes = createStrikes()
  const sessions = createSessions(load, { apart: createModelProcesses(limits.apart, { strikes }), shares: true })
  const texts = openTextPool(Math.max(1, Math.floor(availableParallelism() / 2)), limits)
  const predictor = createPredictor(sessions, { steps: createOutsideSteps(limits.texts), texts })
  const versionOf = createSteadyModels(models.current)
  const pool = openBlockPool(availableParallelism(), limits)
  const store = createFilePredictionStore(clickhouse)
  const parts = createParts(objects)
  metrics.watchSessions(sessions.size)

  /** The version that is named, or the current one. Fault `missing` where there is no such model or version. */
  async function modelOf(key: ModelKey, name?: VersionName): Promise<ModelVersion> {
    if (name !== undefined) return models.models.find(key, name)
    const version = await versionOf(key)
    if (version !== undefined) return version
    const [latest] = await models.models.versions(key)
    const place = `PUT /ml/${key.schema}/${key.model}/version`
    throw fault(
      'missing',
      `model ${key.model} has no current version: ${place} with version ${latest?.number} makes it so`,
    )
  }

  const unscored = createUnscored(metrics)
  const forecast = createForecast({ modelOf, predictor, registry, feeder, clickhouse })

  return {
    modelOf,
    /** Fault `missing` where there is no such model, `Refusal` where the line does not fit it. */
    async predictLine({ schema, model, version: name, ...line }: ModelLine): Promise<LineAnswer> {
      const version = await modelOf({ schema, model }, name)
      const seconds = metrics.predictions.startTimer({ by: 'lines' })
      try {
        return await predictor.predictLine({ model: version.key, ...line })
      } finally {
        seconds()
        metrics.predictedRows.inc({ by: 'lines' })
      }
    },
    /** The next values of a series; faults and a `Refusal` say what does not fit. */
    async forecast(request: ForecastRequest): Promise<readonly ForecastStep[]> {
      const seconds = metrics.predictions.startTimer({ by: 'forecasts' })
      try {
        const found = await forecast(request)
        metrics.predictedRows.inc({ by: 'forecasts' }, found.length)
        return found
      } finally {
        seconds()
      }
    },
    unscored,
    ofEvents: createEventPredictions({ versionOf, predictor, metrics, unscored, logger }),
    files: { store, parts },
    activities: createFileActivities({ objects, store, parts, modelOf, load, pool, strikes, metrics, logger }),
    async close(): Promise<void> {
      await Promise.all([pool.close(), texts.close()])
      sessions.close()
    },
  }
}

export type PredictionEngine = ReturnType<typeof createPredictionEngine>
