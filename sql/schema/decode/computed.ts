import { z } from 'zod'
import { code, flag, text, texts, wholeNumber } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import type { Reference } from '../check/notes.ts'
import {
  algorithms,
  attributeTypes,
  formats,
  knownForms,
  modelAttributeTypes,
  operations,
  presentRules,
} from '../codes.ts'
import type { Attribute, AttributeType, ComputedAttribute } from '../schema.ts'
import { shownStatistics } from '../statistics.ts'
import { inputs, maxLag, minLag, modelName, modelVersion, order } from '../values.ts'
import { decodeAttribute, statisticOnWire } from './attribute.ts'
import type { Attributes } from './draft.ts'
import { uniteLimits } from './limits.ts'
import { areSame } from './statistics.ts'

const operation = code(operations)

/** One of `catr`: it has `opid` or `opnm`. */
export const computedOnWire = z
  .object({
    name: text,
    type: code(attributeTypes).optional(),
    ...statisticOnWire.shape,
    opid: operation.optional(),
    opnm: operation.optional(),
    iatr: inputs,
    fnr: code(presentRules).prefault('add'),
    order,
    seq: flag.default(false).meta({ description: '1: before the references are looked up' }),
    model: modelName,
    // Any text, since schemas are decoded at each start; whether there is such an algorithm is asked where one is new.
    algo: text.optional().meta({ enum: knownForms(algorithms), description: 'a name in any case' }),
    attr_type: code(modelAttributeTypes).optional(),
    exp_fmt: code(formats).optional(),
    prob: z
      .preprocess((value) => (typeof value === 'number' || typeof value === 'bigint' ? String(value) : value), text)
      .optional()
      .meta({
        description: 'PRED stores the probability of this label in place of the label predicted',
      }),
    version: modelVersion.optional().meta({
      description: 'PRED asks this version of the model, by number or alias; absent: the current one',
    }),
    lag: wholeNumber(minLag, maxLag).optional().meta({
      description: 'PRED predicts from the last so many values of its one input, this event not among them',
    }),
    uid: text.optional().meta({ description: 'with lag: the attribute that tells series apart; absent: one series' }),
    key: texts.optional().meta({
      description: 'of FOLD: the attributes whose values carry one value on; absent: all events of the stream do',
    }),
    start: z
      .union([z.string(), z.number(), z.boolean()])
      .optional()
      .meta({ description: 'of FOLD: the value before the first event of a key' }),
  })
  .meta({ id: 'ComputedAttribute' })
const { shape } = computedOnWire

/** The members of a `catr` beyond name and type. `opid` wins over `opnm`, and each may be the number or the name. */
const decodeOperation = (
  object: WireObject,
  name: string,
  type: AttributeType | undefined,
): ComputedAttribute | undefined => {
  const known = object.take(object.has('opid') ? 'opid' : 'opnm', operation)
  const whenPresent = object.take('fnr', shape.fnr)
  const given = object.take('iatr', shape.iatr)
  const rank = object.take('order', shape.order)
  const isEarly = object.take('seq', shape.seq) ?? false
  const model = object.take('model', shape.model)
  const algorithm = object.take('algo', shape.algo)
  const attributeType = object.take('attr_type', shape.attr_type)
  const expectedFormat = object.take('exp_fmt', shape.exp_fmt)
  const probabilityOf = object.take('prob', shape.prob)
  const version = object.take('version', shape.version)
  const lag = object.take('lag', shape.lag)
  const uid = object.take('uid', shape.uid)
  const key = known === 'FOLD' ? object.take('key', shape.key) : undefined
  const start = known === 'FOLD' ? object.take('start', shape.start) : undefined
  for (const member of ['key', 'start'])
    if (known !== undefined && known !== 'FOLD' && object.has(member))
      object.note(member, `does nothing: ${known} is no FOLD`)
  if (known === 'FOLD' && isEarly) object.fail('seq', 'a fold is computed after the references: its seq is 0')
  if (known === 'FOLD' && object.has('fnr')) object.note('fnr', 'does nothing: a fold replaces what an event brings')
  for (const member of ['lag', 'uid', 'version'])
    if (known !== undefined && known !== 'PRED' && object.has(member))
      object.note(member, `does nothing: ${known} is no PRED`)
  if (known === undefined || whenPresent === undefined || given === undefined) return undefined
  if (rank === undefined || type === undefined) return undefined
  if (model !== undefined && known === 'PRED') {
    const attribute = {
      ...{ name, type, inputs: given },
      ...(probabilityOf && { probabilityOf }),
      ...(lag && { lag }),
      ...(version !== undefined && { version }),
    }
    object.refer('model', (path) => ({ kind: 'model', path, model, attribute }) satisfies Reference)
  }
  return {
    name,
    type,
    operation: known,
    inputs: given,
    order: rank,
    whenPresent,
    ...(model === undefined ? {} : { model }),
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(attributeType === undefined ? {} : { attributeType }),
    ...(expectedFormat === undefined ? {} : { expectedFormat }),
    ...(probabilityOf === undefined ? {} : { probabilityOf }),
    ...(known === 'PRED' && version !== undefined && { version }),
    ...(known === 'PRED' && lag !== undefined && { lag }),
    ...(known === 'PRED' && uid !== undefined && { uid }),
    ...(key !== undefined && { key }),
    ...(start !== undefined && { start }),
    // A model is asked after the references, also where there are none.
    ...(isEarly && known !== 'PRED' && known !== 'FOLD' && { isBeforeReferences: true as const }),
  }
}

