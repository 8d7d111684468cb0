import type { Json } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { hint } from '../../base/suggest.ts'
import { readValue, typeOf } from './types.ts'

// Comments and texts that look like a parameter are taken for one: nothing is refused by them.
const declared = /\{\s*(\w+)\s*:([^{}]{1,100})\}/g

/**
 * Refuses values of a statement's parameters that ClickHouse would take for others: a number or a date beyond its type's
 * bounds, which it cuts. Refuses a value of a parameter that the statement does not have. All else is for ClickHouse to read.
 */
export function checkSentParams(sql: string, params: { readonly [name: string]: Json }): void {
  const types = new Map([...sql.matchAll(declared)].map(([, name = '', type = '']) => [name, type.trim()]))
  const problems = Object.entries(params).flatMap(([name, value]) => {
    const written = types.get(name)
    if (written === undefined)
      return [`params.${name.slice(0, 64)} is no parameter of the statement${hint(name, [...types.keys()])}`]
    const type = typeOf(written)
    if (type === undefined || !isCut(value)) return []
    const read = readValue(value, type)
    return 'problem' in read && /from -?\d/.test(read.problem) ? [`params.${name} ${read.problem}`] : []
  })
  if (problems.length > 0) throw new Refusal(problems)
}

/** Numbers, days, and lists of them. */
const isCut = (value: Json): boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) ||
  (Array.isArray(value) && value.length > 0 && value.every(isCut))
