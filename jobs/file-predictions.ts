import type { FormatName } from '../activities/models/formats/index.ts'
import { agreementOf } from '../activities/models/predict/agreement.ts'
import type { PredictionEngine } from '../activities/models/predict/engine.ts'
import { fileState, isUnderWay } from '../activities/models/predict/files/states.ts'
import type { FileKey, FilePrediction } from '../activities/models/predict/files/store.ts'
import type { ModelKey } from '../activities/models/stores/training-record.ts'
import { modelBucket, predictionFileKey, trainingFileKey } from '../activities/objects/model-objects.ts'
import type { ObjectStore } from '../infra/buckets/store.ts'
import { Fault, fault } from '../infra/faults.ts'
import type { Orchestrator } from '../infra/orchestration/orchestrator.ts'
import type { workflows } from '../workflows/index.ts'

export type FilePredictionsDeps = {
  readonly predictions: Pick<PredictionEngine, 'versionOf' | 'files'>
  readonly objects: ObjectStore
  readonly orchestrator: Orchestrator<typeof workflows>
}

export type AskedFile = FileKey & { readonly format: FormatName; readonly considerTarget: boolean }

/** Predictions of whole files, which go on in the background. */
export function createFilePredictions({ predictions, objects, orchestrator }: FilePredictionsDeps) {
  const { store, parts } = predictions.files

  async function find(key: FileKey): Promise<FilePrediction> {
    const record = await store.find(key)
    if (record) return record
    throw fault('missing', `no prediction of ${key.file} by model ${key.model} of schema ${key.schema} was asked for`)
  }

  /** A record that says that it goes on while no run does was left by a crash before the run began. */
  async function hasStopped(record: FilePrediction): Promise<boolean> {
    if (!isUnderWay(record.state)) return false
    const run = await orchestrator.find('predictFile', record).catch((error: unknown) => {
      if (error instanceof Fault) return { state: 'running' } // Nobody can tell.
      throw error
    })
    if (run?.state === 'running') return false
    return isUnderWay((await store.find(record))?.state ?? fileState.done)
  }

  /** Stops it where it goes on, and removes what it wrote. */
  async function remove(record: FilePrediction): Promise<void> {
    const { schema, model, file, state } = record
    await store.remove(record)
    if (isUnderWay(state)) await orchestrator.cancel('predictFile', record)
    await parts.clear(record)
    await objects.remove(modelBucket, predictionFileKey(model, schema, file))
  }

  return {
    /** Begins a prediction; resolves to the key of what it will write. */
    async start({ schema, model, file, format, considerTarget }: AskedFile): Promise<string> {
      const key = { schema, model, file }
      if ((await predictions.versionOf(key)) === undefined)
        throw fault('missing', `there is no model ${model} in schema ${schema}`)
      const source = trainingFileKey(model, schema, file)
      if ((await objects.stat(modelBucket, source)) === undefined)
        throw fault('missing', `there is no object ${source} in bucket ${modelBucket}`)
      if ((await orchestrator.find('predictFile', key))?.state === 'running')
        throw fault(
          'conflict',
          `${file} is being predicted already; GET /ml/${schema}/${model}/${file}/status tells how far it is`,
        )
      const prediction = Date.now() * 1000
      const record = { ...key, prediction, state: fileState.fetching, end_us: 0, progress: 0, considerTarget }
      await store.put(record)
      try {
        await orchestrator.start('predictFile', { ...key, prediction, format, considerTarget })
      } catch (error) {
        if (!(error instanceof Fault && error.kind === 'conflict')) await store.remove(key)
        throw error
      }
      return predictionFileKey(model, schema, file)
    },

    async status(key: FileKey): Promise<Record<string, unknown>> {
      const record = await find(key)
      const stopped = await hasStopped(record)
      return showPrediction(
        stopped ? { ...record, state: fileState.stopped, reason: 'the service was stopped' } : record,
      )
    },

    remove: async (key: FileKey): Promise<void> => remove(await find(key)),

    /** Of a model that goes. */
    async removeAll(model: ModelKey): Promise<void> {
      for (const record of await store.list(model)) await remove(record)
    },
  }
}

export type FilePredictions = ReturnType<typeof createFilePredictions>

function showPrediction(record: FilePrediction): Record<string, unknown> {
  const { schema, model, file, prediction, state, end_us, progress, reason, considerTarget, task, tally } = record
  const { user_pred_accuracy, mean_sq_err, sq_cor_coef } =
    tally === undefined ? noMeasure : agreementOf(tally.agreement)
  const measure = task === 'numbers' ? { mean_sq_err, sq_cor_coef } : { user_pred_accuracy }
  return {
    'schema-name': schema,
    model_name: model,
    file_name: file,
    pred_req_state: state,
    progress,
    pred_file_out: predictionFileKey(model, schema, file),
    pred_start_ts: prediction,
    pred_end_ts: end_us,
    num_rows: tally?.rows ?? 0,
    num_failed: tally?.failed ?? 0,
    ...(considerTarget && measure),
    error: [...(reason === undefined ? [] : [reason]), ...(tally?.faults ?? [])],
    errorcode: state < fileState.fetching ? state : 0,
  }
}

const noMeasure = { user_pred_accuracy: 0, mean_sq_err: 0, sq_cor_coef: 0 }
