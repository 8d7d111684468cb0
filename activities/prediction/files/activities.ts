import { Readable } from 'node:stream'
import { Fault, fault } from '../../../base/faults.ts'
import { Refusal } from '../../../base/refusal.ts'
import type { ObjectStore } from '../../../infra/buckets/store.ts'
import { isPassing } from '../../../infra/clickhouse/passing.ts'
import type { Logger } from '../../../infra/logger.ts'
import type { Metrics } from '../../../infra/metrics.ts'
import { isFinal } from '../../../infra/orchestration/orchestrator.ts'
import { joinAgreement, noAgreement } from '../../../learn/agreement.ts'
import { readDescription } from '../../../learn/description.ts'
import type { FormatName } from '../../../learn/formats/index.ts'
import type { VersionName } from '../../models/models.ts'
import { maxDeaths, type Strikes } from '../../models/process/strikes.ts'
import type { ModelKey } from '../../models/stores/training-record.ts'
import type { ModelVersion } from '../../models/stores/versions.ts'
import { modelBucket, predictionFileKey, trainingFileKey } from '../../objects/model-objects.ts'
import { joinOddities } from '../oddities.ts'
import type { BlockPool } from '../open-block-pool.ts'
import { type PredictedBlock, predictSource } from '../predict-source.ts'
import { createThreshold } from '../threshold.ts'
import type { PredictFormat } from '../write-predictions.ts'
import type { Mark, Parts } from './parts.ts'
import { fileState } from './states.ts'
import { asked, type FilePrediction, type FilePredictionStore, type PredictionKey, type Tally } from './store.ts'

/** The format of a file, and the columns of its answer. */
export type FileForms = {
  readonly format: FormatName
  readonly considerTarget: boolean
  /** Absent: the first row shows it. */
  readonly header?: 'present' | 'absent'
  /** Absent: a line a row. */
  readonly output?: PredictFormat
  /** The probability from which one of two classes is predicted. */
  readonly threshold?: number
  /** The version that is asked; absent: the current one. */
  readonly asks?: VersionName
}

export type FileRequest = PredictionKey & FileForms

/** A prediction with the version and the file that it found at its beginning, which it keeps to. */
export type PreparedFile = FileRequest & {
  /** The key of the model's version. */
  readonly version: string
  /** The file's version in its bucket. */
  readonly source: string
  readonly bytes: number
}

export type FileActivitiesDeps = {
  readonly objects: ObjectStore
  readonly store: FilePredictionStore
  readonly parts: Parts
  /** Fault `missing` where there is no such model or version. */
  readonly modelOf: (key: ModelKey, name?: VersionName) => Promise<Pick<ModelVersion, 'key'>>
  readonly load: (key: string) => Promise<Uint8Array>
  readonly pool: BlockPool
  readonly strikes: Strikes
  readonly metrics: Pick<Metrics, 'predictions' | 'predictionFailures' | 'predictedRows'>
  readonly logger: Logger
}

/** Blocks of a part: the max of a file that is predicted anew after a crash. */
const partBlocks = 2
/** A prediction begun this often without another part is given up; passing faults and stops of the process do not count. */
const maxTries = 10
/** Reasons that the status shows. */
const shownFaults = 10
const nothing: Tally = { rows: 0, failed: 0, faults: [], oddities: [], doubts: [], ended: 0, agreement: noAgreement }

