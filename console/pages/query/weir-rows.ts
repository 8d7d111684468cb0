/** The rows `{k, v}` of an answer in Weir's language, with names that say what they are. */
import type { Page } from '../../api/calls.ts'
import { parseJson } from '../../api/json.ts'
import { flattened, isPlainObject } from '../../parts/result/rows.ts'

export type StatementForm = 'rows' | 'intervals' | 'groups' | 'other'

/** The form of a statement, by which its rows are named. */
export function formOf(text: string): StatementForm {
  if (/^\s*select\s+(?:aggr\s*\(|usage\b)/i.test(text)) return /\bgroup\s*by\b/i.test(text) ? 'groups' : 'intervals'
  return /^\s*select\b/i.test(text) ? 'rows' : 'other'
}

export const isSelect = (text: string): boolean => /^\s*select\b/i.test(text)

export function objectsOf(form: StatementForm, rows: Page['rows']): Record<string, unknown>[] {
  return rows.map(({ k, v, ts }) => {
    const value = decoded(v)
    if (form === 'rows') return isPlainObject(value) ? record(k, value) : { key: k, value }
    const key = form === 'groups' ? { ...(ts !== undefined && { ts }), group: k } : { ts: k }
    return { ...key, ...measured(value) }
  })
}

/** Events have their key among their members; rows of entities and records of tables have it beside them. */
function record(key: number | string, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat = flattened(value)
  return '_pk' in value || Object.values(value).includes(key) ? flat : { key, ...flat }
}

function measured(value: unknown): Record<string, unknown> {
  if (!isPlainObject(value)) return { value }
  const { aggr_val, ...rest } = value
  if (isPlainObject(aggr_val)) return { ...aggr_val, ...flattened(rest) }
  return aggr_val === undefined ? flattened(rest) : { value: aggr_val, ...flattened(rest) }
}

function decoded(value: number | string): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value
  try {
    return parseJson(value)
  } catch {
    return value
  }
}
