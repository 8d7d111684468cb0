import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { ModelEngine } from '../activities/models/engine.ts'
import type { Terms, VersionName } from '../activities/models/models.ts'
import { clearTraining } from '../activities/models/publish.ts'
import type { ModelKey, TrainingRecord } from '../activities/models/stores/training-record.ts'
import { isUnderWay, trainingState } from '../activities/models/training-states.ts'
import type { ObjectEngine } from '../activities/objects/engine.ts'
import { namesakes } from '../activities/objects/model-objects.ts'
import { createUndeclaredMembers } from '../activities/queries/undeclared.ts'
import type { Registry } from '../activities/registry/registry.ts'
import type { Tables } from '../activities/tables/tables.ts'
import type {
  StreamOfTraining,
  TableOfTraining,
  TrainingRequest,
  TrainingSource,
} from '../activities/training/decode/request.ts'
import { asStopped } from '../activities/training/journal.ts'
import { refuseTakingOf, refuseTakingOfTable } from '../activities/training/taken-rows.ts'
import { Fault, fault } from '../base/faults.ts'
import type { Exclusively } from '../base/mutex.ts'
import { Refusal } from '../base/refusal.ts'
import type { ClickHouse } from '../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../infra/clock.ts'
import type { Feeder } from '../infra/log/port.ts'
import type { Orchestrator } from '../infra/orchestration/orchestrator.ts'
import { createSourceText } from '../sql/query/source-text.ts'
import type { workflows } from '../workflows/index.ts'
import type { FilePredictions } from './file-predictions.ts'

/** The secrets of a bucket that asks for keys. */
export type SourceKeys = { readonly accessKey?: string | undefined; readonly secretKey?: string | undefined }

export type TrainingsDeps = {
  readonly models: Pick<ModelEngine, 'trainings' | 'models' | 'files' | 'versions'>
  readonly buckets: Pick<ObjectEngine['buckets'], 'admit'>
  readonly registry: Pick<Registry, 'stream'>
  readonly tables: Pick<Tables, 'has' | 'find'>
  readonly feeder: Pick<Feeder, 'caughtUp'>
  readonly clock: Clock
  readonly clickhouse: Pick<ClickHouse, 'rows'>
  readonly orchestrator: Orchestrator<typeof workflows>
  readonly filePredictions: Pick<FilePredictions, 'removeAll'>
  /** Runs one change at a time, of all processes. */
  readonly changing: Exclusively
}

/** A part of a run's request. */
const ofTraining = z.object({ training: z.number() })

/** Max time between a training's record and its run. */
const begins_ms = 60_000
/** Max time between the last state of a training and the end of its run. */
const ends_ms = 5_000

