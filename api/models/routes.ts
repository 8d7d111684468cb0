import type { RouterContext } from '@koa/router'
import type { ModelMisfits } from '../../activities/models/model-misfits.ts'
import type { Models } from '../../activities/models/models.ts'
import { type ModelKey, showTraining } from '../../activities/models/stores/training-record.ts'
import { isUnderWay, trainingState } from '../../activities/models/training-states.ts'
import { decodeTraining } from '../../activities/training/decode/decode-request.ts'
import type { ModelPlaces } from '../../activities/training/places.ts'
import { writeExactJson } from '../../base/exact-json.ts'
import { fault } from '../../base/faults.ts'
import { isObject, parseShallowJson } from '../../base/json.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Trainings } from '../../jobs/trainings.ts'
import { createNotes } from '../../sql/schema/check/notes.ts'
import type { Audited, AuditedChange } from '../auth/audited.ts'
import { permit, sees } from '../auth/permit.ts'
import { createRoutes, inSchema, type Routes, read, readOrTrain, train } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import { isForced, isStrict } from '../http/flags.ts'
import { notesIn } from '../http/notes.ts'
import { parameter } from '../http/parameter.ts'
import { streamAnswer } from '../http/stream-answer.ts'
import { seenOver, waitOf } from '../http/wait.ts'
import { wrongMethod } from '../http/wrong-method.ts'
import * as calls from './calls.ts'
import { aliasesOf, cardOf, listedModel, versionFacts } from './card.ts'
import { readCopy, readVersionChange, readVersionName } from './model-version.ts'
import { createShownWorkflow, type WorkflowConfig } from './workflow.ts'

export type ModelRoutesDeps = {
  readonly config: WorkflowConfig
  readonly models: Models
  readonly trainings: Trainings
  readonly places: Pick<ModelPlaces, 'ofTraining'>
  readonly misfits: ModelMisfits
  readonly changing: Audited
  readonly whyScriptsAreOff: () => Promise<string | undefined>
  readonly bodyLimit: number
  readonly logger: Logger
}

const changeOf = ({ schema, model }: ModelKey, detail: string): AuditedChange => ({
  what: 'model',
  name: `${schema}:${model}`,
  detail,
})

