import { z } from 'zod'
import { fault } from '../../../infra/faults.ts'
import { isObject, parseJson } from '../../../infra/json.ts'
import type { Part } from '../../../sql/graph/index.ts'
import { createProblems } from '../../../sql/schema/check/problems.ts'
import { createPart } from '../../../sql/schema/decode/part.ts'
import { name, text, whole } from '../../../sql/schema/values.ts'
import { type AlgorithmName, findAlgorithm, properties } from './names.ts'
import type { ScoreParameters } from './score.ts'

/** Which algorithm, over which graph. */
export type AlgorithmKey = { readonly graph: string; readonly algorithm: AlgorithmName }
export type AlgorithmRequest = AlgorithmKey & Part & ScoreParameters & { readonly property: string }

/** In any case of letters; a fault `missing` where there is none. */
export function algorithmNamed(word: string): AlgorithmName {
  const found = findAlgorithm(word)
  if (found) return found
  throw fault('missing', `no algorithm ${JSON.stringify(word)}; there are ${Object.keys(properties).join(', ')}`)
}

const members = ['property', 'labels', 'relations', 'seed', 'top']
const texts = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z
    .array(text, 'must be an array of strings')
    .min(1, 'must name one at least')
    .max(100, 'must name 100 at most')
    .optional(),
)
const property = name((given) => (given === '' || given.length > 200 ? 'must have 1 to 200 characters' : undefined))

/** `body`: the JSON text of `{property, labels, relations, seed, top}`, each of which may be left out, as may all of it. */
export function decodeAlgorithm(key: AlgorithmKey, body: string): AlgorithmRequest {
  const wire = body.trim() === '' ? {} : parseJson(body, 'the request')
  if (!isObject(wire)) throw fault('invalid', `send an object {${members.join(', ')}}, or no body`)
  const problems = createProblems()
  const part = createPart(wire, '', problems)
  for (const member of Object.keys(wire)) {
    if (!members.includes(member)) part.fail(member, `is not known; there are ${members.join(', ')}`)
  }
  const labels = part.take('labels', texts)
  const relations = part.take('relations', texts)
  const request = {
    ...key,
    property: part.take('property', property.optional()) ?? properties[key.algorithm],
    ...(labels && { labels }),
    ...(relations && { relations }),
    seed: part.take('seed', whole(0, 2 ** 32 - 1).optional()) ?? 1,
    top: part.take('top', whole(1, 100).optional()) ?? 10,
  }
  problems.refuse()
  return request
}