/** Trainings of models: begins them, and ends them early. */
export function createTrainings(deps: TrainingsDeps) {
  const { models, buckets, registry, tables, feeder, clock, clickhouse, orchestrator, filePredictions, changing } = deps
  const { trainings } = models
  const undeclaredIn = createUndeclaredMembers()

  /** `wire` is the request before its decoding: it is kept with the record. */
  async function train(
    request: TrainingRequest,
    wire: Readonly<Record<string, unknown>>,
    keys: SourceKeys,
  ): Promise<TrainingRecord> {
    const { schema, model, source, holdout, algorithm } = request
    if (source.type === 'STREAM') await refuseStream(request, source)
    else if (source.type === 'TABLE') refuseTable(request, source)
    else await admit(source.bucket, keys)
    if (holdout?.file !== undefined) await admit(holdout.file.bucket, keys)
    await refuseSecond(request)
    await refuseNamesake(request)
    const training = clock.next()
    if (source.type === 'STREAM') await catchUp(request, source.stream)
    const log = [`${training} : received train request`]
    const begun = { end_us: 0, fits: 0, progress: 0, tuned: {} }
    const record = {
      ...{ schema, model, training, algorithm, state: trainingState.fetching, request: wire, ...begun, log },
      ...(request.scaledByDefault && { scaledByDefault: request.scaledByDefault }),
    }
    await trainings.add(record)
    try {
      await orchestrator.start('trainModel', { schema, model, training, about: `${algorithm} on ${nameOf(source)}` })
    } catch (error) {
      await trainings.remove(record)
      throw error
    }
    return record
  }

  /** A training that says that it has ended may have a run that is about to: it is waited for. */
  async function refuseSecond({ schema, model }: ModelKey): Promise<void> {
    const until = Date.now() + ends_ms
    while ((await orchestrator.lastRun('trainModel', { schema, model }))?.isRunning) {
      const record = await trainings.latest({ schema, model })
      if ((record && isUnderWay(record.state)) || Date.now() > until) {
        throw fault('conflict', `model ${model} of ${schema} is being trained already`)
      }
      await sleep(50)
    }
  }

  /** The other model that there is with objects of the same keys. */
  async function namesakeOf({ schema, model }: ModelKey): Promise<ModelKey | undefined> {
    for (const other of namesakes(model, schema)) {
      if ((await trainings.latest(other)) !== undefined) return other
      if ((await models.versions.list(other)).length > 0) return other
    }
    return undefined
  }

  /** Each would take the place of the other's objects. */
  async function refuseNamesake(request: ModelKey): Promise<void> {
    const other = await namesakeOf(request)
    if (other === undefined) return
    const own = `the objects of model ${request.model} of ${request.schema}`
    throw fault('conflict', `${own} would be those of model ${other.model} of ${other.schema}; take another name`)
  }

  /** A copy takes the next number of the other model, as a training that publishes does. */
  async function copyVersion(
    key: ModelKey,
    name: VersionName,
    to: string,
    terms: Terms & { readonly activate: boolean },
  ) {
    const target = { schema: key.schema, model: to }
    if (to === key.model) throw fault('invalid', `to: a version of model ${to} cannot be copied to that model itself`)
    const record = await trainings.latest(target)
    if (record !== undefined && isUnderWay(record.state))
      throw fault('conflict', `model ${to} of ${key.schema} is being trained: copy to it when that has ended`)
    await refuseNamesake(target)
    return changing(() => models.models.copy(key, name, to, terms))
  }

  /** A bucket that is not there is for the training to say. */
  async function admit(bucket: string, keys: SourceKeys): Promise<void> {
    await buckets.admit(bucket, keys).catch((error: unknown) => {
      if (!(error instanceof Fault && error.kind === 'missing')) throw error
    })
  }

  /** Rows of entities have no order in time. A stream that is not there is for the training to say. */
  async function refuseStream(request: TrainingRequest, { stream, taking }: StreamOfTraining): Promise<void> {
    const { schema, series } = request
    const found = streamOf(schema, stream)
    if (found === undefined) return
    const isOfEntities = found.stream.kind === 'entity'
    if (series !== undefined && isOfEntities)
      throw fault(
        'invalid',
        `${stream} is an entity stream, whose rows have no order in time: lag needs a stream of events`,
      )
    refuseTakingOf(found, request, taking)
    const { where } = taking
    if (where === undefined || isOfEntities) return
    const [unknown] = await undeclaredIn(found, where.condition, clickhouse)
    if (unknown !== undefined) {
      const { message } = createSourceText(where.text).refusal(unknown.at.offset, unknown.sentence)
      throw new Refusal(`training_details.where: ${message}`)
    }
  }

  /** A table that is not there is for the training to say. */
  function refuseTable(request: TrainingRequest, { database, table, taking }: TableOfTraining): void {
    if (tables.has(database, table)) refuseTakingOfTable(tables.find(database, table).table, request, taking)
  }

  /** Waits for acknowledged events: a training learns from all of them. A stream that is not there is for it to say. */
  async function catchUp({ schema }: TrainingRequest, stream: string): Promise<void> {
    const known = streamOf(schema, stream)
    if (known !== undefined) await feeder.caughtUp(known.queues)
  }

  /** Undefined where there is no such stream. */
  function streamOf(schema: string, stream: string) {
    try {
      return registry.stream(schema, stream)
    } catch (error) {
      if (error instanceof Fault && error.kind === 'missing') return undefined
      throw error
    }
  }

  async function latest(key: ModelKey): Promise<TrainingRecord> {
    const record = await trainings.latest(key)
    if (record === undefined) throw fault('missing', `no training was asked for model ${key.model} of ${key.schema}`)
    return settled(record)
  }

  /** A training whose run is over says so: one that was terminated in Temporal could not. */
  async function settled(record: TrainingRecord): Promise<TrainingRecord> {
    if (!isUnderWay(record.state)) return record
    const reason = await whyOver(record)
    if (reason === undefined) return record
    const stopped = await trainings.update(record, (latest) => asStopped(latest, reason))
    if (stopped !== undefined) await clearTraining(models, record)
    return stopped ?? (await trainings.find(record)) ?? record
  }

  async function whyOver(record: TrainingRecord): Promise<string | undefined> {
    try {
      const run = await orchestrator.lastRun('trainModel', record)
      const isOwn = ofTraining.safeParse(run?.request).data?.training === record.training
      if (run !== undefined && isOwn) return run.isRunning ? undefined : (run.reason ?? 'its run is over')
      const age_ms = Date.now() - record.training / 1000
      return age_ms < begins_ms ? undefined : 'its run was never begun'
    } catch (error) {
      if (error instanceof Fault) return undefined // No store can answer.
      throw error
    }
  }

  /** True where a training was under way. */
  async function stop(key: ModelKey): Promise<boolean> {
    const record = await trainings.latest(key)
    if (record === undefined || !isUnderWay(record.state)) return false
    const stopped = await trainings.update(record, asStopped)
    await orchestrator.cancel('trainModel', key)
    return stopped !== undefined
  }

  /** A run that was stopped may still write the step it has in hand. */
  async function hasEnded(key: ModelKey): Promise<void> {
    const until = Date.now() + ends_ms
    while (Date.now() < until && (await orchestrator.lastRun('trainModel', key))?.isRunning) await sleep(50)
  }

  return {
    train,
    copyVersion,
    latest,
    list: async (schema: string): Promise<TrainingRecord[]> => Promise.all((await trainings.list(schema)).map(settled)),

    /** A training that is under way is stopped and stays to be read; one that has ended is removed. */
    async removeRequest(key: ModelKey): Promise<'stopped' | 'removed'> {
      await latest(key)
      if (await stop(key)) return 'stopped'
      await trainings.removeAll(key)
      return 'removed'
    },

    /**
     * Removes a model with all its versions, its requests and its predictions, whatever is under way; files that were
     * uploaded to train it stay.
     */
    async removeModel(key: ModelKey): Promise<void> {
      const record = await trainings.latest(key)
      const wasStopped = await stop(key)
      await trainings.removeAll(key)
      if (wasStopped) await hasEnded(key)
      await filePredictions.removeAll(key)
      const isShared = (await namesakeOf(key)) !== undefined
      const wasThere = await models.models.remove(key, isShared)
      if (record === undefined && !wasThere) {
        throw fault('missing', `there is no model ${key.model} in schema ${key.schema}`)
      }
    },
  }
}

export type Trainings = ReturnType<typeof createTrainings>

const nameOf = (source: TrainingSource): string => {
  if (source.type === 'STREAM') return `stream ${source.stream}`
  if (source.type === 'TABLE') return `table ${source.database}.${source.table}`
  if (source.type === 'BUCKET') return `bucket ${source.bucket}`
  return source.type === 'FILE' ? source.key : `${source.prefix}*`
}