/** The steps of a file's prediction; each may be run again. */
export function createFileActivities(deps: FileActivitiesDeps) {
  const { objects, store, parts, modelOf, load, pool, strikes, metrics, logger } = deps

  async function update(request: PredictionKey, change: Partial<FilePrediction>): Promise<void> {
    if (await store.update(request, change)) return
    throw gone(request)
  }

  const gone = ({ file }: PredictionKey) => fault('missing', `the prediction of ${file} was removed or asked for anew`)

  const end = (request: PredictionKey, state: number, reason: string) =>
    store.update(request, { state, reason, end_us: Date.now() * 1000 })

  /** Counts a try before it begins: a process may end amid it, and an unforeseen failure may come again. */
  async function countTry(request: PredictionKey): Promise<void> {
    const record = await store.find(request)
    if (record?.prediction !== request.prediction) throw gone(request)
    if (record.tries >= maxTries)
      throw fault(
        'invalid',
        `it was tried ${record.tries} times without getting any further; the log of the service tells why`,
      )
    await store.update(request, { tries: record.tries + 1 })
  }

  async function uncountTry(request: PredictionKey): Promise<void> {
    const tries = (await store.find(request))?.tries ?? 0
    await store.update(request, { tries: Math.max(0, tries - 1) })
  }

  /** A fault that a repeat cannot mend ends the prediction with its reason. */
  async function ending<Result>(
    request: PredictionKey,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      await countTry(request)
      return await work()
    } catch (error) {
      const isNoFailure = signal.aborted || isPassing(error) || (error instanceof Fault && !isFinal(error.kind))
      if (isNoFailure) await uncountTry(request).catch(() => {})
      const final = error instanceof Refusal ? fault('invalid', error.message, { cause: error }) : error
      if (!(final instanceof Fault) || !isFinal(final.kind)) throw error
      logger.warn({ err: error, model: request.model, file: request.file }, 'prediction of a file failed')
      await end(request, fileState.failed, final.message)
      throw final
    }
  }

  async function sourceOf({ schema, model, file }: PredictionKey) {
    const key = trainingFileKey(model, schema, file)
    const object = await objects.get(modelBucket, key)
    if (object === undefined) throw fault('missing', `there is no object ${key} in bucket ${modelBucket}`)
    return object
  }

  async function prepare(request: FileRequest): Promise<PreparedFile> {
    const { schema, model, file } = request
    const info = await objects.stat(modelBucket, trainingFileKey(model, schema, file))
    if (info === undefined) {
      const reason = `there is no object ${trainingFileKey(model, schema, file)} in bucket ${modelBucket}`
      await end(request, fileState.sourceAbsent, reason)
      throw fault('missing', reason)
    }
    const version = await modelOf({ schema, model }, request.asks)
    const description = readDescription(await load(version.key))
    const { task, target } = description
    createThreshold(request.threshold, description)
    if (request.considerTarget && target === undefined)
      throw fault('invalid', 'the model was trained without a target; consider_target must be 0')
    await update(request, { state: fileState.fetched, task, tries: 0 })
    return { ...request, version: version.key, source: info.version, bytes: info.size }
  }

  /** Each thread starts a model's processes for itself, and forgets those that ended long ago: here they are counted. */
  function checkEnds(version: string, { ended }: Tally): void {
    strikes.check(version)
    if (ended >= maxDeaths)
      throw new Refusal(`the model has ended its process ${ended} times over this file, which is given up`)
  }

  async function predict(request: PreparedFile, signal: AbortSignal): Promise<void> {
    const { version, format, considerTarget, header, output, threshold, bytes } = request
    const file = await load(version)
    const done = await parts.last(request)
    const source = await sourceOf(request)
    let mark: Mark = done ?? { blocks: 0, bytesRead: 0, tally: nothing }
    let lines: string[] = []

    const tell = (): Promise<void> => {
      const progress = bytes === 0 ? 1 : Math.min(1, mark.bytesRead / bytes)
      return update(request, { progress: Math.floor(progress * 1000) / 1000, tally: mark.tally, tries: 0 })
    }
    const keep = async (): Promise<void> => {
      if (lines.length === 0) return
      await parts.write(request, mark, lines)
      lines = []
      await tell()
    }
    try {
      // A process may have ended after it wrote a part and before it noted the progress.
      if (done !== undefined && (await store.find(request))?.tally?.rows !== done.tally.rows) await tell()
      if (source.version !== request.source)
        throw fault('conflict', `${request.file} was changed while it was predicted`)
      const forms = { format, considerTarget, header, output, threshold }
      const rest = { source: source.stream, ...forms, model: version, file, skip: mark.blocks }
      const onEnded = (processes: number): void => {
        for (let process = 0; process < processes; process++) strikes.add(version)
      }
      checkEnds(version, mark.tally)
      for await (const block of predictSource({ ...rest, onEnded }, pool)) {
        signal.throwIfAborted()
        lines.push(block.text)
        mark = { blocks: block.index + 1, bytesRead: block.bytesRead, tally: add(mark.tally, block) }
        metrics.predictedRows.inc({ by: 'files' }, block.rows)
        if (block.failed > 0) metrics.predictionFailures.inc({ stream: '' }, block.failed)
        checkEnds(version, mark.tally)
        if (mark.blocks % partBlocks === 0) await keep()
      }
      await keep()
    } finally {
      source.stream.destroy()
    }
  }

  /** Removes what an earlier prediction of the file has written: the object is there in state 25 alone. */
  const removeResult = ({ schema, model, file }: PredictionKey): Promise<unknown> =>
    objects.remove(modelBucket, predictionFileKey(model, schema, file))

  async function write(request: PreparedFile): Promise<void> {
    const { schema, model, file, prediction } = request
    const before = await store.find(request)
    if (before?.prediction !== prediction || before.state !== fileState.done) {
      await update(request, { state: fileState.written, progress: 1 })
      await objects.put(modelBucket, predictionFileKey(model, schema, file), Readable.from(parts.lines(request)))
      if ((await store.update(request, { state: fileState.done, end_us: Date.now() * 1000 })) === undefined) {
        // It was removed while the result was written.
        if ((await store.find(request)) === undefined) await removeResult(request)
        throw gone(request)
      }
    }
    await parts.clear(request)
  }

  return {
    async prepareFile(request: FileRequest, signal: AbortSignal): Promise<PreparedFile> {
      // The process that took the request may have ended before it noted it.
      if (!(await store.begin(asked(request, request.considerTarget)))) throw gone(request)
      await removeResult(request)
      return ending(request, signal, () => prepare(request))
    },
    /** Writes part after part; goes on behind the last one that is there. */
    predictParts: (request: PreparedFile, signal: AbortSignal): Promise<void> =>
      ending(request, signal, () => predict(request, signal)),
    writeResult: (request: PreparedFile, signal: AbortSignal): Promise<void> =>
      ending(request, signal, () => write(request)),
    /** Leaves nothing of a prediction that ended before its end. */
    abandonFile: async ({ why, ...request }: FileRequest & { readonly why?: string }): Promise<void> => {
      const reason = why ?? 'the prediction was stopped, or tried too often; the log of the service tells why'
      await end(request, fileState.failed, reason)
      const record = await store.find(request)
      if (record?.prediction === request.prediction && record.state !== fileState.done) await removeResult(request)
      await parts.clear(request)
    },
  }
}

export type FileActivities = ReturnType<typeof createFileActivities>

const add = (tally: Tally, { rows, failed, faults, oddities, doubts, ended, agreement }: PredictedBlock): Tally => ({
  rows: tally.rows + rows,
  failed: tally.failed + failed,
  faults: [...tally.faults, ...faults].slice(0, shownFaults),
  oddities: joinOddities(tally.oddities, oddities),
  doubts: [...new Set([...tally.doubts, ...doubts])],
  ended: tally.ended + ended,
  agreement: joinAgreement(tally.agreement, agreement),
})
