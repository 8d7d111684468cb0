import { deserialize, serialize } from 'node:v8'
import { z } from 'zod'
import { writeExactJson } from '../../../base/exact-json.ts'
import { algorithmOf } from '../../../learn/algorithms/index.ts'
import { usualShare } from '../../../learn/holdout/rule.ts'
import { trainingState } from '../../models/training-states.ts'
import { trainingFileKey } from '../../objects/model-objects.ts'
import type { TrainingRequest } from '../decode/request.ts'
import type { TrainingDeps } from '../deps.ts'
import { hearing, waitingFor } from '../hearing.ts'
import { TrainingFailure } from '../refusals.ts'
import { measureByFile, measureScript } from '../script/measure-script.ts'
import { readScriptFacts } from '../script/script-data.ts'
import type { Step, StepContext } from '../step.ts'
import type { FittedModel } from './fit-rows.ts'
import type { Chosen } from './tune-rows.ts'
import { tuneWithHelp } from './tune-with-help.ts'

/** The results of a fit beside the model's file: rows to check it with, its summary, and the ranges of scaling. */
export type Checking = Omit<FittedModel, 'file'>

/** A fit that ended its process this many times will end it again. */
const maxFits = 5

const parameter = z.union([z.number(), z.string(), z.array(z.union([z.number(), z.string()]))])
const needsShape = z.object({ tune: z.number(), fit: z.number(), measure: z.number(), cells: z.number().default(0) })
const chosenShape = z.object({
  parameters: z.record(z.string(), parameter),
  shown: z.record(z.string(), z.unknown()),
  folds: z.unknown().optional(),
})

