/** The refusals of calls, as OpenAPI describes them (docs/adr/0015-one-shape-of-refusal.md). */
import { z } from 'zod'
import type { FaultKind } from '../../base/faults.ts'
import type { Call } from '../http/call.ts'
import { familyOf } from '../http/families.ts'
import { statusOf } from '../http/statuses.ts'
import type { Schemas } from './json-schema.ts'

const meanings: Readonly<Record<FaultKind, string>> = {
  invalid: 'malformed JSON, a wrong type, an unknown code or name, a query that cannot be read',
  denied: 'no key, or one that is unknown, expired or revoked',
  forbidden: 'the key lacks the scope, or is for another place; without keys, a browser sent it for another site',
  missing: 'what the call is about is not there',
  method: 'the path takes other methods',
  conflict: 'it is there already, or the change would lose data',
  reused: 'the Idempotency-Key was used for another body',
  off: 'the stream is OFF',
  'too large': 'the body is too large',
  unsupported: 'the body is packed in a way that is not known',
  'out of range': 'the object has no byte of the range',
  limited: 'too much waits already',
  'too many': 'more requests than RATE_LIMIT',
  unavailable: 'a part behind the service fails, or the service starts or stops',
  late: 'a wait ran out',
  abandoned: 'nobody is there to read the answer',
}

const retryAfter = { 'Retry-After': { description: 'seconds', schema: { type: 'string' } } }
const rateLimit = Object.fromEntries(
  ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [name, { schema: { type: 'string' } }]),
)
const headersOf: Readonly<Record<string, Record<string, unknown>>> = {
  401: { 'WWW-Authenticate': { schema: { const: 'Bearer' } } },
  429: { ...retryAfter, ...rateLimit },
  503: retryAfter,
}

export type Refused = { readonly path: string; readonly method: string; readonly isOpen: boolean; readonly call: Call }

/** The kinds that a call has by its form, and the ones that it declares. */
function kindsOf({ path, method, isOpen, call }: Refused): FaultKind[] {
  const hasPlace = path.includes('{') || call.body !== undefined
  return [
    ...(hasPlace || call.query || method !== 'GET' ? (['invalid'] as const) : []),
    ...(isOpen ? [] : (['denied'] as const)),
    'forbidden',
    ...(hasPlace ? (['missing'] as const) : []),
    ...(call.body ? (['too large', 'unsupported'] as const) : []),
    ...(call.refuses ?? []),
    'too many',
    'limited',
    'unavailable',
    ...(isOpen ? [] : (['late'] as const)),
  ]
}

const errcodes = z.literal([...new Set(Object.values(statusOf).map(([, errcode]) => errcode))].toSorted())

/** By status, each standing once for a family of calls. */
export function refusals(refused: Refused, schemas: Schemas): Record<string, unknown> {
  const { name, members } = familyOf(refused.path) ?? { name: '', members: {} }
  const own = refused.call.refusal
  const title = capital(`${own ? refused.call.id : name}Refusal`)
  const shape = { errcode: errcodes, error: z.array(z.string()).min(1), ...members, ...own }
  const $ref = schemas.of(z.object(shape).meta({ id: title }), 'output')
  const statuses = [...new Set(kindsOf(refused).map((kind) => statusOf[kind][0]))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      schemas.respond(`${title}${status}`, responseOf(status, $ref))
      return [status, { $ref: `#/components/responses/${title}${status}` }]
    }),
  )
}

function responseOf(status: number, schema: Record<string, unknown>): Record<string, unknown> {
  const kinds = faultKinds.filter((kind) => statusOf[kind][0] === status)
  const codes = [...new Set(kinds.map((kind) => statusOf[kind][1]))]
  const headers = headersOf[status]
  return {
    description: kinds.map((kind) => meanings[kind]).join('; '),
    ...(headers && { headers }),
    content: { 'application/json': { schema: { ...schema, properties: { errcode: { enum: codes } } } } },
  }
}

const faultKinds = Object.keys(meanings).filter((kind): kind is FaultKind => kind in statusOf)

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
