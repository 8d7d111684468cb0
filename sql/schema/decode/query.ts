import { z } from 'zod'
import { anything } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { parseFilterQuery } from '../filter-query.ts'
import type { RuleCondition } from '../schema.ts'
import { conditionOnWire, decodeCondition, type Scope } from './condition.ts'

/** `fqry`: `name` is the query, or its JSON as a text. */
export const queryOnWire = z.object({
  name: z.union([z.string(), conditionOnWire]),
  type: anything.optional().meta({ description: '1: name is a query' }),
})

const isUserFunction = (type: unknown): boolean =>
  type === 2 || type === 2n || (typeof type === 'string' && type.trim() === '2')

/** The query within `fqry`: JSON as a string, or the object itself. */
const openQuery = (object: WireObject): WireObject | undefined => {
  const query = object.object('fqry')
  query?.only(queryOnWire.shape)
  const sent = query?.take('name', anything)
  if (isUserFunction(query?.take('type', anything))) {
    const called = typeof sent === 'string' ? ` ${quoted(sent)}` : ''
    query?.fail('type', `2 calls the user's function${called}, and there are none here; write a query, and type 1`)
    return undefined
  }
  if (typeof sent !== 'string') return query?.object('name')
  const parsed = parseFilterQuery(sent)
  if (parsed !== undefined) return query?.open(parsed, 'name')
  query?.fail('name', 'must be JSON such as {"query": [{"key": "price", "cmp_op": 0, "val": 10}], "qtype": 1}')
  return undefined
}

/** The member `fqry`, which has to be there. */
export const decodeQuery = (object: WireObject, scope: Scope): RuleCondition | undefined => {
  const query = openQuery(object)
  return query && decodeCondition(query, scope)
}