/** The steps that learn. */
export function createFitting(deps: TrainingDeps) {
  const { files, threads, memory, trainings, runScript } = deps

  /** The memory that a step takes, in bytes, and the rows x columns that it works on. */
  async function needOf({ key }: StepContext, step: 'tune' | 'fit' | 'measure') {
    const needs = needsShape.parse(JSON.parse(Buffer.from(await files.read(key, 'needs')).toString()))
    return { bytes: needs[step], cells: needs.cells }
  }

  const tune: Step = {
    share: [0.1, 0.4],
    reaches: trainingState.tuned,
    failing: trainingState.tuning,
    work: async (context) => {
      const { key, request, journal } = context
      let chosen: Chosen = { parameters: request.parameters, shown: request.raw }
      const { learnsFrom } = algorithmOf(request.algorithm)
      if (learnsFrom === 'rows' || (learnsFrom === 'texts' && request.tune)) {
        const { algorithm, parameters, scale, tune, speed, tuneBudget_s } = request
        const answer = await tuneWithHelp(deps, {
          context,
          request: { algorithm, parameters, scale, tune, speed, tuneBudget_s },
          need: await needOf(context, 'tune'),
          isShared: tune && sharesFolds(request),
        })
        if ('chosen' in answer) chosen = answer.chosen
      }
      journal.tell(chosen.about ?? request.algorithm)
      await files.write(key, 'tuned', Buffer.from(writeExactJson(chosen)))
      if (request.scaledByDefault)
        journal.log(`numbers are scaled to [-1, 1], as ${request.algorithm} needs; scale 0 leaves them as they are`)
      const did = [request.scale && !request.isSparse ? 'scaling' : '', chosen.folds ? 'tuning' : ''].filter(
        (word) => word !== '',
      )
      const done = did.length === 0 ? 'no scaling and no tuning' : `${did.join(' and ')} done`
      const why = chosen.untuned ?? `${request.algorithm} has nothing to tune here`
      const idle = request.tune && !chosen.folds ? `, ${why}` : ''
      journal.log(`${done}${idle}, selected params = ${writeExactJson(chosen.shown)}`)
      return { tuned: { ...chosen.shown } }
    },
  }

  const chosenFor = async ({ key }: StepContext) =>
    chosenShape.parse(JSON.parse(Buffer.from(await files.read(key, 'tuned')).toString()))

  const requestOf = async (context: StepContext) => {
    const { key, request } = context
    const chosen = await chosenFor(context)
    const { algorithm, scale } = request
    return { algorithm, scale, parameters: chosen.parameters, version: String(key.training) }
  }

  const fit: Step = {
    share: [0.4, 0.95],
    failing: trainingState.training,
    work: async (context) => {
      const { key, record, journal } = context
      if (await files.has(key, 'model.onnx')) return undefined
      if (record.fits >= maxFits) {
        throw new TrainingFailure(
          trainingState.training,
          `the process ended in the middle of the fit ${record.fits} times, for want of memory perhaps`,
        )
      }
      journal.log(`starting training for model [ ${key.model}__${key.schema} ]`)
      const count = (by: number) => trainings.update(key, (latest) => ({ ...latest, fits: latest.fits + by }))
      let isCounted = false
      /** Once there is memory for it: a process that ends while the fit waits was not ended by it. */
      const begin = async (): Promise<void> => {
        isCounted = true
        await count(1)
      }
      try {
        return await fitOnce(context, begin)
      } catch (error) {
        // The process is still there: it was not the fit that ended it.
        if (isCounted) await count(-1).catch(() => {})
        throw error
      }
    },
  }

  async function fitOnce(context: StepContext, begin: () => Promise<void>) {
    const { key, request, journal } = context
    if (algorithmOf(request.algorithm).learnsFrom === 'script') {
      await begin()
      return fitByScript(context)
    }
    const asked = await requestOf(context)
    const { bytes, cells } = await needOf(context, 'fit')
    const answer = await memory.within(bytes, waitingFor(context, cells), async () => {
      await begin()
      return threads.run(
        { kind: 'fit', request: asked, prepared: await files.read(key, 'prepared') },
        hearing(context, () => trainingState.badTrainingData),
      )
    })
    if (!('fitted' in answer)) throw new Error('the thread has not fitted')
    const { file, ...checking } = answer.fitted
    await files.write(key, 'check', writeChecking(checking))
    if (answer.metrics !== undefined) await writeMetrics(context, answer.metrics)
    await files.write(key, 'model.onnx', file)
    journal.log(`training done: ${checking.summary}; the model has ${file.byteLength} bytes`)
    return undefined
  }

  async function fitByScript(context: StepContext) {
    const { key, request, journal, signal } = context
    const data = await files.stream(key, 'data')
    if (data === undefined) throw new TrainingFailure(trainingState.objectStore, 'the reformatted data are gone')
    const { means } = readScriptFacts(await files.read(key, 'check'))
    const watch = { log: journal.log, beat: (fraction: number) => journal.progress(fraction) }
    const version = String(key.training)
    const file = await runScript({ request, version, data, means, watch, signal })
    if (request.holdout?.file !== undefined) await measuring(context, () => measureByFile(deps, context, file))
    await files.write(key, 'model.onnx', file)
    journal.log(`training done; the model has ${file.byteLength} bytes`)
    return undefined
  }

  async function writeMetrics(context: StepContext, metrics: object): Promise<void> {
    const { key, request } = context
    const { folds } = await chosenFor(context)
    const all = {
      algorithm: request.algorithm,
      holdout: shownHoldout(request),
      ...metrics,
      ...(folds !== undefined && { folds }),
    }
    await files.write(key, 'metrics', Buffer.from(JSON.stringify(all)))
  }

  /** Of a file held out: the fit, or the one run of a script, measures its own model, and writes the metrics before the model. */
  const measuresItself = async ({ key, request }: StepContext): Promise<boolean> =>
    request.holdout?.file !== undefined && !(await files.has(key, 'model.onnx'))

  /** Measures on a held-out fifth, beside the fit on the other core where there is memory for both. It fails no training. */
  const measure: Step = {
    share: [0.4, 0.4],
    failing: trainingState.badTestData,
    work: async (context) => {
      if ((await measuresItself(context)) || (await files.has(context.key, 'metrics'))) return undefined
      await measuring(context, () => measured(context))
      return undefined
    },
  }

  /** Writes the metrics, or why there are none. */
  async function measuring(context: StepContext, metricsOf: () => Promise<object>): Promise<void> {
    const metrics = await metricsOf().catch((error: unknown) => {
      context.signal.throwIfAborted()
      return { reason: error instanceof Error ? error.message : String(error) }
    })
    await writeMetrics(context, metrics)
  }

  async function measured(context: StepContext): Promise<object> {
    const { key, request } = context
    if (algorithmOf(request.algorithm).learnsFrom === 'script') {
      const model = request.holdout?.file === undefined ? undefined : await files.read(key, 'model.onnx')
      return model === undefined ? measureScript(deps, context) : measureByFile(deps, context, model)
    }
    const asked = await requestOf(context)
    const silent = { log: () => {}, progress: () => {}, refusedState: () => trainingState.badTestData }
    const { bytes, cells } = await needOf(context, 'measure')
    const answer = await memory.within(bytes, waitingFor(context, cells, true), async (stops) =>
      threads.run(
        { kind: 'measure', request: asked, prepared: await files.read(key, 'prepared') },
        { ...silent, signal: stops },
      ),
    )
    return 'metrics' in answer ? answer.metrics : {}
  }

  return { tune, fit, measure }
}

/** Each fold of a candidate is a fit of its own. */
function sharesFolds({ algorithm: name }: TrainingRequest): boolean {
  const algorithm = algorithmOf(name)
  return algorithm.learnsFrom === 'texts' || (algorithm.learnsFrom === 'rows' && algorithm.tuning?.help !== undefined)
}

/** The rows held out as a request asks for them. */
function shownHoldout({ holdout, schema, model }: TrainingRequest): Readonly<Record<string, unknown>> {
  const { rule = { by: 'chance', share: usualShare } as const, file } = holdout ?? {}
  if (rule.by === 'chance') return { share: rule.share }
  if (rule.by !== 'file') return { [rule.by]: rule.attribute, share: rule.share }
  const prefix = trainingFileKey(model, schema, '')
  return { file: file?.key.startsWith(prefix) ? file.key.slice(prefix.length) : file?.key }
}

const writeChecking = (checking: Checking): Buffer => serialize(checking)

/** Reads only bytes that `writeChecking` wrote. */
export const readChecking = (bytes: Uint8Array): Checking => deserialize(bytes)
