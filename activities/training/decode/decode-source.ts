import { z } from 'zod'
import { codeTable } from '../../../base/code-table.ts'
import { code, expected, flag, name, text } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { hint } from '../../../base/suggest.ts'
import { problemOfKey } from '../../../infra/buckets/names.ts'
import { createNameFinder } from '../../../learn/formats/header.ts'
import type { FormatName } from '../../../learn/formats/index.ts'
import { usualShare } from '../../../learn/holdout/rule.ts'
import { columnOf } from '../../../learn/layout.ts'
import type { SeriesRule } from '../../../learn/series/rule.ts'
import { clientName } from '../../../sql/schema/values.ts'
import type { ModelKey } from '../../models/stores/training-record.ts'
import { hiddenBucket } from '../../objects/buckets.ts'
import { modelBucket, problemOfFile, trainingFileKey } from '../../objects/model-objects.ts'
import type { DecodedLayout } from './decode-layout.ts'
import { asTheyAre } from './decode-reading.ts'
import { decodeTaking, refuseTaking, refuseTimes, takingOnWire } from './decode-taking.ts'
import type { Holdout, TrainingSource } from './request.ts'

const sourceTypes = codeTable('training_source_type', [
  [1, 'FILE'],
  [2, 'DIR'],
  [4, 'STREAM'],
  [null, 'BUCKET'],
  [null, 'TABLE'],
])

const key = name(problemOfKey)
/** A table as queries name it. */
const tableName = text.regex(
  /^[A-Za-z_][A-Za-z0-9_]{0,62}\.[A-Za-z_][A-Za-z0-9_]{0,62}$/,
  'must be the database and the table, as queries name them: "depot.cards"',
)
const trainingFile = name(problemOfFile)

/** The source of the data of a training. */
export const sourceOnWire = z.object({
  training_source_type: code(sourceTypes),
  'stream-name': clientName.optional(),
  training_source: key.optional(),
  is_src_global: flag.optional(),
  bucket_name: text.optional(),
  ...takingOnWire.shape,
})
const { shape: sourceShape } = sourceOnWire

/** The bucket of the training's files, and whether their keys are as they lie there, without the model's prefix. */
function takePlace(details: WireObject): {
  readonly given: string
  readonly bucket: string
  readonly isPlain: boolean
} {
  const isGlobal = details.take('is_src_global', sourceShape.is_src_global) ?? false
  const given = details.take('bucket_name', sourceShape.bucket_name) ?? ''
  const bucket = given === '' ? modelBucket : given
  return { given, bucket, isPlain: isGlobal || bucket !== modelBucket }
}

/** Undefined where a problem was found. */
export function decodeSource(details: WireObject, { schema, model }: ModelKey): TrainingSource | undefined {
  const type = details.take('training_source_type', sourceShape.training_source_type)
  const { given, bucket, isPlain } = takePlace(details)
  if (bucket === hiddenBucket) details.fail('bucket_name', `is '${bucket}', which the service keeps for itself`)
  if (type === 'STREAM') {
    const stream = details.take('stream-name', clientName)
    const taking = decodeTaking(details)
    return stream === undefined ? undefined : { type, stream, taking }
  }
  if (type === 'TABLE') {
    const name = details.take('training_source', tableName)
    const taking = decodeTaking(details)
    refuseTimes(details)
    const [database = '', table = ''] = name?.split('.') ?? []
    return name === undefined ? undefined : { type, database, table, taking }
  }
  if (type !== undefined)
    refuseTaking(details, `chooses rows of a STREAM or a TABLE; the rows of a ${type} are learnt from whole`)
  if (type === 'BUCKET') {
    if (given === '') details.fail('bucket_name', 'is missing')
    return { type, bucket }
  }
  if (type === undefined) return undefined
  const source = details.take('training_source', isPlain || type === 'DIR' ? key : trainingFile)
  if (source === undefined) return undefined
  const place = isPlain ? source : trainingFileKey(model, schema, source)
  return type === 'FILE' ? { type, bucket, key: place } : { type, bucket, prefix: place }
}

const share = z.number(expected('a share between 0 and 1')).gt(0, between()).lt(1, between())

function between() {
  return { error: 'must be between 0 and 1, and neither of them' }
}

const file = name(problemOfFile)

/** The rows that a model is measured on: by chance, the latest, whole groups, or those of a file of their own. */
const holdout = z.object({
  share: share.optional(),
  time: text.optional(),
  group: text.optional(),
  file: text.optional(),
})
const { shape } = holdout

export const holdoutOnWire = z.object({ holdout: holdout.optional() })

type Given = {
  readonly key: ModelKey
  readonly source: TrainingSource
  readonly input: FormatName
  readonly decoded: DecodedLayout
  /** LIBSVM data without an `attr_list`. */
  readonly isSparse: boolean
  /** Texts whose rows are JSON without an `attr_list`. */
  readonly isOpen: boolean
  /** Rows are windows of series: the latest ones are held out, or whole series. */
  readonly series?: SeriesRule
}

