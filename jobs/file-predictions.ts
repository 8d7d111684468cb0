import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelKey } from '../activities/models/stores/training-record.ts'
import { modelBucket, predictionFileKey, trainingFileKey } from '../activities/objects/model-objects.ts'
import type { PredictionEngine } from '../activities/prediction/engine.ts'
import type { FileForms, FileRequest } from '../activities/prediction/files/activities.ts'
import { fileState, isUnderWay } from '../activities/prediction/files/states.ts'
import { asked, type FileKey, type FilePrediction } from '../activities/prediction/files/store.ts'
import { noteOf } from '../activities/prediction/oddities.ts'
import { Fault, fault } from '../base/faults.ts'
import type { ObjectStore } from '../infra/buckets/store.ts'
import type { Orchestrator } from '../infra/orchestration/orchestrator.ts'
import { agreementOf } from '../learn/agreement.ts'
import type { workflows } from '../workflows/index.ts'

export type FilePredictionsDeps = {
  readonly predictions: Pick<PredictionEngine, 'modelOf' | 'files'>
  readonly objects: ObjectStore
  readonly orchestrator: Orchestrator<typeof workflows>
}

export type AskedFile = FileKey & FileForms

/** Between a stop and the end of the run. */
const ends_ms = 5_000

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
      if (error instanceof Fault) return { state: 'running' } // No store can answer.
      throw error
    })
    if (run?.state === 'running') return false
    return isUnderWay((await store.find(record))?.state ?? fileState.done)
  }

  /** A run that was stopped may still write the step it has in hand. */
  async function hasEnded(key: FileKey): Promise<void> {
    const until = Date.now() + ends_ms
    while (Date.now() < until && (await orchestrator.lastRun('predictFile', key))?.isRunning) await sleep(50)
  }

  /**
   * Of several requests at once one begins a run, and the others change nothing. A run whose record says that it has
   * ended is waited for.
   */
  async function beginRun(request: FileRequest): Promise<void> {
    const until = Date.now() + ends_ms
    for (;;) {
      try {
        return await orchestrator.start('predictFile', request)
      } catch (error) {
        if (!(error instanceof Fault && error.kind === 'conflict')) throw error
        const record = await store.find(request)
        if (Date.now() > until || (record && isUnderWay(record.state))) throw underWay(request, error)
      }
      await sleep(50)
    }
  }

  function underWay({ schema, model, file }: FileKey, cause: Fault): Fault {
    const status = `GET /ml/${schema}/${model}/${file}/status`
    return fault('conflict', `${file} is being predicted already; ${status} tells how far it is`, { cause })
  }

  /** Stops a prediction that is under way, and removes its files. */
  async function remove(record: FilePrediction): Promise<void> {
    const { schema, model, file, state } = record
    await store.remove(record)
    if (isUnderWay(state)) {
      await orchestrator.cancel('predictFile', record)
      await hasEnded(record)
    }
    await parts.clear(record)
    await objects.remove(modelBucket, predictionFileKey(model, schema, file))
  }

  return {
    /** Begins a prediction; resolves to the key of the object that it will write. */
    async start({ schema, model, file, ...forms }: AskedFile): Promise<string> {
      const key = { schema, model, file }
      await predictions.modelOf(key, forms.asks)
      const source = trainingFileKey(model, schema, file)
      if ((await objects.stat(modelBucket, source)) === undefined)
        throw fault('missing', `there is no object ${source} in bucket ${modelBucket}`)
      const prediction = Math.max(Date.now() * 1000, (await store.last(key)) + 1)
      await beginRun({ ...key, prediction, ...forms })
      await store.begin(asked({ ...key, prediction }, forms.considerTarget))
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

    /** Called for a model that goes. */
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
  const notes = [...(tally?.doubts ?? []), ...(tally?.oddities ?? []).map(noteOf)].slice(0, shownNotes)
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
    ...(notes.length > 0 && { notes }),
    ...(considerTarget && measure),
    error: [...(reason === undefined ? [] : [reason]), ...(tally?.faults ?? [])],
    errorcode: state < fileState.fetching ? state : 0,
  }
}

/** A model of many attributes of words may have as many notes. */
const shownNotes = 20

const noMeasure = { user_pred_accuracy: 0, mean_sq_err: 0, sq_cor_coef: 0 }
