import { fault } from '../../base/faults.ts'
import { isObject, type Json } from '../../base/json.ts'
import { literal } from '../literal.ts'

/**
 * Values as ClickHouse reads those of parameters: a text has escapes where the statement declares a String, and stands in
 * quotes within a list. Text for any other type is ClickHouse's own notation of it: `['DE']`.
 */
export function paramTexts(sql: string, params: { readonly [name: string]: Json }): Record<string, string> {
  const declared = new Map([...sql.matchAll(/\{\s*(\w+)\s*:\s*([\w(]+)/g)].map(([, name, type]) => [name, type]))
  const isText = (name: string): boolean =>
    /^(?:LowCardinality\(|Nullable\()*(?:Fixed)?String(?:\(|$)/.test(declared.get(name) ?? '')
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' && isText(name) ? literal(value, 'String').slice(1, -1) : paramText(name, value),
    ]),
  )
}

function paramText(name: string, value: Json): string {
  if (value === null) return '\\N'
  if (Array.isArray(value)) return `[${value.map((each) => elementText(name, each)).join(',')}]`
  if (isObject(value))
    throw fault('invalid', `params.${name}: send a text, a number, true, false, null or a list of these`)
  return String(value)
}

function elementText(name: string, value: Json): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? literal(value, 'String') : paramText(name, value)
}