/** An attribute in `attr` and in `catr` is one: its type is the same, and its statistic stands in either. */
const unite = (object: WireObject, declared: Attribute, computed: Attribute): Attribute => {
  if (declared.type !== computed.type) object.fail('type', `${computed.type} here and ${declared.type} in attr`)
  const limits = uniteLimits(object, declared, computed)
  if (computed.statistics === undefined) return { ...declared, ...limits }
  if (declared.statistics === undefined) {
    return { ...computed, ...limits, primaryKey: declared.primaryKey || computed.primaryKey }
  }
  if (!areSame(declared.statistics, computed.statistics)) {
    object.fail(
      'stat',
      `${shownStatistics(computed.statistics)} here and ${shownStatistics(declared.statistics)} in attr`,
    )
  } else if (declared.granularity !== computed.granularity) {
    object.fail('gran', `${computed.granularity} here and ${declared.granularity} in attr`)
  }
  return { ...declared, ...limits }
}

const decodeOne = (object: WireObject, declared: Attributes, attributes: Attributes): ComputedAttribute | undefined => {
  object.only(shape)
  const name = object.take('name', shape.name)
  if (name === undefined) return undefined
  const type = object.take('type', shape.type) ?? declared.get(name)?.type
  if (type === undefined && !object.has('type') && !declared.has(name)) object.fail('type', 'is missing')
  if (name.includes('.')) object.fail('name', `${quoted(name)} is a field; compute an attribute of its own`)
  if (name === '_pk' || name === '_id') object.fail('name', `${name} cannot be computed`)

  const attribute = decodeAttribute(object, name, type)
  const other = declared.get(name)
  attributes.set(name, other && attribute ? unite(object, other, attribute) : (other ?? attribute))
  const computed = decodeOperation(object, name, type)
  if (computed?.operation === 'PRED' && attributes.get(name)?.limits) {
    object.fail('', 'a prediction has no required, values, min or max: no event is refused for what a model says')
  }
  return computed
}

/** `catr`. Computed attributes that `attr` does not name are added to the attributes: they are columns like any other. */
export const decodeComputed = (
  stream: WireObject,
  attributes: Attributes,
): ReadonlyMap<WireObject, ComputedAttribute> => {
  const declared = new Map(attributes)
  const seen = new Set<string>()
  const computed = new Map<WireObject, ComputedAttribute>()
  for (const object of stream.objects('catr')) {
    const found = decodeOne(object, declared, attributes)
    if (found === undefined) continue
    if (found.operation === 'PRED' && stream.has('refr') && object.has('seq') && object.take('seq', shape.seq))
      object.fail('seq', 'a model is asked after the references: the seq of PRED is 0')
    if (seen.has(found.name)) object.fail('name', `${quoted(found.name)} is computed twice`)
    seen.add(found.name)
    computed.set(object, found)
  }
  return computed
}