/** Trainings, the states that they end in, and the versions of models. */
export function modelRoutes({
  config,
  models,
  trainings,
  places,
  misfits,
  changing,
  whyScriptsAreOff,
  bodyLimit,
  logger,
}: ModelRoutesDeps): Routes {
  const routes = createRoutes()
  const shownWorkflow = createShownWorkflow(config)
  const keyOf = (context: RouterContext) => ({
    schema: parameter(context, 'schema'),
    model: parameter(context, 'model'),
  })

  routes.post('/ml/train', train('in body'), calls.train, async (context) => {
    const body = await readText(context, bodyLimit, 'the request')
    const { access_key: accessKey, secret_key: secretKey, ...wire } = objectOf(body)
    const keys = { accessKey: textOrNothing(accessKey), secretKey: textOrNothing(secretKey) }
    const notes = createNotes()
    const request = decodeTraining(wire, notes)
    if (isStrict(context.query)) notes.refuseUnknown()
    for (const place of await places.ofTraining(request)) permit(context, 'train', place)
    const off = request.algorithm === 'PY' ? await whyScriptsAreOff() : undefined
    if (off !== undefined) throw fault('off', off)
    const wait_ms = waitOf(context, 0)
    const begin = () => trainings.train(request, wire, keys)
    const { model, schema, training } = await changing(context, changeOf(request, 'training scheduled'), begin)
    const msg = `training of model ${model} of schema ${schema} is scheduled`
    const isOver = ({ state }: { readonly state: number }) => !isUnderWay(state)
    const seen =
      wait_ms > 0 ? await seenOver(context, wait_ms, () => trainings.latest({ schema, model }), isOver) : undefined
    const state = seen && { train_req_state: seen.state, ...(seen.reason !== undefined && { reason: seen.reason }) }
    context.body = { msg, train_start_ts: training, ...state, ...notesIn(notes), errcode: 0, errorcode: 0 }
  })

  routes.get('/ml/:schema/request', read(inSchema), calls.listTrainings, async (context) => {
    const schema = parameter(context, 'schema')
    const records = await trainings.list(schema)
    const serving = await models.servingIn(schema)
    const rows = records.map((record) => ({
      k: `${record.schema}:${record.model}`,
      v: writeExactJson({ ...showTraining(record), ...servingOf(serving.get(record.model)) }),
    }))
    context.body = { rows, num_items: rows.length, more_data_to_come: 0, switch_done: 0 }
  })

  routes.get('/ml/:schema/count', read(inSchema), calls.countTrainings, async (context) => {
    context.body = { count: (await trainings.list(parameter(context, 'schema'))).length }
  })

  routes.get('/ml/:schema/:model/request', read(inSchema), calls.showTraining, async (context) => {
    context.type = 'application/json'
    const key = keyOf(context)
    const record = await trainings.latest(key)
    context.body = writeExactJson({ ...showTraining(record), ...servingOf(await models.serving(key)) })
  })

  routes.delete('/ml/:schema/:model/request', train(inSchema), calls.removeTraining, async (context) => {
    const key = keyOf(context)
    const remove = () => trainings.removeRequest(key)
    const did = await changing(context, changeOf(key, 'training stopped, or its request removed'), remove)
    const what = did === 'stopped' ? 'the training' : 'the training request'
    context.body = { msg: `${what} of model ${key.model} is ${did}`, errcode: 0, errorcode: 0 }
  })

  routes.get('/ml/:schema/:model/status', readOrTrain(inSchema), calls.trainingStatus, async (context) => {
    const {
      schema,
      model,
      state,
      progress,
      reason,
      notes = [],
      place = 0,
      lacking = 'slot',
    } = await trainings.latest(keyOf(context))
    const told = state === trainingState.done ? [...notes, ...(await misfits(schema, model))] : notes
    context.body = {
      'schema-name': schema,
      model_name: model,
      train_req_state: state,
      progress: state === trainingState.done ? 1 : progress,
      ...(reason !== undefined && { reason }),
      ...(told.length > 0 && { notes: told }),
      ...(place > 0 && isUnderWay(state) && { waiting: { place, for: waitedFor[lacking] } }),
      ...shownWorkflow({ schema, model }),
      ...servingOf(await models.serving({ schema, model })),
    }
  })

  routes.get('/ml/:schema/:model/metrics', read(inSchema), calls.modelMetrics, async (context) => {
    context.body = await models.metrics(keyOf(context))
  })

  routes.get('/ml/:schema/:model/versions', read(inSchema), calls.listVersions, async (context) => {
    const key = keyOf(context)
    const rows = await models.versions(key)
    const aliases = await models.aliases(key)
    const versions = rows.map((row) => ({
      version: row.number,
      ...aliasesOf(aliases, row.number),
      train_start_ts: row.start_us,
      train_end_ts: row.end_us,
      train_req_state: row.current || row.staged ? trainingState.done : trainingState.superseded,
      current: row.current,
      ...(row.staged && { staged: true }),
      ...(row.beside !== undefined && { beside: row.beside }),
      ...(row.copyOf !== undefined && { copy_of: { model_name: row.copyOf.model, version: row.copyOf.number } }),
      ...versionFacts(row),
      metrics: row.metrics,
    }))
    context.body = { versions, num_versions: versions.length }
  })

  routes.put('/ml/:schema/:model/version', train(inSchema), calls.setVersion, async (context) => {
    const asked = readVersionChange(objectOf(await readText(context, bodyLimit, 'the request')))
    const key = keyOf(context)
    const of = `of model ${key.model}`
    const answer = (msg: string, error: readonly string[] = []) => ({
      msg,
      ...(error.length > 0 && { error }),
      errcode: 0,
      errorcode: 0,
    })
    if ('make' in asked) {
      const change = (number?: number) => changeOf(key, `version ${number ?? asked.make} made current`)
      const terms = { isForced: isForced(context.query), ...(asked.condition && { condition: asked.condition }) }
      const number = await changing(context, change, () => models.makeCurrent(key, asked.make, terms))
      context.body = answer(`version ${number} ${of} is current`, await misfits(key.schema, key.model))
    } else if ('alias' in asked) {
      const { alias, name } = asked
      const change = (number?: number) => changeOf(key, `version ${number ?? name} named ${alias}`)
      const number = await changing(context, change, () => models.setAlias(key, alias, name))
      context.body = answer(`version ${number} ${of} is named ${alias}`, await misfits(key.schema, key.model))
    } else {
      const { unname } = asked
      await changing(context, changeOf(key, `alias ${unname} removed`), () => models.removeAlias(key, unname))
      context.body = answer(`alias ${unname} ${of} is removed`)
    }
  })

  routes.post('/ml/:schema/:model/versions/:version/copy', train(inSchema), calls.copyVersion, async (context) => {
    const name = readVersionName(parameter(context, 'version'))
    const { to, activate } = readCopy(objectOf(await readText(context, bodyLimit, 'the request')))
    const key = keyOf(context)
    const target = { schema: key.schema, model: to }
    const terms = { activate, isForced: isForced(context.query) }
    const change = changeOf(target, `copied from version ${name} of model ${key.model}`)
    const { version, number, isCurrent } = await changing(context, change, () =>
      trainings.copyVersion(key, name, to, terms),
    )
    const error = isCurrent ? await misfits(key.schema, to) : []
    context.body = {
      msg: `version ${version} of model ${key.model} is version ${number} of model ${to}, ${isCurrent ? 'and current' : 'which is not current'}`,
      version: number,
      ...(error.length > 0 && { error }),
      errcode: 0,
      errorcode: 0,
    }
  })

  routes.post('/ml/:schema/:model/rollback', train(inSchema), calls.rollBack, async (context) => {
    const key = keyOf(context)
    const change = (done?: { readonly to: number }) =>
      changeOf(key, `rolled back${done ? ` to version ${done.to}` : ''}`)
    const { to, from } = await changing(context, change, () => models.rollBack(key))
    const error = await misfits(key.schema, key.model)
    context.body = {
      msg: `version ${to} of model ${key.model} is current again, in place of version ${from}`,
      version: to,
      ...(error.length > 0 && { error }),
      errcode: 0,
      errorcode: 0,
    }
  })

  routes.delete('/ml/:schema/:model/versions/:version', train(inSchema), calls.removeVersion, async (context) => {
    const key = keyOf(context)
    const name = readVersionName(parameter(context, 'version'))
    const change = (number?: number) => changeOf(key, `version ${number ?? name} removed`)
    const number = await changing(context, change, () => models.removeVersion(key, name))
    context.body = { msg: `version ${number} of model ${key.model} is removed`, errcode: 0, errorcode: 0 }
  })

  routes.get('/ml', read('in list'), calls.listModels, async (context) => {
    const isShown = sees(context)
    const shown = (await models.list()).filter(({ schema }) => isShown(`schema:${schema}`)).map(listedModel)
    context.body = { models: shown, num_models: shown.length, errcode: 0 }
  })

  routes.get('/ml/:schema/:model/model.onnx', read(inSchema), calls.modelFile, async (context) => {
    const key = keyOf(context)
    const { version } = context.query
    const { number, tag, size, open } = await models.file(
      key,
      version === undefined ? undefined : readVersionName(version),
    )
    context.status = 200
    context.etag = tag
    context.type = 'application/octet-stream'
    context.set('Content-Disposition', `attachment; filename="${key.model}.onnx"`)
    context.set('Weir-Version', String(number))
    if (context.fresh) {
      context.status = 304
      return
    }
    if (context.method === 'HEAD') context.length = size
    else streamAnswer(context, await open(), logger)
    context.length = size
  })

  routes.get('/ml/:schema/:model', read(inSchema), calls.showModel, async (context) => {
    const key = keyOf(context)
    // The path of predictions, which no model can have: names do not begin with a digit.
    if (key.schema === 'pred' && /^\d/.test(key.model)) throw wrongMethod(context, ['POST'])
    context.body = { ...cardOf(key, await models.card(key), await models.aliases(key)), errcode: 0 }
  })

  routes.delete('/ml/:schema/:model', train(inSchema), calls.removeModel, async (context) => {
    const key = keyOf(context)
    await changing(context, changeOf(key, 'removed'), () => trainings.removeModel(key))
    context.body = { msg: `model ${key.model} is removed`, errcode: 0, errorcode: 0 }
  })

  return routes
}

/** The word for the resource that a waiting step needs. */
const waitedFor = { slot: 'threads', memory: 'memory' } as const

const servingOf = (serving: number | undefined) => (serving === undefined ? {} : { serving })

function objectOf(body: string): Readonly<Record<string, unknown>> {
  const wire = parseShallowJson(body, 'the request')
  if (!isObject(wire)) throw fault('invalid', 'the request must be a JSON object')
  return wire
}

function textOrNothing(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw fault('invalid', 'access_key and secret_key must be strings')
  return value
}
