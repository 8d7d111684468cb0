import { z } from 'zod'
import type { Algorithm } from '../../../learn/algorithms/algorithm.ts'
import { isBalanced } from '../../../learn/algorithms/class-weights.ts'
import type { Layout } from '../../../learn/layout.ts'
import type { Parameters } from '../../../learn/parameters.ts'
import type { WireObject } from '../../../sql/schema/decode/wire-object.ts'
import { oneOf } from './decode-reading.ts'
import type { ReadingRules } from './request.ts'

/** `algo_param.class_weight`, which `training_details` and the request may hold in its place. */
export const classWeightOnWire = z.object({
  class_weight: oneOf(['balanced'])
    .optional()
    .meta({ description: 'a parameter of SVM, LIN, TREE and classes of texts, taken here too' }),
})
const { class_weight: shape } = classWeightOnWire.shape

type Own = Readonly<Record<string, unknown>>

/** `algo_param` with the weight that stands beside it. */
export function withClassWeight(object: WireObject, details: WireObject, algorithm: Algorithm, own: Own): Own {
  const inDetails = details.take('class_weight', shape)
  const place = inDetails === undefined ? object : details
  const asked = inDetails ?? object.take('class_weight', shape)
  if (asked === undefined) return own
  if (algorithm.parameters.some(({ name }) => name === 'class_weight')) return { ...own, class_weight: asked }
  if (algorithm.learnsFrom === 'script') {
    place.note('class_weight', 'does nothing: a script weighs classes itself; algo_param reaches it')
  } else place.fail('class_weight', `is ${asked}, and ${algorithm.name} learns no classes`)
  return own
}

/** Refuses a weight that the request alone shows to have no classes; where the data show it, the log says it. */
export function refuseIdleWeight(
  object: WireObject,
  algorithm: Algorithm,
  parameters: Parameters,
  { target }: Layout,
  { task }: ReadingRules,
): void {
  if (!isBalanced(parameters) || algorithm.learnsFrom !== 'rows') return
  const own = algorithm.task(parameters)
  const why =
    own === 'numbers' || own === 'none'
      ? `the parameters of ${algorithm.name} ask for ${own === 'none' ? 'no target' : 'numbers'}`
      : (task ?? target?.task) === 'numbers'
        ? 'the target holds numbers, which have no classes'
        : undefined
  if (why !== undefined) object.fail('class_weight', `is balanced, and ${why}`)
}
