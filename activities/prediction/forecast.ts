import { fault } from '../../base/faults.ts'
import { hint } from '../../base/suggest.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Feeder } from '../../infra/log/port.ts'
import type { ModelDescription } from '../../learn/description.ts'
import { compileLastValues, storedAttribute } from '../../sql/query/compile/last-values.ts'
import type { VersionName } from '../models/models.ts'
import type { ModelKey } from '../models/stores/training-record.ts'
import type { ModelVersion } from '../models/stores/versions.ts'
import type { RegisteredStream, Registry } from '../registry/registry.ts'
import type { Predictor } from './predictor.ts'

export type ForecastRequest = ModelKey & {
  readonly version?: VersionName
  /** Absent: the stream that the model was trained on. */
  readonly stream?: string
  readonly uid?: string
  readonly steps: number
}

/** A forecast value, `step` intervals behind the last stored one. */
export type ForecastStep = { readonly step: number; readonly value: number }

export type ForecastDeps = {
  readonly modelOf: (key: ModelKey, version?: VersionName) => Promise<ModelVersion>
  readonly predictor: Pick<Predictor, 'describe' | 'predictOn'>
  readonly registry: Pick<Registry, 'stream'>
  readonly feeder: Pick<Feeder, 'caughtUp'>
  readonly clickhouse: Pick<ClickHouse, 'rows'>
}

/** The next values of a series, each predicted from those before it. */
export function createForecast({ modelOf, predictor, registry, feeder, clickhouse }: ForecastDeps) {
  /** Fault `missing` where there is no such model, stream or series, `invalid` where the request does not fit the model. */
  return async ({ schema, model, version: name, stream: asked, uid, steps }: ForecastRequest) => {
    const version = await modelOf({ schema, model }, name)
    const description = await predictor.describe(version.key)
    const { series } = description
    if (series === undefined)
      throw fault('invalid', `model ${model} was trained without lag: it predicts lines, and has no forecast`)
    refuseMisfit({ model, series, uid, steps })
    const target = registry.stream(schema, streamOf(model, version, asked))
    const source = sourceOf(target, { quantity: description.target?.name ?? '', uid: series.uid })
    await feeder.caughtUp(target.queues)
    const { quantity, of } = source
    const statement = compileLastValues(
      { schema: target.schema, stream: target.stream, columns: target.columns, now_us: Date.now() * 1000 },
      { quantity, count: series.lag, ...(of && uid !== undefined && { of: { attribute: of, text: uid } }) },
    )
    const rows = await clickhouse.rows<{ readonly v: number }>(statement)
    const values = rows.map(({ v }) => Number(v))
    const where = `stream ${schema}.${target.stream.name}`
    if (values.length === 0 && of !== undefined)
      throw fault('missing', `${where} has no value of ${quantity.name} in an event whose ${of.name} is '${uid}'`)
    if (values.length < series.lag)
      throw fault(
        'invalid',
        `model ${model} predicts from the last ${series.lag} values, and ${where} has ${values.length} ${of === undefined ? '' : `of ${of.name} '${uid}' `}yet`,
      )
    const step = series.offset + 1
    const found = await predictor.predictOn(version.key, values, steps / step)
    return found.map((value, i): ForecastStep => ({ step: (i + 1) * step, value }))
  }
}

export type Forecast = ReturnType<typeof createForecast>

type Series = NonNullable<ModelDescription['series']>
type Fit = Pick<ForecastRequest, 'model' | 'steps'> & { readonly uid: string | undefined; readonly series: Series }

function refuseMisfit({ model, series, uid, steps }: Fit): void {
  const step = series.offset + 1
  if (steps % step !== 0)
    throw fault(
      'invalid',
      `steps is ${steps}; model ${model} has offset ${series.offset}, so that steps is a multiple of ${step}: no other value is predicted`,
    )
  if (series.uid !== undefined && uid === undefined)
    throw fault('invalid', `uid is missing: model ${model} tells series apart by ${series.uid}`)
  if (series.uid === undefined && uid !== undefined)
    throw fault('invalid', `uid is '${uid}', and model ${model} was trained on one series, without uid`)
}

function streamOf(model: string, { facts }: ModelVersion, asked: string | undefined): string {
  const name = asked ?? facts?.source['stream-name']
  if (name !== undefined) return name
  throw fault(
    'invalid',
    `stream-name is missing: model ${model} was trained on files, and a stream has the last values`,
  )
}

/** The attributes of a stream by which the model knows its series. */
function sourceOf(
  { schema, stream }: RegisteredStream,
  names: { readonly quantity: string; readonly uid: string | undefined },
) {
  const place = `${schema.name}.${stream.name}`
  if (stream.kind === 'entity')
    throw fault('invalid', `${place} is an entity stream, whose rows have no order in time: a forecast needs events`)
  const known = stream.attributes.map(({ name }) => name)
  const quantity = storedAttribute(stream, names.quantity)
  if (quantity === undefined || (quantity.type !== 'DOUBLE' && quantity.type !== 'LONG')) {
    const is = quantity === undefined ? hint(names.quantity, known) : `, but one of type ${quantity.type}`
    throw fault('invalid', `stream ${place} has no attribute ${names.quantity} of type DOUBLE or LONG${is}`)
  }
  if (names.uid === undefined) return { quantity }
  const of = storedAttribute(stream, names.uid)
  if (of === undefined)
    throw fault(
      'invalid',
      `stream ${place} has no attribute ${names.uid}, which tells series apart${hint(names.uid, known)}`,
    )
  return { quantity, of }
}
