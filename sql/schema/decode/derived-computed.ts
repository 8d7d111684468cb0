import type { WireObject } from '../../../base/decode/wire-object.ts'
import { checkComputedInputs } from '../check/computed-inputs.ts'
import type { ComputedAttribute } from '../schema.ts'
import { decodeComputed } from './computed.ts'
import type { Attributes, Draft } from './draft.ts'

/** The `catr` of a filter or a rule, and the attributes that the copy or the row gets by it. */
export type DerivedComputed = {
  readonly computed: ReadonlyMap<WireObject, ComputedAttribute>
  readonly attributes: Attributes
}

const late = 'is asked of a model when an event is posted; it belongs to the catr of a stream of type 1'

/** Refuses predictions, and limits by which an event would be refused: a derived event has neither. */
export function refuseOfPosted(computed: ReadonlyMap<WireObject, ComputedAttribute>, attributes: Attributes): void {
  for (const [object, { name, operation }] of computed) {
    if (operation === 'PRED') object.fail(object.has('opid') ? 'opid' : 'opnm', `PRED ${late}`)
    else if (attributes.get(name)?.limits)
      object.fail('', 'required, values, min and max belong to a stream of type 1: the event was taken already')
  }
}

/** `catr` of a filter, or of a rule, before the attributes are known that it reads. */
export function readDerivedComputed(object: WireObject): DerivedComputed {
  const attributes: Attributes = new Map()
  const computed = decodeComputed(object, attributes)
  refuseOfPosted(computed, attributes)
  for (const [each, { operation }] of computed)
    if (operation === 'FOLD')
      each.fail(
        each.has('opid') ? 'opid' : 'opnm',
        'FOLD carries a value from event to event of a stream; it belongs to the catr of the stream that gets the rows',
      )
  return { computed, attributes }
}

/**
 * Checks that all is there which `catr` of a filter or a rule reads: it is computed over these attributes, and in a row over
 * `others`.
 */
export function checkDerivedComputed(
  draft: Draft,
  object: WireObject,
  { computed, attributes }: DerivedComputed,
  over: Attributes,
  others: Draft['others'] = new Set(),
): readonly ComputedAttribute[] {
  for (const [each, { name }] of computed) {
    const [there, own] = [over.get(name), attributes.get(name)]
    if (there && own && there.type !== own.type)
      each.fail('type', `${own.type} here and ${there.type} in ${draft.name}`)
  }
  const scope: Draft = {
    ...draft,
    object,
    attributes: new Map([...over, ...attributes]),
    computed,
    brought: new Set(over.keys()),
    referred: new Set(),
    others,
  }
  checkComputedInputs(scope)
  return [...computed.values()]
}
