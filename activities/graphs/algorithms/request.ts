import { z } from 'zod'
import { createProblems } from '../../../base/decode/problems.ts'
import { name, text, wholeNumber } from '../../../base/decode/values.ts'
import { createWireObject } from '../../../base/decode/wire-object.ts'
import { fault } from '../../../base/faults.ts'
import { isObject, parseJson } from '../../../base/json.ts'
import type { Part } from '../../../sql/graph/index.ts'
import { type AlgorithmName, findAlgorithm, properties } from './names.ts'
import type { ScoreParameters } from './score.ts'

/** An algorithm, and the graph on which it runs. */
export type AlgorithmKey = { readonly graph: string; readonly algorithm: AlgorithmName }
export type AlgorithmOrder = AlgorithmKey & Part & ScoreParameters & { readonly property: string }
/** `id` is the id of the graph, which a later graph of the same name does not have. */
export type AlgorithmRequest = AlgorithmOrder & { readonly id: string }

/** Finds an algorithm by its name, in any case of letters; throws a fault `missing` where there is none. */
export function algorithmNamed(word: string): AlgorithmName {
  const found = findAlgorithm(word)
  if (found) return found
  throw fault('missing', `no algorithm ${JSON.stringify(word)}; there are ${Object.keys(properties).join(', ')}`)
}

const texts = z
  .preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z
      .array(text, 'must be an array of strings')
      .min(1, 'must name one at least')
      .max(100, 'must name 100 at most')
      .optional(),
  )
  .optional()
  .meta({ type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100 })
const property = name((given) => (given === '' || given.length > 200 ? 'must have 1 to 200 characters' : undefined))

/** The body of `POST /graph/G/algorithm/A`. */
export const algorithmOnWire = z.strictObject({
  property: property.optional().meta({ minLength: 1, maxLength: 200 }),
  labels: texts,
  relations: texts,
  seed: wholeNumber(0, 2 ** 32 - 1).optional(),
  top: wholeNumber(1, 100).optional(),
})
const { shape } = algorithmOnWire
const members = Object.keys(shape)

/** Reads a body `{property, labels, relations, seed, top}`: each member is optional, and so is the body. */
export function decodeAlgorithm(key: AlgorithmKey, body: string): AlgorithmOrder {
  const wire = body.trim() === '' ? {} : parseJson(body, 'the request')
  if (!isObject(wire)) throw fault('invalid', `send an object {${members.join(', ')}}, or no body`)
  const problems = createProblems()
  const object = createWireObject(wire, '', problems)
  for (const member of Object.keys(wire)) {
    if (!members.includes(member)) object.fail(member, `is not known; there are ${members.join(', ')}`)
  }
  const labels = object.take('labels', shape.labels)
  const relations = object.take('relations', shape.relations)
  const request = {
    ...key,
    property: object.take('property', shape.property) ?? properties[key.algorithm],
    ...(labels && { labels }),
    ...(relations && { relations }),
    seed: object.take('seed', shape.seed) ?? 1,
    top: object.take('top', shape.top) ?? 10,
  }
  problems.refuse()
  return request
}