/** Undefined where the request has none, or a problem was found. */
export function decodeHoldout(object: WireObject, details: WireObject, given: Given): Holdout | undefined {
  const place = details.take('holdout', z.unknown()) === undefined ? object : details
  if (place.take('holdout', z.unknown()) === undefined) return given.series && latest(given.series, usualShare)
  const own = place.object('holdout')
  if (own === undefined) return undefined
  own.only(shape)
  const asked = own.take('share', shape.share)
  const [time, group, other] = (['time', 'group', 'file'] as const).map((member) => own.take(member, shape[member]))
  const ways = [time, group, other].filter((way) => way !== undefined)
  if (ways.length > 1) {
    place.fail('holdout', 'has more than one of time, group and file; give one')
    return undefined
  }
  if (other !== undefined) {
    if (asked !== undefined) own.fail('share', 'stands beside file, whose rows are held out whole')
    return fileOf(own, details, other, given)
  }
  const rows = { share: asked ?? usualShare }
  if (given.series !== undefined) return ofSeries(own, given.series, { time, group, share: rows.share })
  const attribute = time ?? group
  if (attribute === undefined) return { rule: { by: 'chance', ...rows } }
  const by = time === undefined ? 'group' : 'time'
  return attributeOf(own, by, attribute, rows.share, given)
}

const latest = ({ time }: SeriesRule, rows: number): Holdout => ({ rule: { by: 'time', attribute: time, share: rows } })

/** Windows of one time hold each other's values, so that no others than the latest, and whole series, are told apart. */
function ofSeries(
  own: WireObject,
  series: SeriesRule,
  {
    time,
    group,
    share: rows,
  }: { readonly time?: string | undefined; readonly group?: string | undefined; share: number },
): Holdout | undefined {
  if (time !== undefined && !sameName(series.time, time)) {
    own.fail('time', `is '${time}', and the rows of the series are ordered by '${series.time}'`)
    return undefined
  }
  if (group === undefined) return latest(series, rows)
  if (series.uid !== undefined && sameName(series.uid, group))
    return { rule: { by: 'group', attribute: series.uid, share: rows } }
  own.fail(
    'group',
    `is '${group}', and ${series.uid === undefined ? 'there is one series, as algo_param has no uid' : `series are told apart by '${series.uid}'`}`,
  )
  return undefined
}

function fileOf(own: WireObject, details: WireObject, other: string, { key, source }: Given): Holdout | undefined {
  const { bucket, isPlain } = takePlace(details)
  const problem = file.safeParse(other).error?.issues[0]?.message
  if (!isPlain && problem !== undefined) {
    own.fail('file', problem)
    return undefined
  }
  const at = isPlain ? other : trainingFileKey(key.model, key.schema, other)
  if (source.type === 'FILE' && source.bucket === bucket && source.key === at) {
    own.fail('file', 'is the training file; it must be another one')
    return undefined
  }
  return { rule: { by: 'file' }, file: { bucket, key: at } }
}

function attributeOf(
  own: WireObject,
  by: 'time' | 'group',
  attribute: string,
  rows: number,
  { decoded, input, isSparse, isOpen }: Given,
): Holdout | undefined {
  const { layout, attributes, namedByData } = decoded
  if (isSparse) {
    own.fail(by, `is '${attribute}', and ${asTheyAre}, without names; share or file does`)
    return undefined
  }
  const rule = { by, attribute: attribute.trim(), share: rows }
  if (namedByData !== undefined) {
    if (namedByData.target !== undefined && sameName(namedByData.target, attribute)) return isTarget(own, by, attribute)
    return { rule }
  }
  const target = layout.target
  if (target !== undefined && !target.unnamed && sameName(target.name, attribute)) return isTarget(own, by, attribute)
  const names = attributes.map(({ name: each }) => each)
  const found = attributes[createNameFinder(names)(attribute)]
  if (found !== undefined) {
    const isLearnt = layout.columns.some((column) => column.name === found.name)
    return { rule: isLearnt ? { ...rule, attribute: found.name } : { ...rule, column: columnOf(found) } }
  }
  if (isOpen && input === 'JSON') {
    return { rule: { ...rule, column: { name: rule.attribute, position: 2 ** 31 - 1 } } }
  }
  own.fail(
    by,
    `is '${attribute}', which attr_list does not name${hint(attribute, names)}; with learn 0 in attr_list a model does not learn from it`,
  )
  return undefined
}

const sameName = (one: string, other: string): boolean => createNameFinder([one])(other) === 0

function isTarget(own: WireObject, by: string, attribute: string): undefined {
  own.fail(by, `is '${attribute}', the target; it must be another attribute`)
  return undefined
}
