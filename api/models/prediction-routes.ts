import type { RouterContext } from '@koa/router'
import type { PredictionEngine } from '../../activities/prediction/engine.ts'
import { isUnderWay } from '../../activities/prediction/files/states.ts'
import type { ModelPlaces } from '../../activities/training/places.ts'
import { fault } from '../../base/faults.ts'
import type { FilePredictions } from '../../jobs/file-predictions.ts'
import { createNotes } from '../../sql/schema/check/notes.ts'
import { permit } from '../auth/permit.ts'
import { createRoutes, inSchema, type Routes, read, train } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import { notesIn } from '../http/notes.ts'
import { parameter } from '../http/parameter.ts'
import { refuseStray } from '../http/stray.ts'
import { seenOver, waitOf } from '../http/wait.ts'
import { readForecast } from './forecast.ts'
import { predictionType, readPrediction } from './prediction.ts'
import * as calls from './prediction-calls.ts'

export type PredictionRoutesDeps = {
  readonly predictions: Pick<PredictionEngine, 'predictLine' | 'forecast'>
  readonly files: FilePredictions
  readonly places: Pick<ModelPlaces, 'ofFile'>
  readonly bodyLimit: number
}

/** Predictions of a line at once and of a file in the background. */
export function predictionRoutes({ predictions, files, places, bodyLimit }: PredictionRoutesDeps): Routes {
  const routes = createRoutes()

  routes.post('/ml/pred/:type', read('in body'), calls.predict, async (context) => {
    const type = predictionType.safeParse(parameter(context, 'type'))
    if (!type.success) throw fault('invalid', type.error.issues.map(({ message }) => message).join('; '))
    const notes = createNotes()
    const request = readPrediction(await readText(context, bodyLimit, 'the request'), type.data, notes)
    const { data, version, ...of } = request
    permit(context, 'read', `schema:${request.schema}`)
    if (type.data === 'LINE') {
      const line = { ...of, line: data, ...(version !== undefined && { version }) }
      context.body = { ...(await predictions.predictLine(line)), ...notesIn(notes) }
      return
    }
    refuseStray(context.query, calls.predict)
    for (const place of await places.ofFile({ ...request, file: data })) permit(context, 'read', place)
    const wait_ms = waitOf(context, 0)
    const result = await files.start({ ...of, file: data, ...(version !== undefined && { asks: version }) })
    const key = { schema: request.schema, model: request.model, file: data }
    const isOver = (seen: Record<string, unknown>) => !isUnderWay(Number(seen.pred_req_state))
    const seen = wait_ms > 0 ? await seenOver(context, wait_ms, () => files.status(key), isOver) : undefined
    const state = seen && { pred_req_state: seen.pred_req_state }
    context.body = {
      msg: `the prediction of ${data} has begun`,
      pred_file_out: result,
      ...state,
      ...notesIn(notes),
      errorcode: 0,
    }
  })

  routes.post('/ml/forecast', read('in body'), calls.forecast, async (context) => {
    const notes = createNotes()
    const request = readForecast(await readText(context, bodyLimit, 'the request'), notes)
    permit(context, 'read', `schema:${request.schema}`)
    context.body = { forecast: await predictions.forecast(request), ...notesIn(notes), errorcode: 0 }
  })

  routes.get('/ml/:schema/:model/:file/status', read(inSchema), calls.filePrediction, async (context) => {
    context.body = await files.status(keyOf(context))
  })

  routes.delete('/ml/:schema/:model/:file/status', train(inSchema), calls.removeFilePrediction, async (context) => {
    await files.remove(keyOf(context))
    context.body = { errcode: 0, errorcode: 0 }
  })

  return routes
}

const keyOf = (context: Pick<RouterContext, 'params'>) => ({
  schema: parameter(context, 'schema'),
  model: parameter(context, 'model'),
  file: parameter(context, 'file'),
})
